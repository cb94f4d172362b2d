import { expect, test } from "vitest";
import { DAY_MS, MINUTE_MS } from "#shared/time/duration.ts";
import { type Account, feed, newAccount, type Reply, UNKNOWN_ID } from "#test/tool/call/account.ts";
import { systemNow, writeLocal } from "../../../../../shared/time/clock.ts";

const ZONE = "Europe/Berlin";

async function newEmployee(account: Account, more: object = {}) {
  const { id } = await account.must("/employee/create", { employee: { first_name: "Ann", last_name: "Lee", ...more } });
  return Number(id);
}

async function changesOf(account: Account, tracker_id: number) {
  const [from, to] = [-DAY_MS, DAY_MS].map((ms) => writeLocal(systemNow() + ms, ZONE));
  const parameters = { trackers: [tracker_id], from, to, events: ["driver_changed"], add_tracker_label: false };
  const { list } = await account.must("/history/tracker/list", parameters);
  return list.map(({ message, extra }: Reply) => [message, extra.employee_id]);
}

test("tracker/employee/assign moves an employee from another tracker, and replaces the one on the tracker", async () => {
  const account = await newAccount();
  const [one, two] = [await account.newTracker(), await account.newTracker()];
  const ann = await newEmployee(account, { tracker_id: one.id });
  const bo = await newEmployee(account, { first_name: "Bo", tracker_id: two.id });
  const time = new Date(systemNow() - MINUTE_MS).toISOString();
  await feed(two.source.device_id, [{ time, lat: 48.14, lng: 11.58 }]);
  await account.must("/tracker/employee/assign", { tracker_id: two.id, new_employee_id: ann });
  const read = (tracker_id: number) => account.must("/tracker/employee/read", { tracker_id });
  const { value: employee } = await account.must("/employee/read", { employee_id: ann });
  expect(employee.tracker_id).toBe(two.id);
  expect(await read(two.id)).toEqual({
    success: true,
    current: employee,
    last_change: {
      ...{ old_employee_id: null, new_employee_id: ann, origin: "supervisor", hardware_key: null },
      location: { lat: 48.14, lng: 11.58, address: "Munich, Bavaria, Germany" },
      changed: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    },
  });
  expect(await read(one.id)).toMatchObject({ current: null, last_change: { new_employee_id: null } });
  expect((await account.must("/employee/read", { employee_id: bo })).value.tracker_id).toBeNull();
  const { list } = await account.must("/history/unread/list", { limit: 2 });
  expect(list.map(({ location }: Reply) => location)).toEqual([
    { lat: 48.14, lng: 11.58 },
    { lat: 48.14, lng: 11.58 },
  ]);
  expect(await changesOf(account, one.id)).toEqual([
    ["Ann Lee", ann],
    ["", undefined],
  ]);
  expect(await changesOf(account, two.id)).toEqual([
    ["Bo Lee", bo],
    ["Ann Lee", ann],
  ]);
});

test("tracker/employee/read shows changes that employee/update made too", async () => {
  const account = await newAccount();
  const { id: tracker_id } = await account.newTracker();
  const read = () => account.must("/tracker/employee/read", { tracker_id });
  expect(await read()).toEqual({ success: true, current: null, last_change: null });
  const id = await newEmployee(account);
  const employee = { id, first_name: "Ann", last_name: "Lee" };
  await account.must("/employee/update", { employee: { ...employee, tracker_id } });
  expect(await read()).toMatchObject({ current: { id }, last_change: { new_employee_id: id, location: null } });
  // An update that keeps the tracker does not change the assignment.
  await account.must("/employee/update", { employee: { ...employee, tracker_id, phone: "123" } });
  await account.must("/employee/update", { employee: { ...employee, tracker_id: null } });
  await account.must("/tracker/employee/assign", { tracker_id, new_employee_id: id });
  await account.must("/employee/delete", { employee_id: id });
  expect(await read()).toMatchObject({ current: null, last_change: { new_employee_id: null } });
  expect((await changesOf(account, tracker_id)).map(([message]: string[]) => message)).toEqual([
    "Ann Lee",
    "",
    "Ann Lee",
    "",
  ]);
});

test("tracker/employee/assign refuses a change of nothing (263), unknown ids (201) and a blocked tracker (208)", async () => {
  const account = await newAccount();
  const { id: tracker_id } = await account.newTracker();
  const id = await newEmployee(account, { tracker_id });
  const rival = await newAccount();
  const foreign = { tracker: (await rival.newTracker()).id, employee: await newEmployee(rival) };
  const assign = async (tracker_id: number, new_employee_id: number | null) =>
    (await account.call("/tracker/employee/assign", { tracker_id, new_employee_id })).status?.code;
  expect(await assign(tracker_id, id)).toBe(263);
  for (const unknown of [foreign.employee, UNKNOWN_ID]) expect(await assign(tracker_id, unknown)).toBe(201);
  for (const unknown of [foreign.tracker, UNKNOWN_ID]) {
    expect(await assign(unknown, id)).toBe(201);
    expect((await account.call("/tracker/employee/read", { tracker_id: unknown })).status.code).toBe(201);
  }
  expect((await account.must("/employee/read", { employee_id: id })).value.tracker_id).toBe(tracker_id);
  expect(await assign(tracker_id, null)).toBeUndefined();
  expect(await assign(tracker_id, null)).toBe(263);
  await account.block(tracker_id);
  expect(await assign(tracker_id, id)).toBe(208);
  expect((await account.call("/tracker/employee/read", { tracker_id })).status.code).toBe(208);
});

test("tracker/employee/assign answers 236 without the tariff's feature", async () => {
  const account = await newAccount({ plan: { features: ["statuses"] } });
  const { id: tracker_id } = await account.newTracker();
  const reply = await account.call("/tracker/employee/assign", {
    tracker_id,
    new_employee_id: await newEmployee(account),
  });
  expect(reply.status.code).toBe(236);
});
