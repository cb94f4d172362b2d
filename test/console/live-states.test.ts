import { expect, test } from "vitest";
import { LiveStates } from "../../console/src/live/live-states.ts";
import { searchObjects, toObjects, toRows } from "../../console/src/live/objects.ts";
import { statusOf } from "../../console/src/live/status.ts";
import { stateOf, trackerOf } from "../tool/console/live-fleet.ts";

test("LiveStates tells once per frame which states have changed, however many messages came", () => {
  const frames: (() => void)[] = [];
  const states = new LiveStates((run) => void frames.push(run));
  const heard: number[][] = [];
  const stop = states.onChange((changed) => void heard.push([...changed].sort()));
  states.apply([stateOf(1), stateOf(2)]);
  states.apply([stateOf(2, { movement_status: "parked" })]);
  expect([frames.length, heard.length, states.version]).toEqual([1, 0, 0]);
  frames.pop()?.();
  expect([heard, states.version]).toEqual([[[1, 2]], 1]);
  expect(states.get(2)?.movement_status).toBe("parked");
  states.remove([1, 7]);
  frames.pop()?.();
  stop();
  states.apply([stateOf(3)]);
  frames.pop()?.();
  expect([heard, states.get(1), states.version]).toEqual([[[1, 2], [1]], undefined, 3]);
});

test.each([
  ["blocked", true, stateOf(1)],
  ["waiting", false, undefined],
  ["waiting", false, stateOf(1, { gps: { ...stateOf(1).gps, updated: null } })],
  ["offline", false, stateOf(1, { connection_status: "offline" })],
  ["noSatellites", false, stateOf(1, { connection_status: "signal_lost" })],
  ["parked", false, stateOf(1, { connection_status: "idle", movement_status: "parked" })],
] as const)("statusOf answers %s", (status, isBlocked, state) => {
  expect(statusOf(isBlocked, state)).toBe(status);
});

test("the tree has a branch for each group and tag, sorts as people count, and leaves out what is closed", () => {
  const names = { groups: new Map([[5, "North"]]), tags: new Map([[8, "Cold"]]) };
  const tag_bindings = [{ tag_id: 8, ordinal: 1 }];
  const trackers = [trackerOf(1, "Van 10"), trackerOf(2, "Van 2", { group_id: 5, tag_bindings })];
  const objects = toObjects(trackers, names, "en");
  expect(objects.map(({ label }) => label)).toEqual(["Van 2", "Van 10"]);
  for (const text of ["north van", "COLD", "860002", "parked 2"])
    expect(searchObjects(objects, text, () => "Parked").map(({ id }) => id)).toEqual([2]);
  const byGroup = ({ groupId }: { groupId: number }) => [
    { key: `${groupId}`, label: names.groups.get(groupId) ?? "No group" },
  ];
  const keys = (closed: string[]) => toRows(objects, byGroup, new Set(closed), "en").map(({ key }) => key);
  expect(keys([])).toEqual(["0", "0 1", "5", "5 2"]);
  expect(keys(["5"])).toEqual(["0", "0 1", "5"]);
  expect(toRows(objects, undefined, new Set(), "en").map(({ key }) => key)).toEqual(["2", "1"]);
});
