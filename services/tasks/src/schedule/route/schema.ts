import * as z from "zod";
import type { Principal } from "#shared/caller/principal.ts";
import { invalid } from "#shared/error/api-error.ts";
import { completeFrom, toPartial, wholeWithoutId } from "#shared/operation/partial.ts";
import { MAX_CHECKPOINTS } from "../../task/checkpoint/schema.ts";
import { changedCircle } from "../../task/schema.ts";
import { type PublicSchedule, Schedule, Members as TaskMembers, toColumns, toMembers } from "../schema.ts";

// Not strict: callers send back what `read` answered, read-only members included.
const Members = TaskMembers.pick({ tracker_id: true, label: true, description: true, parameters: true, tags: true });

export const NewRouteSchedule = Members;
export type NewRouteSchedule = z.output<typeof NewRouteSchedule>;
/** Members that are left out stay. */
export const ChangedRouteSchedule = toPartial(Members).extend({
  id: z.int(),
  /** False ends a pause; a new tracker ends it as well. */
  paused: z.boolean().optional(),
});

/** A checkpoint has the tracker and the days of its route. */
export const NewStopSchedule = TaskMembers.omit({ tracker_id: true, parameters: true });
type NewStopSchedule = z.output<typeof NewStopSchedule>;
/** With an id, members that are left out stay; without one, the checkpoint is added. */
export const ChangedStopSchedule = toPartial(NewStopSchedule)
  .extend({ id: z.int().nullable().default(null), location: changedCircle() })
  .superRefine(wholeWithoutId(NewStopSchedule));
type ChangedStopSchedule = z.output<typeof ChangedStopSchedule>;

export const RouteSchedule = Members.extend({
  id: z.int(),
  /** The id of the account's master. */
  user_id: z.int(),
  type: z.literal("route"),
  /** True after its tracker was removed: the schedule makes no routes. */
  paused: z.boolean(),
});

export const CheckpointSchedule = Schedule.omit({ parameters: true, paused: true }).extend({
  /** The id of its route's schedule. */
  parent_id: z.int(),
  order: z.int(),
  type: z.literal("checkpoint"),
});

export function toRouteSchedule(row: PublicSchedule): z.output<typeof RouteSchedule> {
  return { ...toRouteMembers(row), id: row.id, user_id: row.account_id, type: "route", paused: row.paused };
}

export function toCheckpointSchedule(row: PublicSchedule): z.output<typeof CheckpointSchedule> {
  const { id, account_id, tracker_id, parent_id, order } = row;
  if (parent_id === null || order === null) throw new Error("a checkpoint was expected");
  const own = { id, user_id: account_id, tracker_id, parent_id, order };
  return { ...toStopMembers(row), ...own, files: [], type: "checkpoint" };
}

/** The members of a route's schedule that callers may set, with their stored values. */
export function toRouteMembers({ tracker_id, label, description, parameters, tags }: PublicSchedule): NewRouteSchedule {
  return { tracker_id, label, description, parameters, tags };
}

function toStopMembers(row: PublicSchedule): NewStopSchedule {
  const { tracker_id, parameters, ...members } = toMembers(row);
  return members;
}

/** A checkpoint after the change; its id is null when it is added. */
export type PlannedStop = NewStopSchedule & { id: number | null };

/** The checkpoints after the change: members that a request leaves out are taken from the stored ones. */
export function completeStops(stops: ChangedStopSchedule[], current: PlannedStop[]): PlannedStop[] {
  const known = new Map(current.map((stop) => [stop.id, stop]));
  const usedIds = new Set<number>();
  return stops.map(({ id, location, ...given }, index) => {
    if (id === null) return { ...NewStopSchedule.parse({ ...given, location }), id };
    const stop = known.get(id);
    if (!stop) throw invalid(`checkpoints.${index}.id`, "is not a checkpoint of the route");
    if (usedIds.has(id)) throw invalid(`checkpoints.${index}.id`, "is named twice");
    usedIds.add(id);
    return { ...completeFrom(stop, given), location: completeFrom(stop.location, location), id };
  });
}

export function toPlannedStops(rows: PublicSchedule[]): PlannedStop[] {
  return rows.map((row) => ({ ...toStopMembers(row), id: row.id }));
}

/** No checkpoint may end before an earlier one begins, as in a route. */
export function requireStopOrder(stops: Pick<NewStopSchedule, "from_time" | "duration">[]) {
  let latest = 0;
  for (const [index, { from_time, duration }] of stops.entries()) {
    const from = toSeconds(from_time);
    if (from + duration * 60 < latest) {
      throw invalid(`checkpoints.${index}.duration`, "must not end before an earlier checkpoint begins");
    }
    latest = Math.max(latest, from);
  }
}

function toSeconds(time: string) {
  return time.split(":").reduce((seconds, part) => seconds * 60 + Number(part), 0);
}

/** The columns of the route's row, and of its checkpoints' rows in order. */
export function toRows(route: NewRouteSchedule, stops: PlannedStop[], principal: Principal, now: number) {
  const { tracker_id, parameters } = route;
  const [first] = stops;
  if (!first) throw new Error("a route has checkpoints");
  const rows = stops.map(({ id, ...stop }, order) => {
    const columns = toColumns({ ...stop, tracker_id, parameters }, principal, now);
    return { id, columns: { ...columns, type: "checkpoint" as const, order } };
  });
  const limits = { max_delay: 0, min_stay_duration: 0, min_arrival_duration: 0, form_template_id: null };
  const { location, from_time, duration } = first;
  const columns = toColumns({ location, from_time, duration, ...limits, ...route }, principal, now);
  return { route: { ...columns, type: "route" as const }, stops: rows };
}
export type StopRow = ReturnType<typeof toRows>["stops"][number];

/** A list with as many checkpoints as a route may have. */
export const stopList = <Stop extends z.ZodType>(stop: Stop) => z.array(stop).min(2).max(MAX_CHECKPOINTS);

/** The tags of the route and of its checkpoints, each once. */
export function collectTags(route: { tags?: number[] }, stops: { tags?: number[] }[]) {
  return [...new Set([route, ...stops].flatMap(({ tags: own }) => own ?? []))];
}
