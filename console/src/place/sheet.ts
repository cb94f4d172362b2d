/** The meanings that a column of a spreadsheet may have, as `place/batch_convert` names them; `undefined` ignores a column. */
export const MEANINGS = [
  "undefined",
  "label",
  "address",
  "lat",
  "lng",
  "radius",
  "description",
  "tags",
  "external_id",
] as const;
export type Meaning = (typeof MEANINGS)[number];

/** Names of columns as people write them, in English and German. */
const TITLES: [Meaning, RegExp][] = [
  ["external_id", /^(external[ _]?id|id|no\.?|number|own number|nr\.?|nummer|eigene nummer|kundennummer)$/i],
  ["label", /^(label|name|place|ort|bezeichnung|kunde|customer|titel|title)$/i],
  ["address", /^(address|adresse|anschrift|location|straße|strasse|street)$/i],
  ["lat", /^(lat|latitude|breite|breitengrad|y)$/i],
  ["lng", /^(lng|lon|long|longitude|länge|laenge|längengrad|x)$/i],
  ["radius", /^(radius|umkreis).*$/i],
  ["description", /^(description|beschreibung|notes?|notiz(en)?|comment|bemerkung(en)?)$/i],
  ["tags", /^(tags?|labels|schlagw(ort|örter))$/i],
];
/** The order of the columns where titles are missing. */
const USUAL: Meaning[] = ["label", "address", "lat", "lng", "radius", "description", "tags"];

/** A place that `place/batch_convert` has read from a row; a cell with an error is as it was in the row. */
export type ReadPlace = {
  label: string;
  description: string;
  location: { lat: number | string; lng: number | string; address: string; radius: number | string };
  tags?: number[];
  tag_names?: string[];
  external_id?: string | null;
  fields?: Record<string, unknown>;
  errors?: { parameter: string; error: string }[];
};
/** `row`: its number in the spreadsheet. */
export type SheetRow = { row: number; place: ReadPlace };
export type CheckedSheet = { rows: SheetRow[]; isCut: boolean; radius: number };
/** The cells of a row that a user corrects. */
export type Cells = Record<"label" | "address" | "lat" | "lng" | "radius", string>;

export const CORRECTED: (keyof Cells)[] = ["label", "address", "lat", "lng", "radius"];
const CORRECTED_FIELDS: Meaning[] = [...CORRECTED, "description", "external_id"];

/** Guesses the meaning of each column from its title, or else from its position; each meaning is given once. */
export function guessMeanings(header: string[] | undefined, columns: number): Meaning[] {
  const titles = header ?? [];
  const guessed = Array.from({ length: columns }, (_, column): Meaning => {
    const title = titles[column]?.trim() ?? "";
    return TITLES.find(([, pattern]) => pattern.test(title))?.[0] ?? "undefined";
  });
  const isKnown = guessed.includes("label");
  const meanings = isKnown ? guessed : guessed.map((_, column) => USUAL[column] ?? "undefined");
  return meanings.map((meaning, column) => (meanings.indexOf(meaning) === column ? meaning : "undefined"));
}

/** Gives a column a meaning, and takes it from the column that had it. */
export function withMeaning(meanings: Meaning[], column: number, meaning: Meaning): Meaning[] {
  return meanings.map((one, index) => {
    if (index === column) return meaning;
    return one === meaning ? "undefined" : one;
  });
}

/** The first meaning without which rows cannot be checked; undefined if none is missing. */
export function missingIn(meanings: Meaning[]): "needsName" | "needsPosition" | undefined {
  if (!meanings.includes("label")) return "needsName";
  const hasPosition = meanings.includes("address") || (meanings.includes("lat") && meanings.includes("lng"));
  return hasPosition ? undefined : "needsPosition";
}

/** The cells of a row with errors. A position at 0/0 with an error about it was none. */
export function cellsOf({ label, location, errors = [] }: ReadPlace): Cells {
  const isMissing = errors.some(({ parameter }) => parameter === "place.location");
  const [lat, lng] = isMissing ? ["", ""] : [String(location.lat), String(location.lng)];
  return { label, address: location.address, lat, lng, radius: String(location.radius) };
}

/** Corrected rows as text that `place/batch_convert` reads, with the fields of its columns. */
export function toBatch(
  rows: { place: ReadPlace; cells: Cells }[],
  default_radius: number,
): { batch: string; fields: Meaning[] } {
  const lines = rows.map(({ place, cells }) =>
    // The radius is always there: a blank line would be skipped.
    [
      ...CORRECTED.map((name) => cells[name] || (name === "radius" ? `${default_radius}` : "")),
      place.description,
      place.external_id ?? "",
    ]
      .map(toCell)
      .join("\t"),
  );
  return { batch: lines.join("\n"), fields: CORRECTED_FIELDS };
}

/** Cells and rows are separated by tabs and line ends. */
function toCell(text: string): string {
  return text.replace(/[\t\r\n]+/g, " ");
}

export function isValid({ place }: SheetRow): boolean {
  return (place.errors ?? []).length === 0;
}
