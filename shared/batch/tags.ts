import type { Offence } from "#shared/error/api-error.ts";

export type NamedTag = { id: number; name: string };
/** The ids of tags by their names. */
export type TagIds = Map<string, number>;

/** Of several with one name, the first. */
export function idsByName(tags: NamedTag[]): TagIds {
  return new Map(tags.toReversed().map(({ id, name }) => [name, id]));
}

/** The names in a cell, separated by commas. */
export function tagNamesOfCell(cell: string): string[] {
  const names = cell.split(",").map((name) => name.trim());
  return names.filter((name) => name !== "");
}

/** All names in the cells, each once. */
export function tagNamesIn(rows: { tags?: string }[]): string[] {
  return [...new Set(rows.flatMap(({ tags }) => (tags === undefined ? [] : tagNamesOfCell(tags))))];
}

/** The tags that the cell names, and the names that no tag has. */
export function splitTags(cell: string, byName: TagIds): { ids: number[]; unknown: string[] } {
  const names = [...new Set(tagNamesOfCell(cell))];
  return { ids: names.flatMap((name) => byName.get(name) ?? []), unknown: names.filter((name) => !byName.has(name)) };
}

/** The tags that the cell names; names that no tag has are an error. */
export function tagIdsOfCell(cell: string, byName: TagIds, errors: Offence[]): number[] {
  const { ids, unknown } = splitTags(cell, byName);
  if (unknown.length > 0) errors.push({ parameter: "tags", error: `names no tag of yours: ${unknown.join(", ")}` });
  return ids;
}
