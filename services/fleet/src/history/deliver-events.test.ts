import { expect, test } from "vitest";
import { DAY_MS } from "#shared/time/duration.ts";
import type { EventRow } from "../table/event.ts";
import { toReport } from "./deliver-events.ts";

const NOW = Date.UTC(2026, 6, 9);
const ROW: EventRow = {
  ...{ id: 1, event_id: "a", account_id: 2, tracker_id: 3, time: NOW - 30 * DAY_MS, event: "inzone" },
  ...{ message: "x".repeat(300), emergency: false, rule_id: null, track_id: 0, location: null },
  ...{ address: "", extra: {}, employee_id: null, vehicle_id: null, private_to: null },
  ...{ is_silent: false, undelivered_since: NOW - DAY_MS + 1 },
};

test("toReport notifies of events that were stored within the last day, whenever they happened, and never of silent ones", () => {
  const { undelivered_since: stored } = ROW;
  expect(toReport(ROW, NOW)).toMatchObject({ event_id: "a", account_id: 2, stored, entry: { id: 1, time: ROW.time } });
  expect(toReport(ROW, NOW).is_notified).toBe(true);
  expect(toReport({ ...ROW, undelivered_since: NOW - DAY_MS }, NOW).is_notified).toBe(false);
  expect(toReport({ ...ROW, is_silent: true }, NOW).is_notified).toBe(false);
});

test("toReport leaves out the full message", () => {
  expect(toReport(ROW, NOW).entry.extra).not.toHaveProperty("full_message");
});
