import type { Clock } from "#shared/clock.ts";
import type { Database } from "#shared/database.ts";
import type { Page } from "#shared/list-answer.ts";
import type { Principal } from "#shared/principal.ts";
import { employeesWhere } from "../employee/queries.ts";
import { employee } from "../employee/table.ts";
import { carriesAll } from "../tag-binding/queries.ts";
import { shown } from "../tracker/operations.ts";
import { selectTrackers } from "../tracker/queries.ts";
import { tracker } from "../tracker/table.ts";
import { vehiclesWhere } from "../vehicle/queries.ts";
import { vehicle } from "../vehicle/table.ts";

/** What tags are for. */
export const ENTITY_TYPES = ["place", "task", "task_schedule", "employee", "vehicle", "zone", "tracker"] as const;
export type EntityType = (typeof ENTITY_TYPES)[number];

type Entity = { id: number };
type Search = (db: Database, principal: Principal, tags: number[], clock: Clock) => Promise<Page<Entity>>;

/** All types are asked at once; those of which nothing carries the tags are left out. */
export async function taggedWith(
  db: Database,
  principal: Principal,
  tags: number[],
  types: readonly EntityType[],
  clock: Clock,
): Promise<Record<string, Page<Entity>>> {
  const found = await Promise.all(
    [...new Set(types)].map(async (type) => [type, await SEARCHES[type]?.(db, principal, tags, clock)] as const),
  );
  return Object.fromEntries(found.flatMap(([type, page]) => (page && page.items.length > 0 ? [[type, page]] : [])));
}

const SEARCHES: Partial<Record<EntityType, Search>> = {
  employee: (db, principal, tags) =>
    employeesWhere(db, principal, carriesAll(principal, "employee", employee.id, tags)),
  vehicle: (db, principal, tags) => vehiclesWhere(db, principal, carriesAll(principal, "vehicle", vehicle.id, tags)),
  tracker: async (db, principal, tags, clock) =>
    shown(await selectTrackers(db, principal, carriesAll(principal, "tracker", tracker.id, tags)), clock),
};
