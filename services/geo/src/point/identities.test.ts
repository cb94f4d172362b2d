import { expect, test } from "vitest";
import { pointAt } from "../../../../test/tool/point/made.ts";
import { decodeIdentities, encodePoints } from "./codec.ts";
import { holdsPoint } from "./identities.ts";
import { comparePoints } from "./point.ts";

test("decodeIdentities reads identities alone, and holdsPoint tells which points are stored", () => {
  const points = [pointAt(0, { lat: 1 }), pointAt(0, { lat: 2 }), pointAt(0, { lat: 2, lng: -9 }), pointAt(5)].sort(
    comparePoints,
  );
  const identities = decodeIdentities(encodePoints(points, "deflated"));
  for (const point of points) expect(holdsPoint(identities, point)).toBe(true);
  expect(holdsPoint(identities, pointAt(0, { lat: 3 }))).toBe(false);
  expect(holdsPoint(identities, pointAt(0, { lat: 1, lng: -9 }))).toBe(false);
  expect(holdsPoint(identities, pointAt(4))).toBe(false);
  expect(holdsPoint(identities, pointAt(6))).toBe(false);
});
