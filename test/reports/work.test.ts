import { beforeAll, expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "#shared/time/duration.ts";
import { type Account, newAccount, type Reply } from "../account.ts";
import { explainedTables, namedValues, rawRows, sectionsOf, sourcesOf, textRows, written } from "./report.ts";

const RANGE = { from: written(Date.now() - DAY_MS), to: written(Date.now() + DAY_MS) };
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
    const times = { from: written(Date.now()), to: written(Date.now() + HOUR_MS) };
    const location = { ...PLACE, radius: 100 };
    const task = { label, description: "Ring", location, tracker_id: tracker.id, external_id: `X-${label}`, ...times };
    await account.must("/task/create", { task });
  }
  const wishes = { show_external_id: true, show_description: true };
  const [table, summary] = await report({ plugin_id: 42, ...wishes });
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

/** The ids of the records that the rows were made of. */
async function recordsOf(plugin: object): Promise<number[]> {
  const [table] = await explainedTables(account, tracker.id, plugin, RANGE);
  return sourcesOf(table).flatMap(({ record_ids }) => record_ids);
}

/** Begins in an hour from now, so that nothing of today is within. */
const LATER = () => {
  const hour = (ms: number) => new Date(ms).toISOString().slice(11, 19);
  return { time_filter: { from: hour(Date.now() + HOUR_MS), to: hour(Date.now() + 2 * HOUR_MS) } };
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
