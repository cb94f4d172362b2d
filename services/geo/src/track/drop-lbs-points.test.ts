import { expect, test } from "vitest";
import { pointAt } from "../../../../test/tool/point/made.ts";
import { chunksOf, START, tripAt } from "../../../../test/tool/point/trips.ts";
import { dropLbsPoints } from "./drop-lbs-points.ts";
import { trackPoints } from "./track-point.ts";

// A thousandth of a degree of latitude is 111 m; the cell tower is 11 km away.
const points = [
  pointAt(0, { lat: 50.1, gsm_lbs: true }),
  pointAt(60, { lat: 50, speed: 40 }),
  pointAt(90, { lat: 50.1, gsm_lbs: true, speed: 120 }),
  pointAt(120, { lat: 50.001, speed: 50 }),
  pointAt(180, { lat: 50.002, speed: 30 }),
];

test("dropLbsPoints reduces a mixed trip to the receiver's points, under its id", async () => {
  const trip = tripAt(0, 180, { points: 5, lbs_points: 2, length_meters: 44_000, max_speed_kmh: 120 });
  const [seen, ...others] = await dropLbsPoints([trip], receiverPoints([trip]));
  expect(others).toEqual([]);
  expect(seen).toMatchObject({ id: 1, start_time: START + 60_000, end_time: START + 180_000, start_lat: 50 });
  expect(seen).toMatchObject({ points: 3, lbs_points: 0, max_speed_kmh: 50, end_lat: 50.002 });
  expect(seen?.bounds).toEqual({ south: 50, west: 8, north: 50.002, east: 8 });
  expect(seen?.length_meters).toBeCloseTo(222.4, 0);
});

test("dropLbsPoints drops a trip of cell towers alone, and leaves one without them as it is", async () => {
  const [towers, plain] = [tripAt(0, 10, { points: 2, lbs_points: 2 }), tripAt(500, 900)];
  const seen = await dropLbsPoints([towers, plain], receiverPoints([]));
  expect(seen).toEqual([plain]);
  expect(seen[0]).toBe(plain);
});

function receiverPoints(trips: ReturnType<typeof tripAt>[]) {
  return trackPoints(chunksOf(points, 2), trips, ({ point, trip_id }) => trip_id !== null && !point.gsm_lbs);
}
