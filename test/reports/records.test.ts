import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { HOUR_MS } from "#shared/time/duration.ts";
import { type Account, newAccount, type Reply } from "../tool/call/account.ts";
import { explainedTables, MIDNIGHT, rawRows, sectionsOf, sourcesOf, textRows } from "../tool/report/report.ts";
import { stack } from "../tool/system/stack.ts";

let account: Account;
let tracker: Reply;

const EVENT_TIMES = [
  { at: 8, event: "sos", message: "Help" },
  { at: 9, event: "poweron", message: "On" },
  { at: 10, event: "detach", message: "Off the car" },
  { at: 11, event: "offline", message: "Silent" },
  { at: 12, event: "door_alarm", message: "Door" },
  { at: 13, event: "location_response", message: "Here" },
];

beforeAll(async () => {
  account = await newAccount({ time_zone: "UTC" });
  tracker = await account.newTracker();
  const eventAt = (at: number, event: string, message: string, extra?: object) => ({
    ...{ event_id: randomUUID(), account_id: account.id, tracker_id: tracker.id, event, message, extra },
    ...{ time: MIDNIGHT + at * HOUR_MS, location: { lat: 50, lng: 8 }, address: "Depot" },
  });
  const zone = { zone_ids: [77], zone_labels: ["Yard"] };
  const events = [
    ...EVENT_TIMES.map(({ at, event, message }) => eventAt(at, event, message)),
    eventAt(14, "inzone", "In", zone),
    eventAt(14.5, "outzone", "Out", zone),
    eventAt(15, "inzone", "In", zone),
    eventAt(15.05, "outzone", "Out", zone),
    eventAt(16, "inzone", "In", zone),
  ];
  await stack.storeEvents(events as Parameters<typeof stack.storeEvents>[0]);
});

const report = (plugin: object) => sectionsOf(account, tracker.id, plugin);

test.each([
  [15, ["Door"]],
  [16, ["Help"]],
  [18, ["Off the car"]],
  [23, ["On"]],
  [13, ["Silent"]],
  [20, ["Here"]],
  [19, ["Help", "Off the car", "Door"]],
])(
  "report plugin %i shows the events of its types with their addresses, and no others",
  async (plugin_id, messages) => {
    const [table] = await report({ plugin_id });
    expect(textRows(table).map(({ event }) => event)).toEqual(messages);
    for (const row of table.data[0].rows) {
      expect(row.address).toMatchObject({ v: "Depot", location: { lat: 50, lng: 8 } });
    }
  },
);

test("all events are those of history, by days or by types, and of the types that were asked for", async () => {
  const [all] = await report({ plugin_id: 11 });
  expect(rawRows(all).map(({ time }) => time)).toEqual(
    rawRows(all)
      .map(({ time }) => time)
      .toSorted(),
  );
  expect(rawRows(all)).toHaveLength(EVENT_TIMES.length + 5);
  expect(all.data).toHaveLength(1);
  const [byType] = await report({ plugin_id: 11, group_by_type: true });
  expect(byType.data).toHaveLength(EVENT_TIMES.length + 2);
  const [some] = await report({ plugin_id: 11, event_types: ["sos", "inzone"] });
  expect(rawRows(some)).toHaveLength(4);
});

test("entries are paired with the exits from their zone, short visits left out, and one may go on", async () => {
  const [table] = await report({ plugin_id: 89 });
  expect(rawRows(table).map(({ duration }) => duration)).toEqual([1800, 180, 0]);
  const [events] = await explainedTables(account, tracker.id, { plugin_id: 11, event_types: ["inzone", "outzone"] });
  const ids = sourcesOf(events).map(({ record_ids: [id] }) => id);
  expect(new Set(ids).size).toBe(5);
  const [pairs] = await explainedTables(account, tracker.id, { plugin_id: 89 });
  expect(sourcesOf(pairs).map(({ record_ids }) => record_ids)).toEqual([
    ids.slice(0, 2),
    ids.slice(2, 4),
    ids.slice(4),
  ]);
  const [long] = await report({ plugin_id: 89, min_minutes_in_zone: 5 });
  expect(textRows(long).map(({ zone, exit }) => [zone, exit === ""])).toEqual([
    ["Yard", false],
    ["Yard", true],
  ]);
});
