import { expect, test } from "vitest";
import { type Account, newAccount, newImei, sharedAccount, UNKNOWN_ID } from "#test/tool/call/account.ts";

const north = { title: "North", color: "27A9E3" };

async function groupOf(account: Account, tracker_id: number) {
  return (await account.must("/tracker/read", { tracker_id })).value.group_id;
}

test("tracker/group calls make, change and delete a group, whose trackers stay without a group", async () => {
  const account = await newAccount();
  const { id } = await account.must("/tracker/group/create", north);
  const other = await account.must("/tracker/group/create", { title: "x".repeat(60), color: "000000" });
  await account.must("/tracker/group/update", { id, title: "South", color: "FFFFFF" });
  const { list } = await account.must("/tracker/group/list");
  expect(list).toEqual([
    { id, title: "South", color: "FFFFFF" },
    { id: other.id, title: "x".repeat(60), color: "000000" },
  ]);
  const { id: tracker_id } = await account.newTracker();
  const { id: second } = await account.newTracker();
  await account.must("/tracker/group/assign", { id, trackers: [tracker_id, second, tracker_id] });
  expect(await groupOf(account, tracker_id)).toBe(id);
  await account.must("/tracker/group/assign", { id: 0, trackers: [second] });
  expect(await groupOf(account, second)).toBe(0);
  await account.must("/tracker/group/delete", { id });
  expect(await groupOf(account, tracker_id)).toBe(0);
  for (const [path, parameters] of [
    ["delete", { id }],
    ["update", { id, ...north }],
    ["assign", { id, trackers: [tracker_id] }],
    ["delete", { id: 0 }],
  ] as const) {
    expect((await account.call(`/tracker/group/${path}`, parameters)).status.code, path).toBe(201);
  }
});

test.each([
  ["title", ""],
  ["title", "x".repeat(61)],
  ["title", "two\nlines"],
  ["color", "#27A9E3"],
])("tracker/group/create and update with a wrong %s refuse %j by name", async (parameter, wrong) => {
  const account = await sharedAccount();
  const { id } = await account.must("/tracker/group/create", north);
  for (const path of ["create", "update"]) {
    const reply = await account.call(`/tracker/group/${path}`, { ...north, id, [parameter]: wrong });
    expect(reply).toMatchObject({ status: { code: 7 }, errors: [{ parameter }] });
  }
});

test("tracker/group/assign moves no tracker of the list when one is unknown or blocked", async () => {
  const account = await newAccount();
  const { id } = await account.must("/tracker/group/create", north);
  const [{ id: one }, { id: blocked }] = [await account.newTracker(), await account.newTracker()];
  const foreign = await (await newAccount()).newTracker();
  await account.block(blocked);
  for (const wrong of [UNKNOWN_ID, foreign.id, blocked]) {
    const reply = await account.call("/tracker/group/assign", { id, trackers: [one, wrong] });
    expect(reply.status.code).toBe(217);
  }
  expect(await groupOf(account, one)).toBe(0);
});

test("tracker/register and tracker/settings/update set a tracker's group, and refuse an unknown one (204)", async () => {
  const account = await newAccount();
  const { id: group_id } = await account.must("/tracker/group/create", north);
  const device = { label: "Van", model: "generic_gps", plugin_id: 44 };
  const { value } = await account.must("/tracker/register", { ...device, group_id, device_id: newImei() });
  expect(value.group_id).toBe(group_id);
  const { id: foreign } = await (await newAccount()).must("/tracker/group/create", north);
  for (const wrong of [foreign, UNKNOWN_ID, -1]) {
    const refused = await account.call("/tracker/register", { ...device, group_id: wrong, device_id: newImei() });
    expect(refused.status.code).toBe(204);
    const settings = { tracker_id: value.id, label: "Moved", group_id: wrong };
    expect((await account.call("/tracker/settings/update", settings)).status.code).toBe(204);
  }
  await account.must("/tracker/settings/update", { tracker_id: value.id, label: "Moved", group_id: 0 });
  const { list } = await account.must("/tracker/list");
  expect(list).toMatchObject([{ label: "Moved", group_id: 0 }]);
});
