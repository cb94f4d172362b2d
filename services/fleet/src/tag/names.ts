import type { Offence } from "#shared/error/api-error.ts";

export type NamedTag = { id: number; name: string };
/** The ids of tags by their names. */
export type TagIds = Map<string, number>;

/** Of several with one name, the first. */
export function idsByName(tags: NamedTag[]): TagIds {
  return new Map(tags.toReversed().map(({ id, name }) => [name, id]));
}

/** The names in a cell, separated by commas. */
export function namesIn(cell: string): string[] {
  const names = cell.split(",").map((name) => name.trim());
  return names.filter((name) => name !== "");
}

/** The tags that the cell names. */
export function tagsNamed(cell: string, byName: TagIds, errors: Offence[]): number[] {
  const names = [...new Set(namesIn(cell))];
  const unknown = names.filter((name) => !byName.has(name));
  const ids = names.flatMap((name) => byName.get(name) ?? []);
  if (unknown.length > 0) errors.push({ parameter: "tags", error: `names no tag of yours: ${unknown.join(", ")}` });
  return ids;
}
