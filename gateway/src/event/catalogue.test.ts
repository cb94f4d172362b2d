import { expect, test } from "vitest";
import { EVENT_NAMES } from "#shared/contract/event/event.ts";
import { EVENT_TYPES } from "./catalogue.ts";
import { CHANGE_KINDS, typeOfChange, typeOfEntry } from "./change-types.ts";
import { typeOfHistory } from "./history-catalogue.ts";
import { matchesType, typesOf } from "./type-pattern.ts";

test("the catalogue has a type of its own for every kind of change and every event of the history", () => {
  const types = [...CHANGE_KINDS.map(typeOfChange), ...EVENT_NAMES.map(typeOfHistory)];
  expect(new Set(types).size).toBe(types.length);
  expect(types.toSorted()).toEqual(EVENT_TYPES);
  for (const type of types) expect(type).toMatch(/^[a-z_]+\.[a-z_]+$/);
});

test("typeOfEntry knows no entry whose names are not declared", () => {
  expect(typeOfEntry("vehicle", "create")).toBe("vehicle.created");
  expect(typeOfEntry("vehicle", "fly")).toBeNull();
  expect(typeOfEntry("toString", "create")).toBeNull();
});

test.each([
  ["*", "vehicle.created", true],
  ["vehicle.*", "vehicle.created", true],
  ["vehicle.created", "vehicle.created", true],
  ["vehicle.*", "vehicle_import.started", false],
  ["vehicle", "vehicle.created", false],
  ["vehicle.c*", "vehicle.created", false],
  ["", "vehicle.created", false],
])("matchesType answers of the pattern %j and the type %j: %j", (pattern, type, isMatch) => {
  expect(matchesType(pattern, type)).toBe(isMatch);
});

test("typesOf answers each type once, whatever number of patterns match it", () => {
  const types = ["vehicle.created", "vehicle.deleted", "vehicle.updated"];
  expect(typesOf(["vehicle.*", "vehicle.created"])).toEqual(types);
});
