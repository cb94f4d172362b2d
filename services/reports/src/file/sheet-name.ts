/** As the format lets sheets be named, each otherwise than the others. */
export function nameFor(wished: string, taken: Set<string>): string {
  const plain =
    wished
      .replace(/[[\]:*?/\\]/g, " ")
      .replace(/^'|'$/g, "")
      .trim() || "1";
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? "" : ` (${number})`;
    const name = plain.slice(0, 31 - suffix.length) + suffix;
    if (taken.has(name.toLowerCase())) continue;
    taken.add(name.toLowerCase());
    return name;
  }
}
