import { expect, test } from "vitest";
import { systemNow, writeLocal } from "../../shared/time/clock.ts";
import { DAY_MS } from "../../shared/time/duration.ts";
import { type Account, newAccount, operator, type Reply } from "../tool/call/account.ts";
import { stack } from "../tool/system/stack.ts";
import { waitUntil } from "../tool/wait.ts";

const inDays = (days: number) => writeLocal(systemNow() + days * DAY_MS, "Europe/Berlin");
const place = { lat: 52.5, lng: 13.4, address: "Yard", radius: 100 };
const task = { location: place, label: "Parcel", description: "", from: inDays(0), to: inDays(1) };
const days = { type: "weekdays", weekdays: [1, 2, 3, 4, 5, 6, 7] };
const schedule = { location: place, label: "Bins", description: "All", from_time: "06:30:00", duration: 60 };
const note = { label: "Note", fields: [], default: false };
const oil = { description: "Oil", conditions: { date: { end: inDays(90), notification_interval: 14 } } };

/** A limited thing, the operation that makes one, and its parameters for an account that has none yet. */
type Making = [thing: string, path: string, given: (account: Account) => Promise<object> | object];

const MAKING: Making[] = [
  ["vehicles", "/vehicle/create", () => ({ vehicle: { label: "Van" } })],
  ["employees", "/employee/create", () => ({ employee: { first_name: "Ann" } })],
  ["departments", "/department/create", () => ({ department: { label: "Sales" } })],
  [
    "garages",
    "/garage/create",
    () => ({ garage: { organization_name: "North", mechanic_name: "Bo", dispatcher_name: "Cy", location: null } }),
  ],
  ["tasks", "/task/create", () => ({ task })],
  ["schedules", "/task/schedule/create", () => ({ schedule: { ...schedule, parameters: days } })],
  ["security_groups", "/subuser/security_group/create", () => ({ group: { label: "G", privileges: { rights: [] } } })],
  ["service_tasks", "/vehicle/service_task/create", async (account) => ({ task: { ...oil, ...(await van(account)) } })],
  ["form_templates", "/form/template/create", () => ({ template: note })],
  [
    "checkins",
    "/checkin/create",
    async (account) => ({ ...(await newTrackerId(account)), location: { lat: 1, lng: 2 } }),
  ],
  [
    "checkins",
    "/checkin/form/create",
    async (account) => ({
      ...(await newTrackerId(account)),
      template_id: (await account.must("/form/template/create", { template: note })).id,
    }),
  ],
  ["tags", "/tag/create", () => ({ tag: { name: "Cold", color: "27A9E3" } })],
  ["rules", "/tracker/rule/create", () => ({ rule: { type: "speedup", name: "Speed", param: 90 } })],
  ["places", "/place/create", () => ({ place: { label: "Shop", location: place } })],
];

async function newTrackerId(account: Account) {
  const { id: tracker_id } = await account.newTracker();
  return { tracker_id };
}

async function van(account: Account) {
  const { id: tracker_id } = await account.newTracker();
  const { id } = await account.must("/vehicle/create", { vehicle: { label: "Van", tracker_id } });
  return { vehicle_id: Number(id) };
}

async function limitAccount(limits: object, account?: Account) {
  const own = account ?? (await newAccount());
  await operator.must("/panel/user/update", { user_id: own.id, limits });
  return own;
}

const codeOf = ({ success, status }: Reply) => (success ? "made" : status.code);

test.each(MAKING)(
  "an account has no more %s than its limit, also under parallel calls of %s",
  async (thing, path, given) => {
    const account = await limitAccount({ [thing]: 2 });
    const parameters = await given(account);
    const replies = await Promise.all(Array.from({ length: 5 }, () => account.call(path, parameters)));
    expect(replies.map(codeOf).toSorted()).toEqual([268, 268, 268, "made", "made"]);
    await limitAccount({ [thing]: 3 }, account);
    expect([codeOf(await account.call(path, parameters)), codeOf(await account.call(path, parameters))]).toEqual([
      "made",
      268,
    ]);
  },
);

test("a route counts with each of its checkpoints, when it is made and when it gets more", async () => {
  const account = await limitAccount({ tasks: 2 });
  const route = { label: "Loop", description: "" };
  const create = () => account.call("/task/route/create", { route, checkpoints: [task, task] });
  expect(codeOf(await create())).toBe(268);
  await limitAccount({ tasks: 3 }, account);
  const { id, checkpoint_ids } = (await account.must("/task/route/create", { route, checkpoints: [task, task] }))
    .result;
  const stops = checkpoint_ids.map((one: number) => ({ ...task, id: one }));
  const grow = () => account.call("/task/route/update", { route: { ...route, id }, checkpoints: [...stops, task] });
  const add = () => account.call("/task/checkpoint/create", { checkpoint: { ...task, parent_id: id, order: 0 } });
  expect([codeOf(await grow()), codeOf(await add())]).toEqual([268, 268]);
  expect(codeOf(await account.call("/task/route/update", { route: { ...route, id }, checkpoints: stops }))).toBe(
    "made",
  );
  await limitAccount({ tasks: 5 }, account);
  expect([codeOf(await grow()), codeOf(await add()), codeOf(await add())]).toEqual(["made", "made", 268]);
});

