import type { Principal } from "#shared/caller/principal.ts";
import type { TaggedPage, TaggedSearch } from "#shared/contract/tag.ts";
import type { Database } from "#shared/database/open.ts";
import type { Tagged } from "../table/tag-binding.ts";
import { selectTaggedZones as selectZones } from "../zone/list-queries.ts";
import { selectTaggedPlaces as selectPlaces } from "./list-queries.ts";

/** A page of the zones or places that have all of the tags. */
export function taggedWith(
  db: Database,
  principal: Principal,
  { type, tag_ids, after }: TaggedSearch<Tagged>,
): Promise<TaggedPage> {
  return SEARCHES[type](db, principal, tag_ids, after);
}

const SEARCHES = {
  zone: selectZones,
  place: selectPlaces,
} satisfies Record<Tagged, (db: Database, principal: Principal, tags: number[], after: number) => Promise<TaggedPage>>;
