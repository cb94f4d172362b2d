import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#shared/time/duration.ts";
import { createBarChart, createLineChart, Trace } from "./chart.ts";
import { createWriter } from "./writer.ts";

const WRITER = createWriter({
  zone: "Europe/Berlin",
  language: "de",
  measurement_system: "metric",
  show_seconds: false,
});
/** 00:00 in Berlin. */
const MIDNIGHT = Date.parse("2026-05-01T22:00:00Z");

function chartOf(points: [number, number][], { axis = "time" as "time" | "mileage", isSmooth = false } = {}) {
  const trace = new Trace();
  for (const [x, y] of points) trace.add(x, y);
  return createLineChart({ title: "Level", trace, axis, isSmooth }, WRITER)[0];
}

test("a chart of many values keeps the lowest, the highest and both ends, in their order", () => {
  const points = Array.from({ length: 100_000 }, (_, x): [number, number] => [
    x,
    x === 5000 ? -50 : x === 70_001 ? 90 : Math.sin(x),
  ]);
  const chart = chartOf(points, { axis: "mileage" });
  const kept = chart?.points ?? [];
  expect(kept.length).toBeLessThanOrEqual(2000);
  expect(kept.length).toBeGreaterThan(900);
  expect(kept).toContainEqual([5000, -50]);
  expect(kept).toContainEqual([70_001, 90]);
  expect(kept.map(([x]) => x)).toEqual(kept.map(([x]) => x).toSorted((one, other) => one - other));
  expect([chart?.up.min, chart?.up.max]).toEqual([-50, 90]);
  expect(kept.at(-1)?.[0]).toBeGreaterThan(99_900);
});

test("a chart has its marks at full hours and days of the reader's time zone, and at round values", () => {
  const hours = chartOf([
    [MIDNIGHT - 10 * MINUTE_MS, 3],
    [MIDNIGHT + 6 * HOUR_MS, 1003],
  ]);
  expect(hours?.across.marks.map(({ text }) => text)).toEqual(
    [0, 1, 2, 3, 4, 5, 6].map((hour) => `2026-05-02 0${hour}:00`),
  );
  expect(hours?.across.marks[0]?.at).toBe(MIDNIGHT);
  expect(hours?.up.marks.map(({ text }) => text)).toEqual(["200", "400", "600", "800", "1.000"]);
  const month = chartOf([
    [MIDNIGHT, 5],
    [MIDNIGHT + 31 * DAY_MS, 5],
  ]);
  expect(month?.across.marks.length).toBeLessThanOrEqual(9);
  expect(month?.across.marks.every(({ at }) => (at - MIDNIGHT) % DAY_MS === 0)).toBe(true);
  expect([month?.up.min, month?.up.max]).toEqual([4, 6]);
});

test("a smooth chart has the mean of the values around, and a single value makes no chart", () => {
  const jagged = Array.from({ length: 20 }, (_, x): [number, number] => [x, x % 2 === 0 ? 0 : 10]);
  const heights = chartOf(jagged, { isSmooth: true })?.points.map(([, y]) => y) ?? [];
  expect(Math.max(...heights) - Math.min(...heights)).toBeLessThan(3);
  expect(chartOf([[1, 1]])).toBeUndefined();
  expect(chartOf([])).toBeUndefined();
});

test("createBarChart puts the longest bar first with the others in proportion, and makes no chart of no time", () => {
  const value = (name: string, amount: number) => ({ name, text: `${amount} h`, value: amount });
  expect(createBarChart("Time", [value("Yard", 1), value("Depot", 4)])).toEqual([
    {
      kind: "bars",
      title: "Time",
      bars: [
        { name: "Depot", text: "4 h", share: 1 },
        { name: "Yard", text: "1 h", share: 0.25 },
      ],
    },
  ]);
  expect(createBarChart("Time", [])).toEqual([]);
  expect(createBarChart("Time", [value("Yard", 0)])).toEqual([]);
});
