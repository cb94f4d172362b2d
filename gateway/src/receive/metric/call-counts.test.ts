import { expect, test } from "vitest";
import { CallCounts } from "./call-counts.ts";

test("CallCounts counts paths beyond the limit together, and goes on counting the known ones", () => {
  const counts = new CallCounts();
  for (let index = 0; index < 2010; index++) counts.add(`/vehicle/${index}`, 112, 1, 0);
  counts.add("/vehicle/0", 0, 1, 0);
  const calls = counts.listCalls();
  expect(calls).toContainEqual({ operation: "unknown", code: 112, count: 10 });
  expect(calls).toContainEqual({ operation: "/vehicle/0", code: 0, count: 1 });
  expect(counts.listTimes()).toHaveLength(2001);
});
