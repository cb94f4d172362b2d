import { expect, test } from "vitest";
import { type Account, call, feed, must, newAccount } from "#test/tool/call/account.ts";
import { systemNow, writeLocal } from "../../../../shared/time/clock.ts";
import { HOUR_MS } from "../../../../shared/time/duration.ts";

const at = (hours: number) => writeLocal(systemNow() + hours * HOUR_MS, "Europe/Berlin");
const dock = { lat: 52.5, lng: 13.4, address: "Dock 4", radius: 100 };
const parcel = { label: "Parcel", description: "", location: dock, from: at(-1), to: at(5), external_id: "A-17" };

const newTask = async (account: Account, more: object) =>
  Number((await account.must("/task/create", { task: { ...parcel, ...more } })).id);
const newKey = async (account: Account) => (await account.must("/user/session/delivery/create")).value;

test("delivery/read gives the employee, the vehicle and the time left, and nothing by which points could be sent", async () => {
  const account = await newAccount();
  const tracker = await account.newTracker();
  await account.must("/vehicle/create", { vehicle: { label: "White van", tracker_id: tracker.id } });
  const employee = { first_name: "Ann", middle_name: "", last_name: "Lee", tracker_id: tracker.id };
  await account.must("/employee/create", { employee });
  const id = await newTask(account, { tracker_id: tracker.id });
  const hash = await newKey(account);
  const before = await must("/delivery/read", { hash, external_id: "A-17" });
  expect(before).toMatchObject({
    ...{ user_id: account.id, first_name: "Ann", middle_name: "", last_name: "Lee", vehicle_label: "White van" },
    ...{ restrictions: { allowed_maps: expect.arrayContaining(["osm"]) }, estimated_time: null },
    task: { id, status: "assigned", label: "Parcel", location: dock },
  });
  expect(before.tracker).toEqual({ id: tracker.id, label: "Van 7" });
  await feed(tracker.source.device_id, [{ time: systemNow() - 60_000, lat: 52.6, lng: 13.4 }]);
  const after = await must("/delivery/read", { hash, external_id: "A-17" });
  // The straight line is 11 km long.
  expect(after.estimated_time).toBeGreaterThan(1100);
  expect(after.estimated_time).toBeLessThan(2200);
  expect(JSON.stringify(after)).not.toContain(tracker.source.device_id);
});

test("delivery/read prefers a task to a checkpoint and the latest to the others, and delivery/list gives them all", async () => {
  const account = await newAccount();
  const { id: tracker_id } = await account.newTracker();
  const hash = await newKey(account);
  const route = { label: "Round", description: "", tracker_id };
  const { result } = await account.must("/task/route/create", { route, checkpoints: [parcel, parcel] });
  const read = async () => (await must("/delivery/read", { hash, external_id: "A-17" })).task;
  expect(result.checkpoint_ids).toContain((await read()).id);
  expect((await read()).type).toBe("checkpoint");
  const older = await newTask(account, { tracker_id, from: at(-3) });
  expect((await read()).id).toBe(older);
  const newer = await newTask(account, { tracker_id, from: at(-2) });
  expect((await read()).id).toBe(newer);
  const { list, user_id, restrictions } = await must("/delivery/list", { hash, external_id: "A-17" });
  const ids = list.map(({ task }: { task: { id: number } }) => task.id);
  expect(ids).toEqual([newer, older, ...result.checkpoint_ids.toReversed()]);
  expect([user_id, restrictions.allowed_maps.length > 0]).toEqual([account.id, true]);
});

test("delivery/read and list do not find tasks that are unassigned, not begun, over or another account's", async () => {
  const [account, rival] = [await newAccount(), await newAccount()];
  const [{ id: tracker_id }, theirs] = [await account.newTracker(), await rival.newTracker()];
  const [hash, foreign] = [await newKey(account), await newKey(rival)];
  const codes = async (external_id: string, by = hash) =>
    Promise.all(
      ["/delivery/read", "/delivery/list"].map(
        async (path) => (await call(path, { hash: by, external_id })).status?.code,
      ),
    );
  await newTask(account, { external_id: "nobody" });
  await newTask(account, { external_id: "later", from: at(1), tracker_id });
  await newTask(rival, { external_id: "theirs", tracker_id: theirs.id });
  for (const external_id of ["nobody", "later", "theirs", "unknown"]) {
    expect(await codes(external_id), external_id).toEqual([201, 201]);
  }
  expect(await codes("theirs", foreign)).toEqual([undefined, undefined]);
  expect(await codes("")).toEqual([7, 7]);
  expect((await account.call("/delivery/read", { external_id: "theirs" })).status.code).toBe(4);
  expect((await call("/delivery/list", { external_id: "theirs" })).status.code).toBe(3);
});

test("delivery/read does not show a task's form", async () => {
  const account = await newAccount();
  const { id: tracker_id } = await account.newTracker();
  const field = { id: "name", label: "Field", description: "What it is", required: true, type: "text" };
  const template = { label: "Note", description: "", submit_in_zone: false, default: false };
  const fields = [{ ...field, min_length: 1, max_length: 20 }];
  const { id: template_id } = await account.must("/form/template/create", { template: { ...template, fields } });
  const task_id = await newTask(account, { tracker_id });
  await account.must("/task/form/create", { task_id, template_id });
  await account.must("/task/form/values/update", { task_id, values: { name: { type: "text", value: "Secret" } } });
  const shown = await call("/delivery/read", { hash: await newKey(account), external_id: "A-17" });
  expect(JSON.stringify(shown)).not.toContain("Secret");
});
