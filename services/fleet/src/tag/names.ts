import type { Offence } from "#shared/error/api-error.ts";

export type NamedTag = { id: number; name: string };

/** The names in a cell, separated by commas. */
export function namesIn(cell: string): string[] {
  const names = cell.split(",").map((name) => name.trim());
  return names.filter((name) => name !== "");
}

/** The tags that the cell names; of several with one name, the oldest. */
export function tagsNamed(cell: string, tags: NamedTag[], errors: Offence[]): number[] {
  const unknown: string[] = [];
  const ids = namesIn(cell).flatMap((name) => {
    const found = tags.find((tag) => tag.name === name);
    if (!found) unknown.push(name);
    return found ? [found.id] : [];
  });
  if (unknown.length > 0) errors.push({ parameter: "tags", error: `names no tag of yours: ${unknown.join(", ")}` });
  return [...new Set(ids)];
}
