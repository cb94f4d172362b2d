import { expect, test } from "vitest";
import { estimateSeconds } from "./estimate.ts";

const MINUTE = 60_000;
const location = { lat: 50, lng: 8, address: "Dock 4", radius: 100 };
const now = Date.UTC(2026, 0, 5);
/** A fix that lies `meters` north of the task's position. */
const fixAt = (meters: number, minutesAgo = 1) => ({
  ...{ lat: 50 + meters / 111_195, lng: 8 },
  time: now - minutesAgo * MINUTE,
});
const assigned = { status: "assigned" as const, location };

test("estimateSeconds grows with the distance, and is 0 within the zone", () => {
  expect(estimateSeconds(assigned, fixAt(90), now)).toBe(0);
  expect(estimateSeconds(assigned, fixAt(1100), now)).toBe(130);
  expect(estimateSeconds(assigned, fixAt(10_100), now)).toBe(1300);
  expect(estimateSeconds({ status: "arrived", location }, null, now)).toBe(0);
});

test("estimateSeconds is null when the tracker's position is unknown or the task is over", () => {
  expect(estimateSeconds(assigned, null, now)).toBeNull();
  expect(estimateSeconds(assigned, fixAt(1000, 16), now)).toBeNull();
  expect(estimateSeconds({ status: "delayed", location }, fixAt(1000), now)).toBeNull();
});
