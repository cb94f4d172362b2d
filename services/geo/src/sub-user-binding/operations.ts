import { z } from "zod";
import { type ErrorCode, invalid } from "#shared/api-error.ts";
import { listAnswer } from "#shared/list-answer.ts";
import { operation } from "../operation.ts";
import { selectZonesOf } from "../zone/list.ts";
import { Zone } from "../zone/schema.ts";
import { FEATURE, requireSubUser } from "./access.ts";
import { bindThings, selectBoundIds, unbindThings } from "./queries.ts";

const Ids = z.array(z.int()).max(100_000);
const OfSubUser = z.object({ subuser_id: z.int() });
const Given = OfSubUser.extend({ access_to_all: z.boolean().nullable().default(null) });
const common = { right: "admin" as const, feature: FEATURE, errors: [13, 201, 236] satisfies ErrorCode[] };

export const bindZones = operation("/subuser/zones/bind", {
  ...common,
  summary: "Shows zones to a sub-user, or all that there are and will be",
  input: Given.extend({ zone_ids: Ids.nullable().default(null) }),
  output: z.object({}),
  async run({ subuser_id, access_to_all, zone_ids }, { db, env, principal, actor }) {
    if (access_to_all === null && zone_ids === null) throw invalid("zone_ids", "give zone_ids or access_to_all");
    await requireSubUser(env, principal, subuser_id);
    const binding = { sub_user_id: subuser_id, ids: zone_ids ?? [], access_to_all };
    await bindThings(db, principal, "zone", binding, actor);
    return {};
  },
});

export const unbindZones = operation("/subuser/zones/unbind", {
  ...common,
  summary: "Hides zones from a sub-user that were shown to it one by one",
  input: OfSubUser.extend({ zone_ids: Ids }),
  output: z.object({}),
  async run({ subuser_id, zone_ids }, { db, env, principal, actor }) {
    await requireSubUser(env, principal, subuser_id);
    await unbindThings(db, principal, "zone", { sub_user_id: subuser_id, ids: zone_ids }, actor);
    return {};
  },
});

export const listZoneIds = operation("/subuser/zones/list_ids", {
  ...common,
  summary: "The ids of the zones that are shown to a sub-user one by one, and whether it sees all",
  reads: true,
  input: OfSubUser,
  output: z.object({ access_to_all: z.boolean(), list: z.array(z.int()) }),
  async run({ subuser_id }, { db, env, principal }) {
    await requireSubUser(env, principal, subuser_id);
    return selectBoundIds(db, principal, "zone", subuser_id);
  },
});

export const listZonesOfSubUser = operation("/subuser/zones/list", {
  ...common,
  summary: "The zones that a sub-user sees, filtered by label and tags, sorted and in pages",
  reads: true,
  input: OfSubUser.extend({
    filter: z.string().max(255).nullable().default(null),
    tag_ids: z.array(z.int()).default([]),
    limit: z.int().min(0).optional(),
    offset: z.int().min(0).default(0),
    order: z.enum(["id", "label"]).default("id"),
  }),
  output: z.object({ access_to_all: z.boolean(), list: z.array(Zone), count: z.int() }),
  async run({ subuser_id, ...wanted }, { db, env, principal }) {
    await requireSubUser(env, principal, subuser_id);
    const { head, page } = await selectZonesOf(db, principal, subuser_id, wanted);
    return listAnswer(head, page);
  },
});
