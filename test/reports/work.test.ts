import { isDeepStrictEqual } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#shared/time/duration.ts";
import { systemNow } from "../../shared/time/clock.ts";
import { type Account, feed, newAccount, type Reply } from "../tool/call/account.ts";
import { upload } from "../tool/call/uploads.ts";
import { writeUtc } from "../tool/call/utc-time.ts";
import { chanceOf } from "../tool/chance.ts";
import { PNG } from "../tool/document/png.ts";
import {
  explainedTables,
  namedValues,
  rawRows,
  sectionsOf,
  sourcesOf,
  textRows,
  totalOf,
} from "../tool/report/report.ts";
import { waitUntil } from "../tool/wait.ts";

const RANGE = { from: writeUtc(systemNow() - DAY_MS), to: writeUtc(systemNow() + DAY_MS) };
const PLACE = { lat: 50, lng: 8, address: "Dock Road 1" };
let account: Account;
let tracker: Reply;
let employee: number[];

beforeAll(async () => {
  account = await newAccount({ time_zone: "UTC" });
  tracker = await account.newTracker();
  employee = [];
  for (const first_name of ["Ann", "Bo"]) {
    const { id } = await account.must("/employee/create", { employee: { first_name, last_name: "Lee" } });
    employee.push(id);
  }
});

const report = (plugin: object, parameters: object = {}) =>
  sectionsOf(account, tracker.id, plugin, { ...RANGE, ...parameters });

test("tasks of a tracker are listed by the days on which they begin, and counted by status", async () => {
  for (const label of ["Deliver", "Fetch"]) {
    const times = { from: writeUtc(systemNow()), to: writeUtc(systemNow() + HOUR_MS) };
    const location = { ...PLACE, radius: 100 };
    const task = { label, description: "Ring", location, tracker_id: tracker.id, external_id: `X-${label}`, ...times };
    await account.must("/task/create", { task });
  }
  const columns = { show_external_id: true, show_description: true };
  const [table, summary] = await report({ plugin_id: 42, ...columns });
  expect(textRows(table)).toMatchObject([
    { label: "Deliver", status: "Assigned", address: "Dock Road 1", external_id: "X-Deliver", description: "Ring" },
    { label: "Fetch" },
  ]);
  expect(namedValues(summary)).toEqual({ Tasks: 2, Assigned: 2 });
  const { list } = await account.must("/task/list", { trackers: [tracker.id] });
  expect((await recordsOf({ plugin_id: 42 })).toSorted()).toEqual(list.map(({ id }: Reply) => id).toSorted());
});

test("check-ins show where they were made, their comment and their form, whose values are counted besides", async () => {
  const fields = [
    {
      id: "size",
      label: "Size",
      description: "How large",
      type: "dropdown",
      options: [{ label: "S" }, { label: "L" }],
    },
  ];
  const template = { label: "Parcel", description: "All", fields, submit_in_zone: false, default: false };
  const { id: template_id } = await account.must("/form/template/create", { template });
  const forms: number[] = [];
  for (const value_index of [0, 0]) {
    const { id: form_id } = await account.must("/checkin/form/create", { tracker_id: tracker.id, template_id });
    forms.push(form_id);
    const values = { size: { type: "dropdown", value_index } };
    const checkin = { tracker_id: tracker.id, location: PLACE, comment: "Here", form_submission: { form_id, values } };
    await account.must("/checkin/create", checkin);
  }
  const [table] = await report({ plugin_id: 80, show_forms: true });
  const { list } = await account.must("/checkin/list", { ...RANGE, trackers: [tracker.id] });
  expect((await recordsOf({ plugin_id: 80 })).toSorted()).toEqual(list.map(({ id }: Reply) => id).toSorted());
  expect((await recordsOf({ plugin_id: 70 })).toSorted()).toEqual(forms.toSorted());
  expect(textRows(table)).toMatchObject(
    Array.from({ length: 2 }, () => ({ address: "Dock Road 1", comment: "Here", form: "Parcel\nSize: S" })),
  );
  const [chosen] = await report({ plugin_id: 70 });
  expect(textRows(chosen)).toEqual([{ field: "Size", value: "S", times: "2", share: "100 %" }]);
  const [all] = await report({ plugin_id: 70, show_nonselected: true });
  expect(rawRows(all).map(({ times }) => times)).toEqual([2, 0]);
});

