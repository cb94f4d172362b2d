import * as z from "zod";
import { CheckpointSchedule, RouteSchedule, toCheckpointSchedule, toRouteSchedule } from "../route/schema.ts";
import { type PublicSchedule, Schedule, toSchedule } from "../schema.ts";

/** A schedule of any type; all types share one table and its ids. */
export const AnySchedule = z.discriminatedUnion("type", [Schedule, RouteSchedule, CheckpointSchedule]);
export type AnySchedule = z.output<typeof AnySchedule>;

export function toAnySchedule(row: PublicSchedule): AnySchedule {
  if (row.type === "route") return toRouteSchedule(row);
  return row.type === "checkpoint" ? toCheckpointSchedule(row) : toSchedule(row);
}
