import { beforeAll, expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "#shared/time/duration.ts";
import { type Account, feed, newAccount, type Reply } from "../tool/call/account.ts";
import { fontNamesOf, linksOf, pagesOf, pathsIn } from "../tool/document/pdf.ts";
import { generate, leg, MIDNIGHT, newSensors } from "../tool/report/report.ts";
import { stack } from "../tool/system/stack.ts";

const EIGHT = MIDNIGHT + 8 * HOUR_MS;
const LABEL = "货车 서울 شاحنة";
let account: Account;
let tracker: Reply;
let sensors: Record<string, number> = {};
let yard: number;

beforeAll(async () => {
  account = await newAccount({ time_zone: "UTC" });
  tracker = await account.newTracker({ label: LABEL });
  sensors = await newSensors(account, tracker.id);
  const zone = { type: "circle", label: "Yard", center: { lat: 50.01, lng: 8 }, radius: 1000 };
  yard = (await account.must("/zone/create", { zone })).id;
  await feed(tracker.source.device_id, warming());
});

/** Half an hour to the north at 36 km/h, a point each ten seconds, warmer each minute, with a tank that becomes empty. */
function warming() {
  return leg({ start: EIGHT, minutes: 30, speed: 36 }).map((point, index) => ({
    ...point,
    attributes: { ext_temp_sensor_1: 100 + Math.floor(index / 6) * 10, lls_level_1: 90 - index / 4 },
  }));
}

async function pdfOf(plugin: object, headless = true) {
  const report_id = await generate(account, { trackers: [tracker.id], plugin });
  const answer = await fetch(`${stack.baseUrl}/report/tracker/download`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ hash: account.hash, report_id, format: "pdf", headless }),
  });
  expect(answer.headers.get("Content-Type")).toBe("application/pdf");
  return new Uint8Array(await answer.arrayBuffer());
}

const sensorPlugin = (plugin_id: number, parameters: object) =>
  pdfOf({ plugin_id, sensors: [{ tracker_id: tracker.id, sensor_id: sensors.temperature }], ...parameters });

test("names in any script stand in the contents and above the pages, in fonts of which parts are embedded", async () => {
  const pdf = await pdfOf({ plugin_id: 4 }, false);
  const pages = pagesOf(pdf);
  // The order on the page: the last of letters that are read from right to left stands at the left.
  const seen = "货车 서울 ةنحاش";
  expect(pages).toHaveLength(2);
  for (const page of pages) expect(page.split("\n")).toContain(seen);
  expect(fontNamesOf(pdf)).toEqual(
    expect.arrayContaining(["NotoSansHans-Regular", "NotoSansKR-Regular", "NotoNaskhArabic", "NotoNaskhArabic-Bold"]),
  );
  expect(pdf.length).toBeLessThan(100_000);
  const places = linksOf(pdf).filter((link) => link.startsWith("https://"));
  expect(places).toHaveLength(2);
  expect(places[0]).toContain("mlat=50&mlon=8");
});

test.each([9, 22])("report plugin %i draws a chart of each sensor, along the time or the way", async (plugin_id) => {
  const along = async (graph_type: string) => {
    const pdf = await sensorPlugin(plugin_id, { graph_type });
    return { ...pathsIn(pdf), lines: pagesOf(pdf)[0]?.split("\n") ?? [] };
  };
  const time = await along("time");
  expect(time.longest).toBe(181);
  expect(time.lines).toEqual(
    expect.arrayContaining([writeMinute(EIGHT), writeMinute(EIGHT + 30 * MINUTE_MS), "ext_temp_sensor_1"]),
  );
  const way = await along("mileage");
  expect(way.longest).toBe(181);
  expect(way.lines).toEqual(expect.arrayContaining(["0", "5", "10", "15", "20", "25", "30", "35", "40"]));
  expect(way.lines).not.toContain(writeMinute(EIGHT + 30 * MINUTE_MS));
});

test("fuel reports draw the level, speed and way where they are asked for; the report of fillings draws no chart", async () => {
  const titles = async (plugin: object) =>
    pagesOf(await pdfOf(plugin))
      .join("\n")
      .match(/^lls_level_1: (level|speed|mileage).*/gm);
  expect(await titles({ plugin_id: 10 })).toEqual(["lls_level_1: level, l"]);
  const all = { plugin_id: 10, include_speed_plot: true, include_mileage_plot: true };
  expect(await titles(all)).toEqual(["lls_level_1: level, l", "lls_level_1: speed, km/h", "lls_level_1: mileage, km"]);
  expect(await titles({ ...all, graph_type: "mileage" })).toEqual([
    "lls_level_1: level, l",
    "lls_level_1: speed, km/h",
  ]);
  expect(await titles({ plugin_id: 95 })).toBeNull();
});

test("visit reports draw a bar for each zone, unless charts are hidden", async () => {
  const shown = await pdfOf({ plugin_id: 8, zone_ids: [yard] });
  expect(pathsIn(shown).rectangles).toBe(1);
  expect(pathsIn(await pdfOf({ plugin_id: 8, zone_ids: [yard], hide_charts: true })).rectangles).toBe(0);
});

function writeMinute(ms: number) {
  return new Date(ms).toISOString().slice(0, 16).replace("T", " ");
}
