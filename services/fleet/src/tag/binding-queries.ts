import { type SQL, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import { among } from "#shared/database/scope.ts";
import { type Binding, tagBindingsIn } from "#shared/database/tag-binding/queries.ts";
import { tag } from "../table/tag/tag.ts";
import { tagBinding } from "../table/tag/tag-binding.ts";

export const { tagsOf, bindingsOf, insertBindings, replaceBindings, deleteRemovedBindings } = tagBindingsIn(tagBinding);

/** Condition: the account has all of these tags, and none is being removed; undefined without tags. */
export function tagsExist({ account_id }: Principal, bindings: Binding[]): SQL | undefined {
  if (bindings.length === 0) return undefined;
  const ids = bindings.map(({ tag_id }) => tag_id);
  const found = sql`SELECT count(*) FROM ${tag} WHERE ${tag.account_id} = ${account_id} AND ${among(tag.id, ids)} AND NOT ${tag.removing}`;
  return sql`(${found}) = ${ids.length}`;
}