test("stays at tasks, and photos of check-ins, add up to what a plain computation has", async () => {
  const { id, source } = await account.newTracker();
  const chance = chanceOf(3);
  const begun = Math.floor(systemNow() / MINUTE_MS - 120) * MINUTE_MS;
  // To and fro between two tasks and the road, away at last.
  const lngs = Array.from(
    { length: 100 },
    (_, minute) => [8, 8.1, 7.9][minute === 99 ? 2 : Math.floor(chance() * 3)] ?? 0,
  );
  const stays = new Map<string, number>();
  for (const [label, lng] of [
    ["Dock", 8],
    ["Yard", 8.1],
  ] as const) {
    const times = { from: writeUtc(begun), to: writeUtc(begun + DAY_MS), min_stay_duration: 1000 };
    const task = { label, description: "", location: { ...PLACE, lng, radius: 100 }, tracker_id: id, ...times };
    await account.must("/task/create", { task });
    // From a point within to the next one, wherever that is.
    stays.set(label, 60 * lngs.slice(0, -1).filter((there) => there === lng).length);
  }
  const points = lngs.map((lng, minute) => ({ time: begun + minute * MINUTE_MS, lat: 50, lng }));
  await feed(source.device_id, points);
  const shownStays = async () => {
    const { list } = await account.must("/task/list", { trackers: [id] });
    return new Map(list.map(({ label, stay_duration }: Reply) => [label, stay_duration]));
  };
  await waitUntil("all stays count", shownStays, (shown) => isDeepStrictEqual(shown, stays));
  const [tasks] = await sectionsOf(account, id, { plugin_id: 42 }, RANGE);
  expect(new Map(textRows(tasks).map(({ label }, row) => [label, rawRows(tasks)[row]?.stay]))).toEqual(stays);
  expect(totalOf(tasks, "stay")).toBe([...stays.values()].reduce((sum, stay) => sum + stay, 0));

  const counts = [0, 2, 1, 3];
  for (const count of counts) {
    const file_ids: number[] = [];
    while (file_ids.length < count) {
      const { value } = await account.must("/checkin/image/create", { size: 1000 });
      await upload(value, new File([PNG], "a.png"));
      file_ids.push(value.file_id);
    }
    await account.must("/checkin/create", { tracker_id: id, location: PLACE, file_ids });
  }
  const [checkins] = await sectionsOf(account, id, { plugin_id: 80 }, RANGE);
  expect(rawRows(checkins).map(({ files }) => files)).toEqual(counts);
  expect(totalOf(checkins, "files")).toBe(6);
});

/** The ids of the records that the rows were made of. */
async function recordsOf(plugin: object): Promise<number[]> {
  const [table] = await explainedTables(account, tracker.id, plugin, RANGE);
  return sourcesOf(table).flatMap(({ record_ids }) => record_ids);
}

/** Begins in an hour from now, so that nothing of today is within. */
const LATER = () => {
  const hour = (ms: number) => new Date(ms).toISOString().slice(11, 19);
  return { time_filter: { from: hour(systemNow() + HOUR_MS), to: hour(systemNow() + 2 * HOUR_MS) } };
};

test("changes of drivers tell who came and who went", async () => {
  for (const id of employee) {
    await account.must("/tracker/employee/assign", { tracker_id: tracker.id, new_employee_id: id });
  }
  const [table] = await report({ plugin_id: 66 });
  expect(textRows(table)).toMatchObject([
    { before: "No driver", driver: "Ann Lee" },
    { before: "Ann Lee", driver: "Bo Lee" },
  ]);
  expect(rawRows((await report({ plugin_id: 66 }, LATER()))[0])).toEqual([]);
  expect(new Set(await recordsOf({ plugin_id: 66 })).size).toBe(2);
});

test("a work status lasts until the next one", async () => {
  const listing = { label: "Crew", employee_controlled: true, supervisor_controlled: true };
  const { id: listing_id } = await account.must("/status/listing/create", { listing });
  const ids: number[] = [];
  for (const label of ["Free", "Busy"]) {
    const status = { label, color: "00FF00" };
    ids.push((await account.must("/status/create", { listing_id, status })).id);
  }
  await account.must("/status/listing/tracker/assign", { tracker_id: tracker.id, listing_id });
  for (const new_status_id of ids)
    await account.must("/status/tracker/assign", { tracker_id: tracker.id, new_status_id });
  const [table] = await report({ plugin_id: 47 });
  expect(textRows(table)).toMatchObject([
    { before: "None", status: "Free" },
    { before: "Free", status: "Busy" },
  ]);
  const [first, second] = rawRows(table);
  expect(first?.duration).toBeCloseTo(((second?.time ?? 0) - (first?.time ?? 0)) / 1000, 0);
  expect(rawRows((await report({ plugin_id: 47 }, LATER()))[0])).toEqual([]);
  expect(new Set(await recordsOf({ plugin_id: 47 })).size).toBe(2);
});
