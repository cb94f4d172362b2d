import type { TagCarrier } from "#shared/contract/tag.ts";
import { requestedTags } from "#shared/database/tag-binding/requested-tags.ts";
import type { Call } from "#shared/operation/declaration.ts";
import type { Page } from "#shared/operation/list-answer.ts";
import { wantsIso } from "#shared/operation/serve.ts";
import type { FleetEnv } from "../env.ts";
import { taggedEmployees } from "../people/employee/queries.ts";
import { selectTagged } from "../tracker/queries.ts";
import { shown } from "../tracker/shown.ts";
import { taggedVehicles } from "../vehicle/queries.ts";

/** What tags are for. */
export const ENTITY_TYPES = ["place", "task", "task_schedule", "employee", "vehicle", "zone", "tracker"] as const;
type EntityType = (typeof ENTITY_TYPES)[number];

type Entity = { id: number; [member: string]: unknown };
type Search = (call: Call<FleetEnv>, tags: number[]) => Promise<Page<Entity>>;

/** By type; the types wanted are asked for at once, wherever they live, of the others nothing is found. */
export async function taggedWith(
  call: Call<FleetEnv>,
  tags: number[],
  types: readonly EntityType[],
): Promise<Record<EntityType, Page<Entity>>> {
  const found = await Promise.all(
    ENTITY_TYPES.map(async (type) => {
      const page = types.includes(type) ? await SEARCHES[type](call, tags) : NOTHING;
      return [type, page] as const;
    }),
  );
  // Every type has its entry; `fromEntries` forgets the keys.
  return Object.fromEntries(found) as Record<EntityType, Page<Entity>>;
}

const NOTHING: Page<Entity> = { items: [] };

const SEARCHES: Record<EntityType, Search> = {
  employee: ({ db, principal }, tags) => taggedEmployees(db, principal, requestedTags(tags)),
  vehicle: ({ db, principal }, tags) => taggedVehicles(db, principal, requestedTags(tags)),
  tracker: async ({ db, principal, clock }, tags) =>
    shown(await selectTagged(db, principal, requestedTags(tags)), clock),
  place: (call, tags) => carried(call, call.env.GEO, "place", tags),
  zone: (call, tags) => carried(call, call.env.GEO, "zone", tags),
  task: (call, tags) => carried(call, call.env.TASKS, "task", tags),
  task_schedule: (call, tags) => carried(call, call.env.TASKS, "task_schedule", tags),
};

/** What another Worker has. */
async function carried<Type extends string>(
  { principal, request }: Call<FleetEnv>,
  carrier: TagCarrier<Type>,
  type: Type,
  tag_ids: number[],
) {
  const pageBehind = async (after: number): Promise<Page<Entity>> => {
    const search = { type, tag_ids, after, iso: wantsIso(request) };
    const { items, after: last } = await carrier.taggedWith(principal, search);
    return { items, next: last === undefined ? undefined : () => pageBehind(last) };
  };
  return pageBehind(0);
}
