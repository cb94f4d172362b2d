/**
 * Canonical JSON (RFC 8785): sorted members, no spaces, numbers and texts as JavaScript writes them. Equal values give
 * equal bytes.
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
  // Undefined members of a plain object are left out, as in JSON.
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  // RFC 8785 sorts by UTF-16 units.
  members.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${canonicalJson(name)}:${canonicalJson(member)}`).join(",")}}`;
}
