import { expect, test } from "vitest";
import { pointAt } from "../../../../test/point/made.ts";
import { observeFacts, observePoint, unknownState } from "./state.ts";

test("late points do not move the state back", () => {
  const state = unknownState();
  observePoint(state, pointAt(60, { lat: 51, inputs: 1 }));
  observePoint(state, pointAt(0, { lat: 50, inputs: 0 }));
  expect(state.last_point?.lat).toBe(51);
  expect(state.ignition).toMatchObject({ on: true, changed: pointAt(60).time });
});

test("inputs and ignition tell when they were reported last and when they changed", () => {
  const state = unknownState();
  for (const [seconds, inputs] of [0b01, 0b01, 0b11, null].entries()) observePoint(state, pointAt(seconds, { inputs }));
  expect(state.inputs).toEqual({ mask: 0b11, updated: pointAt(2).time, changed: pointAt(2).time });
  expect(state.ignition).toEqual({ on: true, updated: pointAt(2).time, changed: pointAt(0).time });
});

test("a cell tower's point is the last point but no fix", () => {
  const state = unknownState();
  observePoint(state, pointAt(0, { speed: 7 }));
  observePoint(state, pointAt(60, { gsm_lbs: true }));
  expect(state.last_point?.time).toBe(pointAt(60).time);
  expect(state.last_fix).toMatchObject({ time: pointAt(0).time, speed: 7 });
});

test("facts keep their newest value, and invented names do not grow the state without end", () => {
  const state = unknownState();
  observeFacts(state, { battery_level: 40, additional: { hardware_key: "A1" } }, 2000);
  observeFacts(state, { battery_level: 90, additional: { hardware_key: "old" } }, 1000);
  expect(state.battery).toEqual({ level: 40, updated: 2000 });
  expect(state.additional).toEqual({ hardware_key: { value: "A1", updated: 2000 } });
  for (let name = 0; name < 500; name++) observeFacts(state, { additional: { [`name${name}`]: "x" } }, 3000);
  expect(Object.keys(state.additional)).toHaveLength(100);
});
