import { expect, test } from "vitest";
import { type Account, newAccount, type Reply, sharedAccount, UNKNOWN_ID } from "#test/tool/call/account.ts";
import { newSubUser } from "#test/tool/call/mailbox.ts";
import { newFile, newTicket } from "#test/tool/call/uploads.ts";
import { stack } from "#test/tool/system/stack.ts";

const PATH = "/vehicle/service_task";
const DATED = { description: "Oil change", conditions: { date: { end: "2030-01-01 00:00:00" } } };
const codeOf = ({ success, status, errors }: Reply) => (success ? undefined : [status.code, errors?.[0].parameter]);

async function newVehicle(account: Account) {
  const { id: tracker_id } = await account.newTracker();
  const { id } = await account.must("/vehicle/create", { vehicle: { label: "Van", tracker_id } });
  return Number(id);
}

const idsOf = async (account: Account, task_id: number) =>
  (await account.must(`${PATH}/read`, { task_id })).value.file_ids;
const keptOf = (file_id: number) => stack.objects(`upload/${file_id}/`);
const statsOf = async (account: Account) => (await account.must("/file/stats/read")).value;

/** Sweeps fleet, which releases files that no task names, and files, which removes them. */
async function sweep() {
  await stack.fireCron("fleet");
  await stack.fireCron("files");
}

test("service tasks keep their files in the order given, each once, and a file goes with the last task that has it", async () => {
  const account = await newAccount();
  const [vehicle_id, other_vehicle] = [await newVehicle(account), await newVehicle(account)];
  const [bill, photo, plan] = [await newFile(account), await newFile(account), await newFile(account)];
  const task = { ...DATED, file_ids: [photo, bill, photo] };
  const { id } = await account.must(`${PATH}/create`, { task: { ...task, vehicle_id, repeat: true } });
  const batch = { vehicle_ids: [vehicle_id, other_vehicle], task: { ...DATED, file_ids: [bill, plan] } };
  const { ids } = await account.must(`${PATH}/batch/create`, batch);
  expect(await Promise.all([id, ...ids].map((one) => idsOf(account, one)))).toEqual([
    [photo, bill],
    [bill, plan],
    [bill, plan],
  ]);
  const { files } = (await account.must(`${PATH}/read`, { task_id: id })).value;
  expect(files.map((file: Reply) => [file.id, file.state, file.user_id])).toEqual([
    [photo, "uploaded", account.id],
    [bill, "uploaded", account.id],
  ]);
  expect((await fetch(files[0].download_url)).headers.get("content-length")).toBe(String(files[0].size));
  // The following task of a repeated one has no files.
  await account.must(`${PATH}/set_status`, { task_id: id, status: "done" });
  const { list } = await account.must(`${PATH}/list`, { statuses: ["created"], sort: ["id=desc"] });
  expect(list[0].file_ids).toEqual([]);

  await account.must(`${PATH}/update`, { task: { ...task, id, file_ids: [bill] } });
  await sweep();
  expect((await Promise.all([photo, bill, plan].map(keptOf))).map(({ length }) => length)).toEqual([0, 1, 1]);
  expect(await statsOf(account)).toMatchObject({ file_count: 2, total_size: 8 });
  const again = await account.call(`${PATH}/update`, { task: { ...task, id, file_ids: [photo] } });
  expect(codeOf(again)).toEqual([7, "task.file_ids"]);

  await account.must(`${PATH}/delete`, { task_ids: [id, ids[0]] });
  await sweep();
  expect(await statsOf(account)).toMatchObject({ file_count: 2 });
  await account.must("/vehicle/delete", { vehicle_id: other_vehicle });
  await sweep();
  expect(await statsOf(account)).toMatchObject({ file_count: 0, total_size: 0 });
  expect(await Promise.all([bill, plan].map(keptOf))).toEqual([[], []]);
});

