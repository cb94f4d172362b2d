import { randomUUID } from "node:crypto";
import type { Account, Accounts } from "../call/account.ts";
import { entryOf } from "./fleet/driver-journal.ts";
import { newTracker } from "./fleet/tracker.ts";
import { daysAgo } from "./range.ts";
import type { Sample } from "./sample.ts";
import { newTask } from "./tasks.ts";

/** Samples of the operations that phones synchronize by. */
export const SYNC_SAMPLES: Record<string, Sample[]> = {
  "/sync/push": [
    ...[checkinOf, journalOf].map(
      (itemOf): Sample => ({
        // An item that names a missing thing is never done, so the sample can be repeated.
        parameters: ({ tracker_id }) => ({
          items: [{ ...itemOf(tracker_id), uuid: "c6a1b0de-37a2-4c3e-9d5f-0f4f6d1c2b3a" }],
        }),
        before: async (account) => ({ items: [itemOf((await newTracker(account)).tracker_id)] }),
      }),
    ),
    ...[newStatusItems, newSubmissions].map(
      (itemsOf): Sample => ({
        parameters: () => ({ items: [] }),
        before: async (account) => ({ items: await itemsOf(account) }),
      }),
    ),
  ],
  "/checkin/record/read": [{ parameters: ({ checkin_id }) => ({ checkin_id }) }],
  "/form/record/read": [{ parameters: ({ form_id: id }) => ({ id }) }],
  "/checkin/verify": [
    {
      as: "nobody",
      parameters: () => ({ record: "0123456789abcdef0123456789abcdef" }),
      before: async (account, { fireCron }) => ({ record: await newRecord(account, fireCron) }),
    },
  ],
  "/sync/pull": [{ parameters: () => ({}) }],
  "/delivery/read": [{ parameters: () => ({ external_id: DELIVERY }), before: newDelivery }],
  "/delivery/list": [{ parameters: () => ({ external_id: DELIVERY }), before: newDelivery }],
};

const DELIVERY = "D-1";

/** Makes the key of a public delivery page with a task on its way. */
async function newDelivery(account: Account) {
  const { id: tracker_id } = await account.newTracker();
  const location = { lat: 52.5, lng: 13.4, address: "Dock 4", radius: 100 };
  const moments = { from: daysAgo(0.1), to: daysAgo(-1) };
  const task = { label: "Parcel", description: "", location, ...moments, external_id: DELIVERY, tracker_id };
  await account.must("/task/create", { task });
  return { hash: (await account.must("/user/session/delivery/create")).value };
}

function checkinOf(tracker_id: number) {
  return newItem("checkin/create", { tracker_id, location: { lat: 52.5, lng: 13.4, address: "Dock 4" } });
}

function journalOf(tracker_id: number) {
  return newItem("driver/journal/entry/create", { entries: [entryOf(tracker_id)] });
}

/** Makes items that change work statuses, which one transaction does together. */
async function newStatusItems(account: Account) {
  const { tracker_id } = await newTracker(account);
  const listing = { label: "Drivers", employee_controlled: false, supervisor_controlled: true };
  const { id: listing_id } = await account.must("/status/listing/create", { listing });
  await account.must("/status/listing/tracker/assign", { tracker_id, listing_id });
  const items: object[] = [];
  for (const label of ["Busy", "Free"]) {
    const { id } = await account.must("/status/create", { listing_id, status: { label, color: "E57373" } });
    items.push(newItem("status/tracker/assign", { tracker_id, new_status_id: id }));
  }
  return items;
}

async function newSubmissions(account: Account) {
  const template = { label: "Note", description: "", submit_in_zone: false, default: false, fields: [] };
  const { id: form_template_id } = await account.must("/form/template/create", { template });
  const location = { lat: 52.5, lng: 13.4, address: "Dock 4" };
  const tasks = [await newTask(account, { form_template_id }), await newTask(account, { form_template_id })];
  return tasks.map(({ task_id }) => newItem("task/form/values/update", { task_id, values: {}, location }));
}

function newItem(operation: string, params: object) {
  return { uuid: randomUUID(), time: daysAgo(0.1), operation, params };
}

/** The token of a check-in's record, which is made a moment after the check-in. */
async function newRecord(account: Account, fireCron: Accounts["fireCron"]): Promise<string> {
  const { tracker_id } = await newTracker(account);
  const location = { lat: 52.5, lng: 13.4, address: "Dock 4" };
  const { id: checkin_id } = await account.must("/checkin/create", { tracker_id, location });
  for (;;) {
    const { value } = await account.must("/checkin/record/read", { checkin_id });
    if (value) return value.token;
    await fireCron("tasks");
  }
}
