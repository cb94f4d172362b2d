import type { Offence } from "#shared/error/api-error.ts";

export type NamedTag = { id: number; name: string };
/** Ids of tags by name. */
export type TagIds = Map<string, number>;

/** The lowest-placed tag wins when several have one name. */
export function idsByName(tags: NamedTag[]): TagIds {
  return new Map(tags.toReversed().map(({ id, name }) => [name, id]));
}

/** Comma-separated names in a cell. */
export function tagNamesOfCell(cell: string): string[] {
  const names = cell.split(",").map((name) => name.trim());
  return names.filter((name) => name !== "");
}

/** The distinct names in all cells. */
export function tagNamesIn(rows: { tags?: string }[]): string[] {
  return [...new Set(rows.flatMap(({ tags }) => (tags === undefined ? [] : tagNamesOfCell(tags))))];
}

/** The ids of the known tags in a cell, and the unknown names. */
export function splitTags(cell: string, byName: TagIds): { ids: number[]; unknown: string[] } {
  const names = [...new Set(tagNamesOfCell(cell))];
  return { ids: names.flatMap((name) => byName.get(name) ?? []), unknown: names.filter((name) => !byName.has(name)) };
}

/** The ids of the tags in a cell; unknown names become an error. */
export function tagIdsOfCell(cell: string, byName: TagIds, errors: Offence[]): number[] {
  const { ids, unknown } = splitTags(cell, byName);
  if (unknown.length > 0) errors.push({ parameter: "tags", error: `names no tag of yours: ${unknown.join(", ")}` });
  return ids;
}
