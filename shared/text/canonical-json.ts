/**
 * JSON of which there is one text alone, as RFC 8785 has it: members in the order of their names' UTF-16 units, no spaces,
 * numbers and texts as JavaScript writes them. Whoever has the same values gets the same bytes.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === "number" && !Number.isFinite(value)) throw new Error("JSON has finite numbers alone.");
  if (typeof value === "string" && !value.isWellFormed()) throw new Error("JSON has no lone surrogates.");
  if (value === null || typeof value !== "object") {
    const text = JSON.stringify(value);
    if (text === undefined) throw new Error(`JSON has no ${typeof value}.`);
    return text;
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  // A plain object, as JSON has it: what is undefined is no member.
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  // Texts are compared by their UTF-16 units.
  members.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${canonicalJson(name)}:${canonicalJson(member)}`).join(",")}}`;
}
