import { expect, test } from "vitest";
import { DAY_MS } from "#shared/time/duration.ts";
import type { ServiceTaskRow } from "../../table/vehicle/service-task.ts";
import {
  addDays,
  followingConditions,
  nextDueAt,
  notifyAt,
  predict,
  stageByCounters,
  stageByDate,
  sweepColumns,
  type TaskProgress,
} from "./stage.ts";

const bare: TaskProgress = {
  mileage_limit: null,
  mileage_notification: null,
  hours_limit: null,
  hours_notification: null,
  date_end: null,
  notify_at: null,
  start_mileage: null,
  start_hours: null,
  start_date: 0,
};
const byWay: TaskProgress = { ...bare, start_mileage: 1230, mileage_limit: 10_000, mileage_notification: 500 };
const byBoth: TaskProgress = { ...byWay, start_hours: 50, hours_limit: 100, hours_notification: 0 };

test.each([
  [0, "created"],
  [10_729.9, "created"],
  [10_730, "notified"],
  [11_230, "notified"],
  [11_230.1, "expired"],
  [null, "created"],
] as const)("stageByCounters with a mileage of %j makes the task %s", (mileage, stage) => {
  expect(stageByCounters(byWay, { mileage, engine_hours: null })).toBe(stage);
});

test("stageByCounters takes the furthest stage of the counters, and sums of fractions exceed no limit", () => {
  expect(stageByCounters(byBoth, { mileage: 10_800, engine_hours: 60 })).toBe("notified");
  expect(stageByCounters(byBoth, { mileage: 10_800, engine_hours: 151 })).toBe("expired");
  expect(stageByCounters(byBoth, { mileage: 0, engine_hours: 150 })).toBe("notified");
  const fractions = { ...bare, start_mileage: 0.1, mileage_limit: 0.2 };
  expect(stageByCounters(fractions, { mileage: 0.3, engine_hours: null })).toBe("notified");
});

test("stageByDate and nextDueAt change a task when its end comes near and when it is past, and then never again", () => {
  const dated = { date_end: 1000, notify_at: 400 };
  const at = (now: number) => [stageByDate(dated, now), nextDueAt(dated, now)];
  expect(at(399)).toEqual(["created", 400]);
  expect(at(400)).toEqual(["notified", 1001]);
  expect(at(1000)).toEqual(["notified", 1001]);
  expect(at(1001)).toEqual(["expired", null]);
  expect([stageByDate(bare, 5), nextDueAt(bare, 5)]).toEqual(["created", null]);
  expect(notifyAt(null, 14, "UTC")).toBeNull();
});

test("addDays and notifyAt count calendar days: the hour stays when clocks change", () => {
  const noon = Date.parse("2026-03-28T11:00:00Z");
  expect(addDays(noon, 1, "Europe/Berlin")).toBe(Date.parse("2026-03-29T10:00:00Z"));
  expect(notifyAt(Date.parse("2026-03-29T10:00:00Z"), 1, "Europe/Berlin")).toBe(noon);
});

test("predict extends the past use, and gives the first end and the highest wear", () => {
  const halfWay = { mileage: 6230, engine_hours: 60 };
  expect(predict(byWay, halfWay, 10 * DAY_MS)).toEqual({ end_date: 20 * DAY_MS, wear_percentage: 50 });
  const dated = { ...byWay, date_end: 12 * DAY_MS };
  expect(predict(dated, halfWay, 9 * DAY_MS)).toEqual({ end_date: 12 * DAY_MS, wear_percentage: 75 });
  expect(predict(byWay, { mileage: 1230, engine_hours: null }, DAY_MS)).toEqual({
    end_date: null,
    wear_percentage: 0,
  });
  expect(predict(byWay, { mileage: 100, engine_hours: null }, DAY_MS).wear_percentage).toBe(0);
  expect(predict(byWay, { mileage: 1230.001, engine_hours: null }, 10_000 * DAY_MS).end_date).toBeNull();
  expect(predict(byWay, { mileage: null, engine_hours: null }, DAY_MS).end_date).toBeNull();
  expect(sweepColumns(byWay, halfWay, 5)).toMatchObject({ due_at: null, checked_at: 5 });
});

test("followingConditions take the repeat intervals, or else the former limits, with dates from the completion on", () => {
  const row = {
    ...bare,
    mileage_limit: 10,
    mileage_repeat: 8,
    hours_limit: 5,
    hours_repeat: null,
    date_repeat: null,
  } as ServiceTaskRow;
  const now = 100 * DAY_MS;
  expect(followingConditions(row, now, "UTC")).toEqual({ mileage_limit: 8, hours_limit: 5, date_end: null });
  const dated = { ...row, mileage_limit: null, date_end: 30 * DAY_MS, date_repeat: null };
  expect(followingConditions(dated, now, "UTC")).toMatchObject({ mileage_limit: null, date_end: 130 * DAY_MS });
  expect(followingConditions({ ...dated, date_repeat: 7 }, now, "UTC").date_end).toBe(107 * DAY_MS);
});
