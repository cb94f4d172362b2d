import { expect, test } from "vitest";
import type { PlannedSchedule } from "../queries.ts";
import { createProposals } from "./propose.ts";

const NOW = Date.parse("2026-03-20T12:00:00Z");
const DAILY = { type: "weekdays" as const, weekdays: [1, 2, 3, 4, 5, 6, 7] };
const SCHEDULE: PlannedSchedule = {
  ...{ id: 7, account_id: 1, tracker_id: 5, label: "Round", description: "", tags: [2] },
  location: { lat: 52.5, lng: 13.4, address: "", radius: 100 },
  ...{ from_time: "02:30:00", duration: 60, max_delay: 5, min_stay_duration: 0, min_arrival_duration: 0 },
  ...{ parameters: DAILY, form_template_id: null, paused: false, time_zone: "Europe/Berlin" },
  next_run: Date.parse("2026-03-20T23:00:00Z"),
  ...{ type: "task", parent_id: null, order: null, stops: [] },
};
const rangeOf = (from: string, to: string) => ({ from: Date.parse(from), to: Date.parse(to) });
const beginningsOf = (schedule: PlannedSchedule, range: { from: number; to: number }) =>
  createProposals(schedule, range, NOW).map(({ from }) => new Date(from).toISOString());

test("createProposals gives a task for each day of the range, with the schedule's id and members", () => {
  const proposals = createProposals(SCHEDULE, rangeOf("2026-03-21T00:00:00Z", "2026-03-23T00:00:00Z"), NOW);
  expect(proposals).toMatchObject([
    { id: 7, tracker_id: 5, tags: [2], status: "assigned", origin: "scheduled", max_delay: 5 },
    { from: Date.parse("2026-03-22T01:30:00Z"), to: Date.parse("2026-03-22T02:30:00Z") },
  ]);
});

test("createProposals gives days of 23 and 25 hours one task each, at the zone's hour", () => {
  const spring = rangeOf("2026-03-28T12:00:00Z", "2026-03-30T12:00:00Z");
  // The zone has no time between 02:00 and 03:00 on this day.
  expect(beginningsOf(SCHEDULE, spring)).toEqual(["2026-03-29T01:30:00.000Z", "2026-03-30T00:30:00.000Z"]);
  const autumn = rangeOf("2026-10-24T12:00:00Z", "2026-10-26T12:00:00Z");
  expect(beginningsOf(SCHEDULE, autumn)).toEqual(["2026-10-25T00:30:00.000Z", "2026-10-26T01:30:00.000Z"]);
});

test("createProposals leaves out tasks that were made already, and those of a paused schedule", () => {
  const range = rangeOf("2026-03-20T12:00:00Z", "2026-03-22T12:00:00Z");
  expect(beginningsOf(SCHEDULE, range)).toEqual(["2026-03-21T01:30:00.000Z", "2026-03-22T01:30:00.000Z"]);
  expect(beginningsOf({ ...SCHEDULE, next_run: Date.parse("2026-03-21T23:00:00Z") }, range)).toHaveLength(1);
  expect(createProposals({ ...SCHEDULE, paused: true }, range, NOW)).toEqual([]);
});

test("createProposals skips a day that a month lacks, and answers for a range of centuries to come", () => {
  const last: PlannedSchedule = { ...SCHEDULE, parameters: { type: "month_days", month_days: [31] } };
  expect(beginningsOf(last, rangeOf("2826-03-30T00:00:00Z", "2826-05-01T00:00:00Z"))).toEqual([
    "2826-03-31T00:30:00.000Z",
  ]);
});

test("createProposals makes a route last from its first checkpoint's beginning to its last one's end, with their ids in order", () => {
  const early = { id: 8, from_time: "08:00:00", duration: 30, max_delay: 0 };
  const late = { id: 9, from_time: "10:00:00", duration: 60, max_delay: 5 };
  const route: PlannedSchedule = { ...SCHEDULE, type: "route", stops: [early, late] };
  const [proposal, ...others] = createProposals(route, rangeOf("2026-03-21T00:00:00Z", "2026-03-22T00:00:00Z"), NOW);
  expect(others).toEqual([]);
  expect(proposal).toMatchObject({ id: 7, type: "route", checkpoint_ids: [8, 9], tags: [2], origin: "scheduled" });
  expect(proposal).toMatchObject({ from: Date.parse("2026-03-21T07:00:00Z"), to: Date.parse("2026-03-21T10:00:00Z") });
  expect(proposal).not.toHaveProperty("location");
});
