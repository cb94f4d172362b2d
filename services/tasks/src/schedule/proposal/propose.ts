import * as z from "zod";
import { DAY_MS } from "#shared/time/duration.ts";
import { toDay } from "#shared/time/schedule-days.ts";
import { Route } from "../../task/route/schema.ts";
import { Task } from "../../task/schema.ts";
import { findNextRun } from "../days.ts";
import { toPeriod, toRoutePeriod } from "../period.ts";
import type { PlannedSchedule } from "../queries.ts";

/** A task or route that a schedule will make. Its ids are those of the schedule. */
export const Proposal = z.discriminatedUnion("type", [Task, Route]);
export type Proposal = z.output<typeof Proposal>;

/** The tasks or routes that the schedule will make and that begin within the range. */
export function createProposals(
  schedule: PlannedSchedule,
  range: { from: number; to: number },
  now: number,
): Proposal[] {
  const { parameters, time_zone, next_run, paused } = schedule;
  if (paused) return [];
  const proposals: Proposal[] = [];
  // Skips days long before the range instead of counting them one by one.
  const first = Math.max(next_run, findNextRun(parameters, range.from - 2 * DAY_MS, time_zone));
  for (let run = first; run <= range.to; run = findNextRun(parameters, run, time_zone)) {
    const proposal = createProposal(schedule, run, now);
    if (proposal.from >= range.from && proposal.from <= range.to) proposals.push(proposal);
  }
  return proposals;
}

function createProposal(schedule: PlannedSchedule, run: number, now: number): Proposal {
  const { id, account_id, tracker_id, label, description, location, tags, type, time_zone, stops } = schedule;
  const { max_delay, min_stay_duration, min_arrival_duration } = schedule;
  const stopSchedules = type === "route" ? stops : [schedule];
  const day = toDay(run, time_zone);
  const common = {
    ...{ id, user_id: account_id, tracker_id, label, description, tags, external_id: null },
    ...toRoutePeriod(stopSchedules.map((part) => toPeriod(day, part, time_zone))),
    ...{ creation_date: now, status_change_date: now, origin: "scheduled" as const },
    status: tracker_id === null ? ("unassigned" as const) : ("assigned" as const),
  };
  if (type === "route") return { ...common, checkpoint_ids: stops.map((stop) => stop.id), type };
  const limits = { max_delay, min_stay_duration, min_arrival_duration };
  return { ...common, ...limits, location, arrival_date: null, stay_duration: 0, files: [], type: "task" };
}
