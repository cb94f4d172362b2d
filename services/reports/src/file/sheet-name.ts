/** A name that spreadsheet formats allow and that is not in `names`, to which it is added. */
export function toSheetName(title: string, names: Set<string>): string {
  const plain =
    title
      .replace(/[[\]:*?/\\]/g, " ")
      .replace(/^'|'$/g, "")
      .trim() || "1";
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? "" : ` (${number})`;
    const name = plain.slice(0, 31 - suffix.length) + suffix;
    if (names.has(name.toLowerCase())) continue;
    names.add(name.toLowerCase());
    return name;
  }
}
