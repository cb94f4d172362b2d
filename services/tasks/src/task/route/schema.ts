import * as z from "zod";
import { invalid } from "#shared/error/api-error.ts";
import { dateTime } from "#shared/operation/fields.ts";
import { toPartial, wholeWithoutId } from "#shared/operation/partial.ts";
import { ORIGINS, STATUSES } from "../../table/task/task.ts";
import { CheckpointMembers, MAX_CHECKPOINTS } from "../checkpoint/schema.ts";
import {
  applyChanges,
  changedCircle,
  description,
  externalId,
  label,
  type PublicTask,
  requirePeriod,
  tags,
  toMembers,
} from "../schema.ts";

// Not strict: callers send back what `read` answered, read-only members included.
const Members = z.object({
  label: label(),
  description: description(),
  external_id: externalId(),
  tags: tags(),
});
export type RouteMembers = z.output<typeof Members>;

export const NewRoute = Members.extend({ tracker_id: z.int().nullable().default(null) });
export type NewRoute = z.output<typeof NewRoute>;
/** Members that are left out stay; the tracker cannot be changed here. `checkpoint_ids` gives a new order. */
export const ChangedRoute = toPartial(Members).extend({
  id: z.int(),
  checkpoint_ids: z.array(z.int()).max(MAX_CHECKPOINTS).nullable().default(null),
});
/** The id names an existing task that becomes the checkpoint. */
export const NewStop = CheckpointMembers.extend({ id: z.int().nullable().default(null) });
export type NewStop = z.output<typeof NewStop>;
/** With an id, members that are left out stay; without one, the checkpoint is added. */
export const ChangedStop = toPartial(CheckpointMembers)
  .extend({ id: z.int().nullable().default(null), location: changedCircle() })
  .superRefine(wholeWithoutId(CheckpointMembers));
export type ChangedStop = z.output<typeof ChangedStop>;

export const Route = Members.extend({
  id: z.int(),
  /** The id of the account's master. */
  user_id: z.int(),
  tracker_id: z.int().nullable(),
  creation_date: dateTime(),
  /** The beginning of its first checkpoint. */
  from: dateTime(),
  /** The end of its last checkpoint. */
  to: dateTime(),
  status: z.enum(STATUSES),
  status_change_date: dateTime(),
  origin: z.enum(ORIGINS),
  /** In their order. */
  checkpoint_ids: z.array(z.int()),
  type: z.literal("route"),
});
export type Route = z.output<typeof Route>;

export type ShownRoute = PublicTask & { checkpoint_ids: number[] };

export function toRoute(row: ShownRoute): Route {
  return {
    id: row.id,
    user_id: row.account_id,
    tracker_id: row.tracker_id,
    label: row.label,
    description: row.description,
    creation_date: row.creation_date,
    from: row.from,
    to: row.to,
    external_id: row.external_id,
    status: row.status,
    status_change_date: row.status_change_date,
    origin: row.origin,
    tags: row.tags,
    checkpoint_ids: row.checkpoint_ids,
    type: "route",
  };
}

/** The checkpoints after the change: members that a request leaves out are taken from the stored ones. */
export function completeStops(stops: ChangedStop[], current: PublicTask[]): NewStop[] {
  const known = new Map(current.map((row) => [row.id, toMembers(row)]));
  return stops.map(({ id, form_template_id, ...changes }) => {
    const members = known.get(id ?? 0);
    if (id === null) return { ...CheckpointMembers.parse(changes), form_template_id, id };
    if (!members) throw invalid("task.id", "is not a checkpoint of the route");
    return { ...applyChanges(members, changes), form_template_id, id };
  });
}

/** Checks each checkpoint of a request; an end that stays may be in the past. */
export function requireStops(stops: NewStop[], now: number, current: PublicTask[] = []) {
  const known = new Map(current.map((row) => [row.id, row]));
  for (const stop of stops) requirePeriod(stop, now, "task", known.get(stop.id ?? 0));
  const ids = stops.flatMap(({ id }) => id ?? []);
  if (new Set(ids).size < ids.length) throw invalid("task.id", "is named twice");
}

/**
 * Checks that the checkpoints of a new route can be visited in their order, and that at most one is an existing task.
 */
export function requireStopOrder(stops: NewStop[]) {
  let latest = Number.NEGATIVE_INFINITY;
  for (const { from, to } of stops) {
    if (to < latest) throw invalid("task.to", "must not be before the from of an earlier checkpoint");
    latest = Math.max(latest, from);
  }
  if (stops.filter(({ id }) => id !== null).length > 1) throw invalid("task.id", "is the second existing task");
}

/** Sorts the checkpoints by the ids; one that the ids do not contain stays after the one before it. */
export function orderStops(stops: NewStop[], checkpoint_ids: number[] | null): NewStop[] {
  const indexes = new Map((checkpoint_ids ?? []).map((id, index) => [id, index]));
  let index = -1;
  const indexed = stops.map((stop) => {
    index = indexes.get(stop.id ?? 0) ?? index;
    return { stop, index };
  });
  return indexed.toSorted((one, other) => one.index - other.index).map(({ stop }) => stop);
}

export function templateOf({ form_template_id }: NewStop) {
  return form_template_id;
}
