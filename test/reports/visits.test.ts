import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "#shared/time/duration.ts";
import { systemNow } from "../../shared/time/clock.ts";
import { type Account, feed, must, newAccount, type Reply, UNKNOWN_ID } from "../tool/call/account.ts";
import { writeUtc } from "../tool/call/utc-time.ts";
import { generate, leg, MIDNIGHT, rawRows, sectionsOf, textRows, totalOf } from "../tool/report/report.ts";

const EIGHT = MIDNIGHT + 8 * HOUR_MS;
let account: Account;
let tracker: Reply;
let [yard, field, depot] = [0, 0, 0];

/** Drives north at 36 km/h for an hour: through a circle of 1 km at kilometer 10, and past a polygon at kilometer 20. */
beforeAll(async () => {
  account = await newAccount({ time_zone: "UTC" });
  tracker = await account.newTracker();
  const zone = (parameters: object) => account.must("/zone/create", { zone: parameters }).then(({ id }) => id);
  yard = await zone({ type: "circle", label: "Yard", center: { lat: 50.0899, lng: 8 }, radius: 1000 });
  const corners = [50.17, 50.19, 50.19, 50.17].map((lat, index) => ({ lat, lng: index < 2 ? 8.1 : 8.2 }));
  field = await zone({ type: "polygon", label: "Field", points: corners });
  const place = { label: "Depot", location: { lat: 50.18, lng: 8, address: "", radius: 500 } };
  depot = (await account.must("/place/create", { place })).id;
  await feed(tracker.source.device_id, leg({ start: EIGHT, minutes: 60, speed: 36 }));
});

const report = (plugin: object) => sectionsOf(account, tracker.id, plugin);

test("a visit of a zone begins and ends at its border, and the way there is the circle's width", async () => {
  const plugin = {
    plugin_id: 8,
    zone_ids: [yard, field, UNKNOWN_ID],
    show_mileage: true,
    show_not_visited_zones: true,
  };
  const [table, missed] = await report(plugin);
  const [visit, ...others] = rawRows(table);
  expect(others).toEqual([]);
  // 10 km at 10 m/s, less the radius; in again a point later at the most.
  const entry = EIGHT + (10_000 - 1000) * 100;
  expect(visit?.entry).toBeGreaterThanOrEqual(entry);
  expect(visit?.entry).toBeLessThanOrEqual(entry + 15_000);
  expect(visit?.duration).toBeGreaterThanOrEqual(190);
  expect(visit?.duration).toBeLessThanOrEqual(220);
  expect(visit?.mileage).toBeCloseTo(((visit?.duration ?? 0) * 10) / 1000, 1);
  expect(totalOf(table, "duration")).toBe(visit?.duration);
  expect(missed.rows.map(({ name }: Reply) => name)).toEqual(["Field"]);
  expect(rawRows((await report({ ...plugin, min_minutes_in_zone: 5 }))[0])).toEqual([]);
});

test("a place is visited like a circle, and stays are put together by zones", async () => {
  const [places] = await report({ plugin_id: 85, place_ids: [depot], min_minutes_in_place: 1 });
  expect(textRows(places).map(({ name }) => name)).toEqual(["Depot"]);
  expect(rawRows(places)[0]?.duration).toBeGreaterThanOrEqual(90);
  const [stays] = await report({ plugin_id: 84, zone_ids: [yard], min_minutes_in_zone: 1 });
  expect(stays.data.map(({ header }: Reply) => header)).toEqual(["Yard : 1"]);
  expect(textRows(stays)[0]?.tags).toBeUndefined();
  const { id: tag_id } = await account.must("/tag/create", { tag: { name: "Stock", color: "00FF00" } });
  const { id: tagged } = await account.must("/zone/create", {
    zone: { type: "circle", label: "Stop", center: { lat: 50.0899, lng: 8 }, radius: 1000, tags: [tag_id] },
  });
  const definition = { plugin_id: 84, zone_ids: [yard, tagged], min_minutes_in_zone: 1, show_tags: true };
  expect(textRows((await report(definition))[0]).map(({ name, tags }) => [name, tags])).toEqual([
    ["Yard", ""],
    ["Stop", "Stock"],
  ]);
});

test("a sub-user's report knows no zone, place or event but what it sees", async () => {
  const group = { label: "Clerks", privileges: { rights: ["reports"] } };
  const { id: security_group_id } = await account.must("/subuser/security_group/create", { group });
  const login = `${randomUUID()}@example.com`;
  const user = { login, activated: true, legal_type: "individual", first_name: "Bo", security_group_id };
  const { id: subuser_id } = await account.must("/subuser/register", { user, password: "secret123" });
  const { hash } = await must("/user/auth", { login, password: "secret123" });
  await account.must("/subuser/tracker/bind", { subuser_id, trackers: [tracker.id] });
  const clerk = { ...account, must: (path: string, given: object = {}) => account.must(path, { ...given, hash }) };
  const plugin = { plugin_id: 8, zone_ids: [yard], show_not_visited_zones: true };
  const report_id = await generate(clerk, { trackers: [tracker.id], plugin });
  const { report } = await clerk.must("/report/tracker/retrieve", { report_id });
  expect(JSON.stringify(report)).not.toContain("Yard");
});

test("a visit that the range cuts off goes on: it has no departure", async () => {
  const to = writeUtc(EIGHT + 17 * MINUTE_MS);
  const [table] = await sectionsOf(account, tracker.id, { plugin_id: 8, zone_ids: [yard] }, { to });
  expect(textRows(table).map(({ exit }) => exit)).toEqual([""]);
});

test("the places of the employees who were on the tracker are visited, and no others", async () => {
  const fields = [{ id: null, label: "Keeper", type: "employee", required: false, params: { responsible: true } }];
  const [entity] = (await account.must("/entity/list", {})).list;
  await account.must("/entity/fields/update", { entity_id: entity.id, fields });
  const { list } = await account.must("/entity/fields/read", { entity_id: entity.id });
  const [ann, bo] = [await newEmployee("Ann"), await newEmployee("Bo")];
  for (const [label, keeper] of [
    ["Annex", ann],
    ["Bowery", bo],
  ] as const) {
    const location = { lat: 50.18, lng: 8, address: "", radius: 500 };
    await account.must("/place/create", {
      place: { label, location, fields: { [list[0].id]: { type: "employee", value: keeper } } },
    });
  }
  await account.must("/tracker/employee/assign", { tracker_id: tracker.id, new_employee_id: ann });
  const definition = {
    plugin_id: 85,
    fetch_places_by_employees: true,
    show_not_visited_places: true,
    min_minutes_in_place: 1,
  };
  const hour = (ms: number) => writeUtc(ms);
  const range = { from: hour(EIGHT), to: hour(systemNow() + HOUR_MS) };
  const [table, missed] = await sectionsOf(account, tracker.id, definition, range);
  expect(textRows(table).map(({ name }) => name)).toEqual(["Annex"]);
  expect(missed.rows).toEqual([]);
  for (const plugin of [{ ...definition, place_ids: [depot] }, { plugin_id: 85 }]) {
    const { errors } = await account.call("/report/tracker/generate", { trackers: [tracker.id], ...range, plugin });
    expect(errors?.[0]?.parameter).toBe("plugin.place_ids");
  }
});

const newEmployee = async (first_name: string): Promise<number> =>
  (await account.must("/employee/create", { employee: { first_name, last_name: "Lee" } })).id;
