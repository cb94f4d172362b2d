import { expect, test } from "vitest";
import { assignTrackers } from "./assign.ts";

const at = (lng: number) => ({ lat: 50, lng });

test("assignTrackers spreads unmeasured places evenly, one after the other", () => {
  const crew = [7, 3, 5].map((tracker_id) => ({ tracker_id, from: null }));
  expect(assignTrackers([at(1), at(1), at(1), at(1), at(1)], crew)).toEqual([7, 3, 5, 7, 3]);
});

test("assignTrackers gives each place to the nearest tracker, until that has its share", () => {
  const crew = [
    { tracker_id: 1, from: at(0) },
    { tracker_id: 2, from: at(10) },
  ];
  expect(assignTrackers([at(9), at(1), at(8), at(7)], crew)).toEqual([2, 1, 2, 1]);
});

test("assignTrackers prefers the tracker with the least among equally near ones, and gives one without a position the rest", () => {
  const crew = [
    { tracker_id: 1, from: null },
    { tracker_id: 2, from: at(10) },
    { tracker_id: 3, from: at(10) },
  ];
  expect(assignTrackers([at(9), at(9), at(9)], crew)).toEqual([2, 3, 1]);
});

test("assignTrackers gives nothing without trackers", () => {
  expect(assignTrackers([at(1)], [])).toEqual([]);
});
