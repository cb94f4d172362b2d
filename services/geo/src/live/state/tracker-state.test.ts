import { describe, expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "#shared/time/duration.ts";
import { pointAt } from "../../../../../test/tool/point/made.ts";
import type { TrackerCondition } from "../../object/feed.ts";
import { unknownState } from "../../object/feed-state.ts";
import { TrackerState } from "./schema.ts";
import { toLastGpsPoint, toTrackerState } from "./tracker-state.ts";

const NOW = pointAt(0).time;
const device = { source_id: 7, model: "generic_gps", creation_date: NOW - 48 * HOUR_MS };
const fix = { ...pointAt(-60, { satellites: 9, heading: 90, alt: 120, precision: 5 }), speed: 43.4 };

function conditionOf(given: Partial<TrackerCondition> = {}): TrackerCondition {
  const heard = { last_message: NOW - 1000, last_point: fix, last_fix: fix };
  return { ...unknownState(), movement: null, last_moved: null, ...heard, ...given };
}

describe("toTrackerState with connections", () => {
  const silent = { last_message: null, last_point: null, last_fix: null };

  test.each([
    ["active while fixes are at most five minutes old", fixedBefore(5 * MINUTE_MS), "active"],
    ["idle when the last fix is older", fixedBefore(5 * MINUTE_MS + 1), "idle"],
    ["idle when cell towers alone are heard of", conditionOf({ last_fix: null }), "idle"],
    ["not offline after ten minutes", heardBefore(10 * MINUTE_MS), "active"],
    ["offline after more", heardBefore(10 * MINUTE_MS + 1), "offline"],
    ["lost when nothing came for long after the registration", conditionOf(silent), "signal_lost"],
  ])("the connection is %s", (_, state, status) => {
    expect(toTrackerState(device, state, NOW).connection_status).toBe(status);
  });

  test("the connection is just registered until a day has passed in silence", () => {
    const atAge = (ms: number) =>
      toTrackerState({ ...device, creation_date: NOW - ms }, conditionOf(silent), NOW).connection_status;
    expect(atAge(24 * HOUR_MS - 1)).toBe("just_registered");
    expect(atAge(24 * HOUR_MS)).toBe("signal_lost");
  });
});

test("toTrackerState gives a whole state before the first point", () => {
  const state = toTrackerState(device, { ...unknownState(), movement: null, last_moved: null }, NOW);
  expect(TrackerState.parse(state)).toEqual(state);
  expect(state).toMatchObject({
    source_id: 7,
    gps: { updated: null, signal_level: null, location: { lat: 0, lng: 0 } },
    movement_status: "parked",
    movement_status_update: null,
    ignition: false,
    ignition_update: null,
    gsm: null,
    last_update: null,
    battery_level: null,
    actual_track_update: null,
  });
});

test("toTrackerState gives the last point, and when each value was learned", () => {
  const state = toTrackerState(
    device,
    conditionOf({
      movement: { status: "moving", since: NOW - HOUR_MS },
      last_moved: NOW - 2000,
      inputs: { mask: 0b101, updated: NOW - 3000, changed: NOW - 9000 },
      ignition: { on: true, updated: NOW - 3000, changed: NOW - 8000 },
      battery: { level: 97, updated: NOW - 4000 },
      additional: { hardware_key: { value: "00A1B2", updated: NOW - 5000 } },
    }),
    NOW,
  );
  expect(TrackerState.parse(state)).toEqual(state);
  const location = { lat: 50, lng: 8 };
  const gps = { updated: fix.time, signal_level: 90, location, heading: 90, speed: 43, alt: 120, precision: 5 };
  expect(state).toMatchObject({
    gps: { ...gps, gsm_lbs: false },
    movement_status: "moving",
    movement_status_update: NOW - HOUR_MS,
    ignition: true,
    ignition_update: NOW - 8000,
    battery_level: 97,
    battery_update: NOW - 4000,
    inputs: [true, false, true, false, false, false, false, false],
    inputs_update: NOW - 3000,
    additional: { hardware_key: { value: "00A1B2", updated: NOW - 5000 } },
    last_update: NOW - 1000,
    actual_track_update: NOW - 2000,
  });
});

test("toTrackerState gives a phone's app no inputs and no ignition", () => {
  const inputs = { mask: 1, updated: NOW, changed: NOW };
  const state = toTrackerState({ ...device, model: "mobile_app" }, conditionOf({ inputs }), NOW);
  expect(state).toMatchObject({ inputs: [], inputs_update: null });
  expect(state).not.toHaveProperty("ignition");
  expect(state).not.toHaveProperty("ignition_update");
});

test("toTrackerState gives full reception for more satellites than needed", () => {
  const last_point = { ...fix, satellites: 30 };
  expect(toTrackerState(device, conditionOf({ last_point }), NOW).gps.signal_level).toBe(100);
});

test("toLastGpsPoint leaves out an unknown precision", () => {
  expect(toLastGpsPoint(null)).toBeNull();
  expect(toLastGpsPoint({ ...fix, precision: 0 })).toEqual({
    get_time: fix.time,
    lat: 50,
    lng: 8,
    heading: 90,
    satellites: 9,
    speed: 43,
    precision: undefined,
  });
});

function fixedBefore(ms: number) {
  return conditionOf({ last_fix: { ...fix, time: NOW - ms } });
}

function heardBefore(ms: number) {
  return conditionOf({ last_message: NOW - ms });
}
