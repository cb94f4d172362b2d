import { expect, test } from "vitest";
import { requireTracker, requireTrackers, type VisibleTracker } from "./visible-tracker.ts";

const van: VisibleTracker = {
  tracker_id: 7,
  label: "Van 7",
  source_id: 70,
  model: "generic_gps",
  creation_date: 0,
  clone: false,
  blocked: false,
  feed: { account_id: 1, tracker_id: 7 },
  features: ["app_tasks"],
  has_reports: true,
  store_period: "1y",
  norm_avg_fuel_consumption: null,
};
const blocked = { ...van, tracker_id: 8, blocked: true };

test("requireTracker answers the codes for a missing tracker, a blocked one and a plan without the feature", () => {
  expect(requireTracker([van], { missing: 201, feature: "app_tasks" })).toBe(van);
  expect(() => requireTracker([], { missing: 204 })).toThrow("204");
  expect(() => requireTracker([blocked], { missing: 201 })).toThrow("208");
  expect(() => requireTracker([van], { missing: 201, feature: "checkin" })).toThrow("236");
});

test("requireTrackers refuses a list with any tracker that cannot be used (217)", () => {
  expect(requireTrackers([van], [7, 7])).toEqual([van]);
  expect(() => requireTrackers([van], [7, 9])).toThrow("217");
  expect(() => requireTrackers([van, blocked], [7, 8])).toThrow("217");
  expect(() => requireTrackers([van], [7], "checkin")).toThrow("217");
});