test("vehicle/service_task/create and update refuse a file that is unknown, foreign or not uploaded (7), and store nothing", async () => {
  const [account, rival] = [await sharedAccount(), await newAccount()];
  const vehicle_id = await newVehicle(account);
  const own = await newFile(account);
  const { id } = await account.must(`${PATH}/create`, { task: { ...DATED, vehicle_id, file_ids: [own] } });
  const { file_id: not_yet } = await newTicket(account);
  for (const wrong of [UNKNOWN_ID, await newFile(rival), not_yet]) {
    const task = { ...DATED, file_ids: [own, wrong] };
    for (const [path, parameters] of [
      ["create", { task: { ...task, vehicle_id } }],
      ["update", { task: { ...task, id, comment: "changed" } }],
      ["batch/create", { vehicle_ids: [vehicle_id], task }],
    ] as const) {
      expect(codeOf(await account.call(`${PATH}/${path}`, parameters)), path).toEqual([7, "task.file_ids"]);
    }
  }
  const many = { ...DATED, vehicle_id, file_ids: Array.from({ length: 101 }, (_, index) => index) };
  expect(codeOf(await account.call(`${PATH}/create`, { task: many }))).toEqual([7, "task.file_ids"]);
  const { list } = await account.must(`${PATH}/list`, { vehicle_ids: [vehicle_id] });
  expect(list).toMatchObject([{ id, comment: "", file_ids: [own] }]);
  await sweep();
  expect(await keptOf(own)).toHaveLength(1);
});

test("vehicle/service_task/file/create refuses wrong parameters of a file by name", async () => {
  const account = await sharedAccount();
  for (const [wrong, parameter] of [
    [{ size: "x" }, "size"],
    [{ filename: "x".repeat(256) }, "filename"],
    [{ metadata: [] }, "metadata"],
    [{ metadata: { text: "x".repeat(2000) } }, "metadata"],
  ] as const) {
    const reply = await account.call(`${PATH}/file/create`, { size: 1, ...wrong });
    expect(codeOf(reply)).toEqual([7, parameter]);
  }
});

test("a service task may name the caller's own uploads, and others' files that a task visible to the caller has already", async () => {
  const account = await newAccount();
  const [open, hidden] = [await newVehicle(account), await newVehicle(account)];
  const clerk = await newClerk(account, open);
  const [secret, own] = [await newFile(account), await newFile({ ...account, must: clerk.must })];
  const { id: secret_task } = await account.must(`${PATH}/create`, {
    task: { ...DATED, vehicle_id: hidden, file_ids: [secret] },
  });
  const create = (caller: Pick<Account, "call">, file_ids: number[], vehicle_id = open) =>
    caller.call(`${PATH}/create`, { task: { ...DATED, vehicle_id, file_ids } });
  expect(codeOf(await create(clerk, [secret]))).toEqual([7, "task.file_ids"]);
  expect(codeOf(await create(clerk, [own, secret]))).toEqual([7, "task.file_ids"]);
  const batch = { vehicle_ids: [open], task: { ...DATED, file_ids: [secret] } };
  expect(codeOf(await clerk.call(`${PATH}/batch/create`, batch))).toEqual([7, "task.file_ids"]);
  // No task names the file yet, and only the clerk, who uploaded it, may name it.
  expect(codeOf(await create(account, [own]))).toEqual([7, "task.file_ids"]);
  const { id } = await create(clerk, [own]);
  expect(codeOf(await clerk.call(`${PATH}/update`, { task: { ...DATED, id, file_ids: [own, secret] } }))).toEqual([
    7,
    "task.file_ids",
  ]);
  expect(codeOf(await create(account, [own]))).toBeUndefined();
  // The clerk may name a file that a task visible to the clerk already has.
  expect(codeOf(await create(account, [secret]))).toBeUndefined();
  expect(codeOf(await create(clerk, [secret]))).toBeUndefined();
  expect(await idsOf(account, secret_task)).toEqual([secret]);
});

/** A sub-user that may plan service tasks of the vehicle, and sees no other. */
async function newClerk(account: Account, vehicle_id: number) {
  const { id: subuser_id, hash } = await newSubUser(account);
  const group = { label: "Clerks", privileges: { rights: ["vehicle_update"] } };
  const { id: group_id } = await account.must("/subuser/security_group/create", { group });
  await account.must("/subuser/security_group/assign", { group_id, subuser_ids: [subuser_id] });
  const { tracker_id } = (await account.must("/vehicle/read", { vehicle_id })).value;
  await account.must("/subuser/tracker/bind", { subuser_id, trackers: [tracker_id] });
  return {
    call: (path: string, parameters: object = {}) => account.call(path, { ...parameters, hash }),
    must: (path: string, parameters: object = {}) => account.must(path, { ...parameters, hash }),
  };
}
