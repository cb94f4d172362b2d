import { z } from "zod";
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

// Not strict: callers send back what `read` gave them, read-only members included.
const Members = z.object({
  label: label(),
  description: description(),
  external_id: externalId(),
  tags: tags(),
});
export type RouteMembers = z.output<typeof Members>;

export const NewRoute = Members.extend({ tracker_id: z.int().nullable().default(null) });
export type NewRoute = z.output<typeof NewRoute>;
/** What update takes: what is left out stays, its tracker always. The ids, where given, say the order. */
export const ChangedRoute = toPartial(Members).extend({
  id: z.int(),
  checkpoint_ids: z.array(z.int()).max(MAX_CHECKPOINTS).nullable().default(null),
});
/** With the id of a task, that becomes the checkpoint. */
export const NewStop = CheckpointMembers.extend({ id: z.int().nullable().default(null) });
export type NewStop = z.output<typeof NewStop>;
/** With the id of a checkpoint, what is left out of it stays; without one, it is made. */
export const ChangedStop = toPartial(CheckpointMembers)
  .extend({ id: z.int().nullable().default(null), location: changedCircle() })
  .superRefine(wholeWithoutId(CheckpointMembers));
export type ChangedStop = z.output<typeof ChangedStop>;

export const Route = Members.extend({
  id: z.int(),
  /** The master. */
  user_id: z.int(),
  tracker_id: z.int().nullable(),
  creation_date: dateTime(),
  /** Its first checkpoint's. */
  from: dateTime(),
  /** Its last checkpoint's. */
  to: dateTime(),
  status: z.enum(STATUSES),
  status_change_date: dateTime(),
  origin: z.enum(ORIGINS),
  /** In the order of execution. */
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

/** The checkpoints as they are to be, given those that are there. */
export function completeStops(stops: ChangedStop[], current: PublicTask[]): NewStop[] {
  const known = new Map(current.map((row) => [row.id, toMembers(row)]));
  return stops.map(({ id, form_template_id, ...given }) => {
    const members = known.get(id ?? 0);
    if (id === null) return { ...CheckpointMembers.parse(given), form_template_id, id };
    if (!members) throw invalid("task.id", "is not a checkpoint of the route");
    return { ...applyChanges(members, given), form_template_id, id };
  });
}

/** What is asked of each of the checkpoints that are given; an end that stays is none of it. */
export function requireStops(stops: NewStop[], now: number, current: PublicTask[] = []) {
  const known = new Map(current.map((row) => [row.id, row]));
  for (const stop of stops) requirePeriod(stop, now, "task", known.get(stop.id ?? 0));
  const ids = stops.flatMap(({ id }) => id ?? []);
  if (new Set(ids).size < ids.length) throw invalid("task.id", "is named twice");
}

/** What is asked of those of a new route together. */
export function requireStopOrder(stops: NewStop[]) {
  let latest = Number.NEGATIVE_INFINITY;
  for (const { from, to } of stops) {
    if (to < latest) throw invalid("task.to", "must not be before the from of an earlier checkpoint");
    latest = Math.max(latest, from);
  }
  if (stops.filter(({ id }) => id !== null).length > 1) throw invalid("task.id", "is the second existing task");
}

/** The checkpoints as the ids say; those that they do not name stay behind the one before them. */
export function orderStops(stops: NewStop[], checkpoint_ids: number[] | null): NewStop[] {
  const places = new Map((checkpoint_ids ?? []).map((id, place) => [id, place]));
  let place = -1;
  const placed = stops.map((stop) => {
    place = places.get(stop.id ?? 0) ?? place;
    return { stop, place };
  });
  return placed.toSorted((one, other) => one.place - other.place).map(({ stop }) => stop);
}

export function templateOf({ form_template_id }: NewStop) {
  return form_template_id;
}
