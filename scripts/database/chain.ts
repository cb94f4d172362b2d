/** The sentence for a database whose migrations are not those of this code; none if it can be migrated. */
export function chainProblem(label: string, applied: Set<string>, present: string[]): string[] {
  const foreign = [...applied].filter((name) => !present.includes(name)).sort();
  const [first = ""] = foreign;
  if (foreign.length === 0) return [];
  const isNewer = present.every((name) => applied.has(name)) && first > (present.at(-1) ?? "");
  if (isNewer)
    return [
      `${label} has data of a newer version than this code (its migration ${first} is not there): run that version, or a later one.`,
    ];
  return [
    `${label} has data of another version, whose migrations (${first}, …) are not there: take an empty database (locally another DATA_DIR), or that version.`,
  ];
}
