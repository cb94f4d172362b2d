import { expect, test } from "vitest";
import { reportAt, tripAt } from "../../../../test/tool/point/trips.ts";
import { clusterReports } from "./cluster.ts";

// At the equator a thousandth of a degree is 111 m.
const NEAR = 0.0008;
const FAR = 0.001;

test("clusterReports joins lone reports within the radius, and no others", () => {
  const reports = [reportAt(0, 0, 0), reportAt(3600, 0, NEAR), reportAt(7200, 0, FAR)];
  expect(idsOf(clusterReports(reports, 100))).toEqual([[1, 3601], [7201]]);
});

test("clusterReports measures from the first report: a slow walk is no cluster", () => {
  const walk = [0, 1, 2, 3].map((step) => reportAt(step * 3600, 0, step * NEAR));
  expect(idsOf(clusterReports(walk, 100))).toEqual([
    [1, 3601],
    [7201, 10_801],
  ]);
});

test("clusterReports keeps reports apart that a drive separates, and clusters no drive", () => {
  const tracks = [reportAt(0, 0, 0), tripAt(3600, 4000, { start_lat: 0, start_lng: 0 }), reportAt(9000, 0, 0)];
  expect(idsOf(clusterReports(tracks, 100))).toEqual([[1], [3601], [9001]]);
});

test("clusterReports joins reports on both sides of the date line", () => {
  expect(clusterReports([reportAt(0, 0, 179.9999), reportAt(3600, 0, -179.9999)], 100)).toHaveLength(1);
});

function idsOf(groups: { id: number }[][]) {
  return groups.map((group) => group.map(({ id }) => id));
}
