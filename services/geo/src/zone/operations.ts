import * as z from "zod";
import { retryOutdated } from "#shared/database/steps.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { listAnswer } from "#shared/operation/list-answer.ts";
import { completeFrom } from "#shared/operation/partial.ts";
import { refreshAccountRules } from "../object/refresh-rules.ts";
import { operation } from "../operation.ts";
import { Position } from "../point/schema.ts";
import { selectZones, selectZonesAt } from "./list-queries.ts";
import { selectNamingRules } from "./naming-queries.ts";
import { changeZone, insertZone, NamedByRules, removeZones, requireCurrentZone, requireZone } from "./queries.ts";
import { findExisting, requireExisting, requireLinks } from "./require-links.ts";
import { ChangedZone, NewZone, Zone, ZonePoints } from "./schema.ts";
import { shapeOf } from "./shape.ts";

export const createZone = operation("/zone/create", {
  summary: "Creates a zone: a circle, a polygon of 3 to 100 points, or a sausage around a line of 3 to 1024",
  right: "zone_update",
  input: z.object({ zone: NewZone, points: ZonePoints.nullable().default(null) }),
  output: z.object({ id: z.int() }),
  errors: [202, 230, 268, 284],
  async run({ zone, points }, { db, env, principal, actor }) {
    const shape = shapeOf({ ...zone, points: points ?? zone.points }, true);
    await requireLinks(env, principal, { tags: zone.tags, employees: [] }, "zone");
    return { id: await insertZone(db, principal, zone, shape, actor) };
  },
});

export const readZone = operation("/zone/read", {
  summary: "A zone, with its points if requested",
  reads: true,
  input: z.object({ zone_id: z.int(), with_points: z.boolean().default(false) }),
  output: z.object({ value: Zone }),
  errors: [201],
  async run({ zone_id, with_points }, { db, principal }) {
    return { value: await requireZone(db, principal, zone_id, with_points) };
  },
});

export const listZones = operation("/zone/list", {
  summary: "The zones that the caller sees, filtered by label and tags, by id and in pages",
  reads: true,
  input: z.object({
    filter: z.string().max(255).nullable().default(null),
    tag_ids: z.array(z.int()).max(1000).nullable().default(null),
    limit: z.int().min(0).nullable().default(null),
    offset: z.int().min(0).nullable().default(null),
    with_points: z.boolean().default(false),
  }),
  output: z.object({ list: z.array(Zone), count: z.int() }),
  errors: [],
  async run({ filter, tag_ids, limit, offset, with_points }, { db, principal }) {
    const search = { filter, tag_ids: tag_ids ?? [], limit: limit ?? undefined, offset: offset ?? 0 };
    const { count, page } = await selectZones(db, principal, search, with_points);
    return listAnswer({ count }, page);
  },
});

export const updateZone = operation("/zone/update", {
  summary: "Changes a zone; what is left out stays, its points too; its type cannot change",
  right: "zone_update",
  input: z.object({ zone: ChangedZone }),
  output: z.object({}),
  errors: [201, 202, 230, 231, 284],
  async run({ zone: { id, type, radius, center, points, holes, ...changes } }, { db, env, principal, actor }) {
    if (type === "circle" && points) throw new ApiError(230);
    const links = { tags: changes.tags ?? [], employees: [] };
    await retryOutdated(async () => {
      const [current, existing] = await Promise.all([
        requireCurrentZone(db, principal, id),
        findExisting(env, principal, links),
      ]);
      if (type !== undefined && type !== current.members.type) throw new ApiError(231);
      requireExisting(links, { ...existing, tags: [...existing.tags, ...current.members.tags] }, "zone");
      const shapeMembers = {
        radius: radius ?? current.members.radius,
        center: current.members.center && completeFrom(current.members.center, center ?? undefined),
        points: points ?? null,
        holes: holes ?? null,
      };
      const members = { ...completeFrom(current.members, changes), ...shapeMembers };
      const shape = shapeOf(members, false);
      await changeZone(db, principal, { id, current, members, tags: changes.tags, shape }, actor);
    });
    await refreshAccountRules(env, principal.account_id);
    return {};
  },
});

export const deleteZone = operation("/zone/delete", {
  summary: "Deletes a zone, or several; none if one is unknown or a rule names one",
  right: "zone_update",
  input: z.object({ zone_id: z.int().optional(), zone_ids: z.array(z.int()).max(100_000).optional() }),
  output: z.object({}),
  errors: [201, 203],
  async run({ zone_id, zone_ids }, { db, principal, actor }) {
    if ((zone_id === undefined) === (zone_ids === undefined)) {
      throw invalid("has_at_least_one_zone_id", "give exactly one of zone_id and zone_ids");
    }
    const ids = zone_ids ?? [zone_id ?? 0];
    await removeZones(db, principal, ids, actor).catch(async (thrown) => {
      if (!(thrown instanceof NamedByRules)) throw thrown;
      throw new ApiError(203, { entities: [{ type: "rules", ids: await selectNamingRules(db, principal, ids) }] });
    });
    return {};
  },
});

export const searchZoneLocation = operation("/zone/search_location", {
  summary: "The zones that contain a position, edge included",
  reads: true,
  input: z.object({ location: Position }),
  output: z.object({ list: z.array(z.object({ id: z.int(), label: z.string() })) }),
  errors: [],
  async run({ location }, { db, principal }) {
    return listAnswer({}, await selectZonesAt(db, principal, location));
  },
});

export const operations = [createZone, readZone, listZones, updateZone, deleteZone, searchZoneLocation];
