import type { TagCarrier } from "#shared/contract/tag.ts";
import { requestedTags } from "#shared/database/tag-binding/requested-tags.ts";
import type { Call } from "#shared/operation/declaration.ts";
import type { Page } from "#shared/operation/list-answer.ts";
import { wantsIso } from "#shared/operation/serve.ts";
import type { FleetEnv } from "../env.ts";
import { taggedEmployees } from "../people/employee/queries.ts";
import { selectTaggedTrackers } from "../tracker/queries.ts";
import { toTrackerPages } from "../tracker/to-tracker.ts";
import { taggedVehicles } from "../vehicle/queries.ts";

/** The types of things that carry tags. */
export const ENTITY_TYPES = ["place", "task", "task_schedule", "employee", "vehicle", "zone", "tracker"] as const;
type EntityType = (typeof ENTITY_TYPES)[number];

type Entity = { id: number; [member: string]: unknown };
type TypeSearch = (call: Call<FleetEnv>, tags: number[]) => Promise<Page<Entity>>;

/**
 * The things that carry all of the tags, by type. Types are searched in parallel, in fleet or in another service; types
 * that are not requested have an empty page.
 */
export async function searchByTags(
  call: Call<FleetEnv>,
  tags: number[],
  types: readonly EntityType[],
): Promise<Record<EntityType, Page<Entity>>> {
  const found = await Promise.all(
    ENTITY_TYPES.map(async (type) => {
      const page = types.includes(type) ? await SEARCHES[type](call, tags) : EMPTY_PAGE;
      return [type, page] as const;
    }),
  );
  // Every type has an entry: `fromEntries` only loses the type of the keys.
  return Object.fromEntries(found) as Record<EntityType, Page<Entity>>;
}

const EMPTY_PAGE: Page<Entity> = { items: [] };

const SEARCHES: Record<EntityType, TypeSearch> = {
  employee: ({ db, principal }, tags) => taggedEmployees(db, principal, requestedTags(tags)),
  vehicle: ({ db, principal }, tags) => taggedVehicles(db, principal, requestedTags(tags)),
  tracker: async ({ db, principal, clock }, tags) =>
    toTrackerPages(await selectTaggedTrackers(db, principal, requestedTags(tags)), clock),
  place: (call, tags) => searchCarrier(call, call.env.GEO, "place", tags),
  zone: (call, tags) => searchCarrier(call, call.env.GEO, "zone", tags),
  task: (call, tags) => searchCarrier(call, call.env.TASKS, "task", tags),
  task_schedule: (call, tags) => searchCarrier(call, call.env.TASKS, "task_schedule", tags),
};

/** Searches things of another service, page after page. */
async function searchCarrier<Type extends string>(
  { principal, request }: Call<FleetEnv>,
  carrier: TagCarrier<Type>,
  type: Type,
  tag_ids: number[],
) {
  const selectAfter = async (after: number): Promise<Page<Entity>> => {
    const search = { type, tag_ids, after, iso: wantsIso(request) };
    const { items, after: last } = await carrier.taggedWith(principal, search);
    return { items, next: last === undefined ? undefined : () => selectAfter(last) };
  };
  return selectAfter(0);
}
