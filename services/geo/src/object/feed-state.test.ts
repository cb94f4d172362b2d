import { expect, test } from "vitest";
import { chanceOf } from "../../../../test/tool/chance.ts";
import { pointAt } from "../../../../test/tool/point/made.ts";
import { observeFacts, observePoints, unknownState } from "./feed-state.ts";

test("late points do not move the state back", () => {
  const state = unknownState();
  observePoints(state, [pointAt(60, { lat: 51, inputs: 1 })]);
  observePoints(state, [pointAt(0, { lat: 50, inputs: 0 })]);
  expect(state.last_point?.lat).toBe(51);
  expect(state.ignition).toMatchObject({ on: true, changed: pointAt(60).time });
});

test("inputs and ignition keep when they were last reported and when they last changed", () => {
  const state = unknownState();
  for (const [seconds, inputs] of [0b01, 0b01, 0b11, null].entries())
    observePoints(state, [pointAt(seconds, { inputs })]);
  expect(state.inputs).toEqual({ mask: 0b11, updated: pointAt(2).time, changed: pointAt(2).time });
  expect(state.ignition).toEqual({ on: true, updated: pointAt(2).time, changed: pointAt(0).time });
});

test("the state after many points at once equals the state after one by one", () => {
  const chance = chanceOf(11);
  const maybe = <Value>(value: Value) => (chance() < 0.6 ? value : null);
  const points = Array.from({ length: 200 }, (_, index) =>
    pointAt(index - (chance() < 0.1 ? 2 : 0), {
      lat: 50 + chance() / 100,
      speed: maybe(chance() * 400),
      inputs: maybe(Math.floor(chance() * 4)),
      gsm_lbs: chance() < 0.3,
      attributes: maybe({ [`name${Math.floor(chance() * 5)}`]: index }),
    }),
  );
  const [single, whole] = [unknownState(), unknownState()];
  for (const point of points) observePoints(single, [point]);
  for (let start = 0; start < points.length; start += 37) observePoints(whole, points.slice(start, start + 37));
  expect(whole).toEqual(single);
  expect(whole.last_point?.time).toBe(pointAt(199).time);
});

test("a cell tower's point is the last point but no fix", () => {
  const state = unknownState();
  observePoints(state, [pointAt(0, { speed: 7 })]);
  observePoints(state, [pointAt(60, { gsm_lbs: true })]);
  expect(state.last_point?.time).toBe(pointAt(60).time);
  expect(state.last_fix).toMatchObject({ time: pointAt(0).time, speed: 7 });
});

test("facts keep their newest value, and the state bounds the number of invented names", () => {
  const state = unknownState();
  observeFacts(state, { time: 2000, battery_level: 40, additional: { hardware_key: "A1" } });
  observeFacts(state, { time: 1000, battery_level: 90, additional: { hardware_key: "old" } });
  expect(state.battery).toEqual({ level: 40, updated: 2000 });
  expect(state.additional).toEqual({ hardware_key: { value: "A1", updated: 2000 } });
  for (let name = 0; name < 500; name++) observeFacts(state, { time: 3000, additional: { [`name${name}`]: "x" } });
  expect(Object.keys(state.additional)).toHaveLength(100);
});
