import * as z from "zod";
import { refreshAccountRules } from "../../object/refresh-rules.ts";
import { operation } from "../../operation.ts";
import { simplify } from "../../point/simplify.ts";
import { ZonePoint, ZonePoints } from "../schema.ts";
import { replacePoints, requirePoints } from "./queries.ts";

export const listZonePoints = operation("/zone/point/list", {
  summary: "The points of a polygon or a sausage; with count, simplified to the most important points",
  reads: true,
  input: z.object({ zone_id: z.int(), count: z.int().min(2).optional() }),
  output: z.object({ list: z.array(ZonePoint) }),
  errors: [201, 230],
  async run({ zone_id, count }, { db, principal }) {
    const points = await requirePoints(db, principal, zone_id);
    if (count === undefined) return { list: points };
    const indices = new Set(simplify(points, count));
    return { list: points.filter((_, index) => indices.has(index)) };
  },
});

export const updateZonePoints = operation("/zone/point/update", {
  summary: "Replaces the points of a polygon or a sausage",
  right: "zone_update",
  input: z.object({ zone_id: z.int(), points: ZonePoints }),
  output: z.object({}),
  errors: [201, 202, 230, 284],
  async run({ zone_id, points }, { db, env, principal, actor }) {
    await replacePoints(db, principal, zone_id, points, actor);
    await refreshAccountRules(env, principal.account_id);
    return {};
  },
});

export const operations = [listZonePoints, updateZonePoints];
