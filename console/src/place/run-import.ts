import { call, codeOf } from "../session/api.ts";
import { requireTags, type Tag } from "../tag/queries.ts";
import type { NewPlace } from "./queries.ts";
import { type Meaning, type ReadPlace, type SheetRow, toBatch } from "./sheet.ts";

type Source = { file_id: string } | { batch: string };

const CALLS_AT_ONCE = 4;

/** Reads and checks rows; nothing is stored. `rows` are their numbers in the spreadsheet. */
export async function checkRows(source: Source, fields: Meaning[], default_radius: number) {
  const { list, limit_exceeded } = await call("/place/batch_convert", { ...source, fields, default_radius });
  return { places: list as ReadPlace[], isCut: limit_exceeded }; // the schema leaves members of wrong rows open
}

/** Checks corrected rows again; they keep their numbers and their tags. */
export async function checkAgain(
  rows: (SheetRow & { cells: Parameters<typeof toBatch>[0][number]["cells"] })[],
  default_radius: number,
): Promise<SheetRow[]> {
  const { batch, fields } = toBatch(rows, default_radius);
  const { places } = await checkRows({ batch }, fields, default_radius);
  return rows.map(({ row, place }, index) => {
    const { tags, tag_names, fields: custom } = place;
    const chosen = {
      ...(tags ? { tags } : {}),
      ...(tag_names ? { tag_names } : {}),
      ...(custom ? { fields: custom } : {}),
    };
    return { row, place: { ...(places[index] ?? place), ...chosen } };
  });
}

/** Creates a place for each row, a few at a time; answers the rows that were refused. */
export async function createPlaces(rows: SheetRow[], tags: Tag[], onProgress: (done: number) => void) {
  const names = [...new Set(rows.flatMap(({ place }) => place.tag_names ?? []))];
  const created = await requireTags(names, tags);
  const ids = new Map(names.map((name, index) => [name, created[index]]));
  const failed: { row: number; label: string; code: number | undefined }[] = [];
  const pending = rows.values();
  let done = 0;
  const work = async () => {
    for (const { row, place } of pending) {
      const { errors: _, tag_names = [], ...members } = place;
      const further = tag_names.flatMap((name) => ids.get(name) ?? []);
      const stored = { ...members, tags: [...(place.tags ?? []), ...further] } as NewPlace; // a row without errors
      await call(
        "/place/create",
        { place: stored, ignore_missing_fields: true },
        { idempotencyKey: crypto.randomUUID() },
      ).catch((thrown) => failed.push({ row, label: place.label, code: codeOf(thrown) }));
      done++;
      onProgress(done);
    }
  };
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, work));
  return failed;
}
