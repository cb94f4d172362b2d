import * as z from "zod";
import type { TagsAndEmployees } from "#shared/contract/fleet.ts";
import { countTexts, matchConditions, searchConditions } from "#shared/database/conditions.ts";
import { retryOutdated } from "#shared/database/steps.ts";
import { listAnswer } from "#shared/operation/list-answer.ts";
import { completeFrom } from "#shared/operation/partial.ts";
import { operation } from "../operation.ts";
import { Position } from "../point/schema.ts";
import { findExisting, requireExisting, requireLinks } from "../zone/require-links.ts";
import { selectFields } from "./custom-field/queries.ts";
import { employeesIn, mergeFields, toStoredFields } from "./fields.ts";
import { selectPlaces, selectPlacesAt } from "./list-queries.ts";
import { changePlace, insertPlace, removePlace, requireCurrentPlace, requirePlace } from "./queries.ts";
import { ChangedPlace, NewPlace, Place } from "./schema.ts";
import { findNeededNames, mayUseFields, NO_NAMES, searchFields, sortColumn } from "./search-queries.ts";

export const createPlace = operation("/place/create", {
  summary: "Creates a place; required custom fields must have values unless ignore_missing_fields is set",
  right: "place_update",
  input: z.object({ place: NewPlace, ignore_missing_fields: z.boolean().default(false) }),
  output: z.object({ id: z.int() }),
  errors: [268],
  async run({ place, ignore_missing_fields }, { db, env, principal, actor }) {
    const values = place.fields ?? {};
    const stored = toStoredFields(values);
    await requireLinks(env, principal, { tags: place.tags, employees: employeesIn(stored) }, "place");
    const needed = ignore_missing_fields ? "none" : "all";
    return { id: await insertPlace(db, principal, place, { values, stored, needed }, actor) };
  },
});

export const readPlace = operation("/place/read", {
  summary: "A place",
  reads: true,
  input: z.object({ place_id: z.int() }),
  output: z.object({ value: Place }),
  errors: [201],
  async run({ place_id }, { db, principal }) {
    return { value: await requirePlace(db, principal, place_id) };
  },
});

export const listPlaces = operation("/place/list", {
  summary: "The places that the caller sees, filtered by text, tags and conditions, sorted and in pages",
  reads: true,
  input: z.object({
    place_ids: z.array(z.int()).max(100_000).nullable().default(null),
    filter: z.string().max(760).nullable().default(null),
    conditions: searchConditions(),
    order_by: z.string().nullable().default(null),
    ascending: z.boolean().default(true),
    limit: z.int().min(0).nullable().default(null),
    offset: z.int().min(0).default(0),
    tag_ids: z.array(z.int()).max(1000).nullable().default(null),
  }),
  output: z.object({ list: z.array(Place), count: z.int() }),
  errors: [],
  async run({ conditions, order_by, ascending, limit, tag_ids, ...search }, { db, env, principal, clock }) {
    const name = order_by ?? "id";
    const { texts, isNeeded } = findNeededNames(name, conditions);
    const [fields, names] = await Promise.all([
      mayUseFields(name, conditions) ? selectFields(db, principal) : [],
      isNeeded ? env.FLEET.namesOf(principal, texts) : NO_NAMES,
    ]);
    const naming = { account_id: principal.account_id, fields, texts, names };
    const { count, page } = await selectPlaces(db, principal, {
      ...search,
      conditions: matchConditions(conditions, searchFields(naming), clock),
      texts: countTexts(conditions) + (search.filter ? 1 : 0),
      by: sortColumn(name, naming),
      descending: !ascending,
      limit: limit ?? undefined,
      tag_ids: tag_ids ?? [],
    });
    return listAnswer({ count }, page);
  },
});

export const updatePlace = operation("/place/update", {
  summary: "Changes a place; what is left out stays, also of its location and its custom fields",
  right: "place_update",
  input: z.object({ place: ChangedPlace }),
  output: z.object({}),
  errors: [201],
  async run({ place: { id, fields: values, location, ...changes } }, { db, env, principal, actor }) {
    const newFields = toStoredFields(values ?? {});
    const links = { tags: changes.tags ?? [], employees: employeesIn(newFields) };
    await retryOutdated(async () => {
      const [current, existing] = await Promise.all([
        requireCurrentPlace(db, principal, id),
        findExisting(env, principal, links),
      ]);
      requireExisting(links, withCurrentLinks(existing, current.members.tags, employeesIn(current.fields)), "place");
      const members = {
        ...completeFrom(current.members, changes),
        location: completeFrom(current.members.location, location),
      };
      const stored = values && mergeFields(current.fields, values, newFields);
      const fields = stored && { values, stored, needed: "named" as const };
      await changePlace(db, principal, { id, revision: current.revision, members, tags: changes.tags }, fields, actor);
    });
    return {};
  },
});

export const deletePlace = operation("/place/delete", {
  summary: "Deletes a place",
  right: "place_update",
  input: z.object({ place_id: z.int() }),
  output: z.object({}),
  errors: [201],
  async run({ place_id }, { db, principal, actor }) {
    await removePlace(db, principal, place_id, actor);
    return {};
  },
});

export const searchPlaceLocation = operation("/place/search_location", {
  summary: "The places within whose radius a position is; the edge is inside",
  reads: true,
  input: z.object({ location: Position }),
  output: z.object({ list: z.array(z.object({ id: z.int(), label: z.string() })) }),
  errors: [],
  async run({ location }, { db, principal }) {
    return listAnswer({}, await selectPlacesAt(db, principal, location));
  },
});

export const operations = [createPlace, readPlace, listPlaces, updatePlace, deletePlace, searchPlaceLocation];

/** Tags and employees that the place refers to already may stay, even if the caller cannot name them. */
function withCurrentLinks(existing: TagsAndEmployees, tags: number[], employees: number[]): TagsAndEmployees {
  return { tags: [...existing.tags, ...tags], employees: [...existing.employees, ...employees] };
}