test("service tasks of several vehicles are within the limit or none is made; nor is one that repeats", async () => {
  const account = await limitAccount({ service_tasks: 1 });
  const vehicle_ids = [(await van(account)).vehicle_id, (await van(account)).vehicle_id];
  for (const path of ["/vehicle/service_task/batch/create", "/vehicle/service_task/batch_create"]) {
    expect(codeOf(await account.call(path, { vehicle_ids, task: oil }))).toBe(268);
  }
  expect((await account.must("/vehicle/service_task/list")).count).toBe(0);
  const date = { ...oil.conditions.date, repeat: 30 };
  const repeating = { ...oil, vehicle_id: vehicle_ids[0], repeat: true, conditions: { date } };
  const { id: task_id } = await account.must("/vehicle/service_task/create", { task: repeating });
  const done = () => account.call("/vehicle/service_task/set_status", { task_id, status: "done" });
  expect(codeOf(await done())).toBe(268);
  expect((await account.must("/vehicle/service_task/read", { task_id })).value.status).not.toBe("done");
  await limitAccount({ service_tasks: 2 }, account);
  expect(codeOf(await done())).toBe("made");
  expect((await account.must("/vehicle/service_task/list")).count).toBe(2);
});

test.each([
  ["employee", "employees", "first_name"],
  ["vehicle", "vehicles", "label"],
])("an import of %ss begins where there is room for all of its rows", async (type, thing, header) => {
  const account = await limitAccount({ [thing]: 2 });
  const start = async (rows: string[]) => {
    const { file_id } = await account.must("/data/spreadsheet/parse", {
      file: new File([rows.join("\n")], "rows.csv"),
    });
    return account.call(`/${type}/import/start`, { filename: file_id, headers: [header] });
  };
  expect(codeOf(await start(["A", "B", "C"]))).toBe(268);
  expect(codeOf(await start(["A", "B"]))).toBe("made");
  const imported = async () => {
    await stack.fireCron("fleet");
    return (await account.must(`/${type}/list`)).count;
  };
  await waitUntil("both rows are imported", imported, (count) => count === 2);
});

test("import rows beyond a limit that other calls have used up meanwhile fail line by line", async () => {
  const account = await limitAccount({ departments: 5, employees: 3 });
  const text = Array.from({ length: 3 }, (_, index) => `Name ${index}`).join("\n");
  const { file_id } = await account.must("/data/spreadsheet/parse", { file: new File([text], "rows.csv") });
  const start = { filename: file_id, headers: ["first_name"] };
  const { id: process_id } = await account.must("/employee/import/start", start);
  const others = Array.from({ length: 3 }, () => account.call("/employee/create", { employee: { first_name: "Bo" } }));
  const made = (await Promise.all(others)).map(codeOf).filter((code) => code === "made").length;
  const status = async () => {
    await stack.fireCron("fleet");
    return (await account.must("/employee/import/read", { process_id })).value.status;
  };
  await waitUntil("the import is done", status, (value) => value === "done");
  const { progress } = (await account.must("/employee/import/read", { process_id })).value;
  expect([progress.imported, progress.failed]).toEqual([3 - made, made]);
  for (const { error } of progress.errors) expect(error).toBe("employee: Limit exceeded");
  expect((await account.must("/employee/list")).count).toBe(3);
});

test("panel/user/update sets the limits of an account, and panel/user/read answers exactly those", async () => {
  const account = await newAccount();
  const limits = { rules: 3, mails: 4, vehicles: 5, departments: 6 };
  await operator.must("/panel/user/update", { user_id: account.id, limits });
  expect((await operator.must("/panel/user/read", { user_id: account.id })).value.limits).toEqual(limits);
});

test("tracker/group/create makes a thousand groups in an account and is 268 from then on", async () => {
  const account = await newAccount();
  const group = { title: "North", color: "27A9E3" };
  const rows = "SELECT ?, value, '27A9E3' FROM json_each(?)";
  const titles = JSON.stringify(Array(990).fill("North"));
  await stack.change("fleet", `INSERT INTO tracker_group (account_id, title, color) ${rows}`, account.id, titles);
  const calls = Array.from({ length: 12 }, () => account.call("/tracker/group/create", group));
  const codes = (await Promise.all(calls)).map(codeOf);
  expect(codes.filter((code) => code === 268)).toHaveLength(2);
});
