import { expect, test } from "vitest";
import { assign } from "./assign.ts";

const at = (lng: number) => ({ lat: 50, lng });

test("what is not measured is spread evenly, one after the other", () => {
  const crew = [7, 3, 5].map((tracker_id) => ({ tracker_id, from: null }));
  expect(assign([at(1), at(1), at(1), at(1), at(1)], crew)).toEqual([7, 3, 5, 7, 3]);
});

test("each place goes to the nearest, until that has its share", () => {
  const crew = [
    { tracker_id: 1, from: at(0) },
    { tracker_id: 2, from: at(10) },
  ];
  expect(assign([at(9), at(1), at(8), at(7)], crew)).toEqual([2, 1, 2, 1]);
});

test("of those that are as near, whoever has the least; who stands nowhere takes what the others have no room for", () => {
  const crew = [
    { tracker_id: 1, from: null },
    { tracker_id: 2, from: at(10) },
    { tracker_id: 3, from: at(10) },
  ];
  expect(assign([at(9), at(9), at(9)], crew)).toEqual([2, 3, 1]);
});

test("nobody is given anything where there is nobody", () => {
  expect(assign([at(1)], [])).toEqual([]);
});
