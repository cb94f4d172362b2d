import * as z from "zod";
import { type ErrorCode, invalid } from "#shared/error/api-error.ts";
import type { Call } from "#shared/operation/declaration.ts";
import { listAnswer } from "#shared/operation/list-answer.ts";
import type { GeoEnv } from "../../env.ts";
import { operation } from "../../operation.ts";
import type { SharedType } from "../../table/sub-user-binding.ts";
import { selectZonesOf } from "../../zone/list-queries.ts";
import { Zone } from "../../zone/schema.ts";
import { SORTABLE, type SortableName, selectPlacesOf } from "../list-queries.ts";
import { Place } from "../schema.ts";
import { bindThings, selectBoundIds, unbindThings } from "./queries.ts";
import { FEATURE, requireSubUser } from "./require-sub-user.ts";

const Ids = z.array(z.int()).max(100_000);
const OfSubUser = z.object({ subuser_id: z.int() });
const AccessInput = OfSubUser.extend({ access_to_all: z.boolean().nullable().default(null) });
const ListInput = OfSubUser.extend({
  filter: z.string().max(255).nullable().default(null),
  tag_ids: z.array(z.int()).max(1000).default([]),
  limit: z.int().min(0).optional(),
  offset: z.int().min(0).default(0),
});
const BoundIds = z.object({ access_to_all: z.boolean(), list: z.array(z.int()) });
const common = { right: "admin" as const, feature: FEATURE, errors: [13, 201, 236] satisfies ErrorCode[] };

export const bindPlaces = operation("/subuser/places/bind", {
  ...common,
  summary: "Shows places to a sub-user, or all places, including future ones",
  input: AccessInput.extend({ place_ids: Ids.nullable().default(null) }),
  output: z.object({}),
  run: ({ place_ids, ...access }, call) => bind("place", access, place_ids, call),
});

export const bindZones = operation("/subuser/zones/bind", {
  ...common,
  summary: "Shows zones to a sub-user, or all zones, including future ones",
  input: AccessInput.extend({ zone_ids: Ids.nullable().default(null) }),
  output: z.object({}),
  run: ({ zone_ids, ...access }, call) => bind("zone", access, zone_ids, call),
});

export const unbindPlaces = operation("/subuser/places/unbind", {
  ...common,
  summary: "Hides places from a sub-user that were shown to it by id",
  input: OfSubUser.extend({ place_ids: Ids }),
  output: z.object({}),
  run: ({ subuser_id, place_ids }, call) => unbind("place", subuser_id, place_ids, call),
});

export const unbindZones = operation("/subuser/zones/unbind", {
  ...common,
  summary: "Hides zones from a sub-user that were shown to it by id",
  input: OfSubUser.extend({ zone_ids: Ids }),
  output: z.object({}),
  run: ({ subuser_id, zone_ids }, call) => unbind("zone", subuser_id, zone_ids, call),
});

export const listPlaceIds = operation("/subuser/places/list_ids", {
  ...common,
  summary: "The ids of the places that are shown to a sub-user by id, and whether it sees all places",
  reads: true,
  input: OfSubUser,
  output: BoundIds,
  run: ({ subuser_id }, call) => listIds("place", subuser_id, call),
});

export const listZoneIds = operation("/subuser/zones/list_ids", {
  ...common,
  summary: "The ids of the zones that are shown to a sub-user by id, and whether it sees all zones",
  reads: true,
  input: OfSubUser,
  output: BoundIds,
  run: ({ subuser_id }, call) => listIds("zone", subuser_id, call),
});

// The cast is safe: Object.keys of a literal are its names.
const PLACE_ORDERS = [...(Object.keys(SORTABLE) as SortableName[]), "assigned_date"] as const;

export const listSubUserPlaces = operation("/subuser/places/list", {
  ...common,
  summary: "The places that a sub-user sees, filtered by text and tags, sorted and in pages",
  reads: true,
  input: ListInput.extend({ order: z.enum(PLACE_ORDERS).default("id") }),
  output: z.object({ access_to_all: z.boolean(), list: z.array(Place), count: z.int() }),
  async run({ subuser_id, ...search }, { db, env, principal }) {
    await requireSubUser(env, principal, subuser_id);
    const { head, page } = await selectPlacesOf(db, principal, subuser_id, search);
    return listAnswer(head, page);
  },
});

export const listSubUserZones = operation("/subuser/zones/list", {
  ...common,
  summary: "The zones that a sub-user sees, filtered by label and tags, sorted and in pages",
  reads: true,
  input: ListInput.extend({ order: z.enum(["id", "label"]).default("id") }),
  output: z.object({ access_to_all: z.boolean(), list: z.array(Zone), count: z.int() }),
  async run({ subuser_id, ...search }, { db, env, principal }) {
    await requireSubUser(env, principal, subuser_id);
    const { head, page } = await selectZonesOf(db, principal, subuser_id, search);
    return listAnswer(head, page);
  },
});

export const operations = [
  bindPlaces,
  bindZones,
  unbindPlaces,
  unbindZones,
  listPlaceIds,
  listZoneIds,
  listSubUserPlaces,
  listSubUserZones,
];

async function bind(
  type: SharedType,
  { subuser_id, access_to_all }: z.output<typeof AccessInput>,
  ids: number[] | null,
  { db, env, principal, actor }: Call<GeoEnv>,
) {
  if (access_to_all === null && ids === null) {
    throw invalid(`${type}_ids`, `give ${type}_ids or access_to_all`);
  }
  await requireSubUser(env, principal, subuser_id);
  await bindThings(db, principal, type, { sub_user_id: subuser_id, ids: ids ?? [], access_to_all }, actor);
  return {};
}

async function unbind(
  type: SharedType,
  sub_user_id: number,
  ids: number[],
  { db, env, principal, actor }: Call<GeoEnv>,
) {
  await requireSubUser(env, principal, sub_user_id);
  await unbindThings(db, principal, type, { sub_user_id, ids }, actor);
  return {};
}

async function listIds(type: SharedType, sub_user_id: number, { db, env, principal }: Call<GeoEnv>) {
  await requireSubUser(env, principal, sub_user_id);
  return selectBoundIds(db, principal, type, sub_user_id);
}
