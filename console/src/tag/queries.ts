import { queryOptions } from "@tanstack/react-query";
import type { Schemas } from "../../../clients/typescript/src/index.ts";
import { call } from "../session/api.ts";

export type Tag = Schemas["Tag"];

const NEW_TAG_COLOR = "27A9E3";

export const tagsQuery = queryOptions({
  queryKey: ["tag", "list"],
  queryFn: async ({ signal }) => (await call("/tag/list", {}, { signal })).list,
});

/** The ids of tags by their names; tags that do not exist yet are created. */
export async function requireTags(names: string[], known: Tag[]): Promise<number[]> {
  const ids = new Map(known.map(({ id, name }) => [name.toLocaleLowerCase(), id]));
  const found: number[] = [];
  for (const name of names) {
    const id = ids.get(name.toLocaleLowerCase());
    found.push(id ?? (await call("/tag/create", { tag: { name, color: NEW_TAG_COLOR } })).id);
  }
  return found;
}

export function namesOfTags(ids: number[] | undefined, tags: Tag[]): string[] {
  return (ids ?? []).flatMap((id) => tags.find((tag) => tag.id === id)?.name ?? []);
}
