import { beforeAll, expect, test } from "vitest";
import { systemNow, writeLocal } from "../../shared/time/clock.ts";
import { DAY_MS } from "../../shared/time/duration.ts";
import { type Account, newAccount, type Reply, UNKNOWN_ID } from "../tool/call/account.ts";
import { newSubUser } from "../tool/call/mailbox.ts";

const inDays = (days: number) => writeLocal(systemNow() + days * DAY_MS, "Europe/Berlin");
const dock = { lat: 52.5, lng: 13.4, address: "Dock 4", radius: 100 };
const common = { label: "Name", description: "What it is", required: false };
const signer = { ...common, id: "name", type: "text", min_length: 1, max_length: 20 };
const group = [{ label: "Training" }, { label: 'Set "up"' }];
const boxes = {
  ...common,
  id: "boxes",
  label: "Extras",
  type: "checkbox_group",
  group,
  min_checked: 0,
  max_checked: 2,
};
const note = {
  label: "Delivery note",
  description: "",
  submit_in_zone: false,
  default: false,
  fields: [signer, boxes],
};
const plain = { location: dock, label: "Stop", description: "", from: inDays(0), to: inDays(1) };
const values = { name: { type: "text", value: "=1+1" }, boxes: { type: "checkbox_group", values: [false, true] } };

let account: Account;
let template_id: number;
let tracker_id: number;
let [first, second, third]: number[] = [];
beforeAll(async () => {
  account = await newAccount();
  template_id = (await account.must("/form/template/create", { template: note })).id;
  tracker_id = (await account.newTracker({ label: "Van 3" })).id;
  await account.must("/employee/create", { employee: { first_name: "Ann", last_name: "Roe", tracker_id } });
  await account.must("/vehicle/create", { vehicle: { label: "Sprinter", tracker_id } });
  first = await newTask({ label: "Beta", tracker_id });
  second = await newTask({ label: "alpha" });
  third = await newTask({ label: "Gamma" });
  const location = { lat: 52.5, lng: 13.4, address: "Gate" };
  await account.must("/task/form/values/update", { task_id: first, values, location });
  await account.must("/task/form/values/update", { task_id: second, values: {} });
});

async function newTask(more: object) {
  const task = {
    label: "Heavy",
    location: dock,
    description: "",
    from: inDays(0),
    to: inDays(1),
    form_template_id: template_id,
    ...more,
  };
  return Number((await account.must("/task/create", { task, create_form: true })).id);
}

const codeOf = ({ success, status }: Reply) => (success ? "done" : status.code);
const ask = (more: object = {}) =>
  account.call("/task/form/list", { template_id, ascending: true, include_unsubmitted: true, ...more });
const found = async (more: object = {}) => (await ask(more)).list.map(({ task }: Reply) => task.id);

test("a form is listed with its task and who and what is on the tracker", async () => {
  const { list, count } = await ask({ include_unsubmitted: false, filters: { tracker_label: "van" } });
  const { value } = await account.must("/task/form/read", { task_id: first });
  expect(count).toBe(1);
  expect(list[0]).toMatchObject({
    employee: { first_name: "Ann", middle_name: "", last_name: "Roe" },
    task: {
      id: first,
      label: "Beta",
      address: "Dock 4",
      status: "assigned",
      completion_date: null,
      fact_duration: "PT0S",
    },
    tracker: { id: tracker_id, label: "Van 3" },
    vehicle: { label: "Sprinter" },
    form: value,
    submit_places: { location: value.submit_location, places: [], zones: [] },
  });
});

test("lists are filtered, sorted and cut into pages", async () => {
  expect(await found({ include_unsubmitted: false })).toEqual([first, second]);
  expect(await found({ order_by: "task_label" })).toEqual([second, first, third]);
  expect(await found({ order_by: "task_label", ascending: false })).toEqual([third, first, second]);
  expect(await found({ order_by: "employee_full_name", ascending: false })).toEqual([first, second, third]);
  expect(await found({ template_id: null, task_ids: [third, second, UNKNOWN_ID] })).toEqual([second, third]);
  expect(await found({ task_ids: [] })).toEqual([]);
  const filtered = (filters: object) => found({ filters });
  expect(await filtered({ task_label: "LPH" })).toEqual([second]);
  expect(await filtered({ task_id: String(second) })).toEqual([second]);
  expect(await filtered({ task_id: String(second).slice(0, -1) || "x" })).not.toContain(second);
  expect(await filtered({ submit_address: "gat" })).toEqual([first]);
  expect(await filtered({ employee_full_name: "roe", vehicle_label: "spr", task_address: "dock" })).toEqual([first]);
  expect(await filtered({ form_label: "other" })).toEqual([]);
  const day = { from: inDays(-1), to: inDays(1) };
  expect(await found({ submit_period: day })).toEqual([first, second]);
  expect(await found({ task_creation_period: { from: inDays(1), to: inDays(2) } })).toEqual([]);
  expect(await ask({ order_by: "task_id", offset: 1, limit: 1 })).toMatchObject({
    list: [{ task: { id: second } }],
    count: 3,
  });
});

test("a list needs a template of the account or tasks, and takes no more than it says", async () => {
  const foreign = (await (await newAccount()).must("/form/template/create", { template: note })).id;
  for (const unknown of [UNKNOWN_ID, foreign]) expect(codeOf(await ask({ template_id: unknown }))).toBe(204);
  expect(codeOf(await ask({ template_id: null }))).toBe(7);
  expect(codeOf(await ask({ ascending: null }))).toBe(7);
  expect(codeOf(await ask({ order_by: "color" }))).toBe(7);
  expect(codeOf(await ask({ task_ids: Array(5001).fill(1) }))).toBe(7);
  expect(codeOf(await ask({ limit: 100_001 }))).toBe(212);
  expect(codeOf(await ask({ limit: 100_000 }))).toBe("done");
});

test("forms of more bytes than one page holds are all listed", async () => {
  const long = "x".repeat(1024);
  const fields = Array.from({ length: 100 }, (_, at) => ({ ...signer, id: `f${at}`, max_length: 1024 }));
  const big = (await account.must("/form/template/create", { template: { ...note, fields } })).id;
  const all = Object.fromEntries(fields.map(({ id }) => [id, { type: "text", value: long }]));
  const tasks: number[] = [];
  for (let made = 0; made < 45; made++) {
    const task_id = await newTask({ form_template_id: big });
    await account.must("/task/form/values/update", { task_id, values: all });
    tasks.push(task_id);
  }
  const { list, count } = await ask({ template_id: big, order_by: "task_id" });
  expect(count).toBe(45);
  expect(list.map(({ task }: Reply) => task.id)).toEqual(tasks);
  const conditions = [{ type: "eq", field: "form", value: big }];
  const shown = (await account.must("/task/list", { conditions, sort: ["id=asc"] })).list;
  expect(shown.map(({ id, form }: Reply) => [id, Object.keys(form.values).length])).toEqual(
    tasks.map((id) => [id, 100]),
  );
  const checkpoints = tasks.map(() => ({ ...plain, form_template_id: big }));
  const route = { label: "Loop", description: "" };
  const { result } = await account.must("/task/route/create", { route, checkpoints, create_form: true });
  for (const task_id of result.checkpoint_ids) {
    await account.must("/task/form/values/update", { task_id, values: all });
  }
  const read = await account.must("/task/read", { task_id: result.id });
  expect(read.value).toMatchObject({ id: result.id, from: plain.from });
  const named = await account.must("/task/checkpoint/list", { checkpoint_ids: result.checkpoint_ids });
  for (const stops of [read.checkpoints, named.list]) {
    expect(stops.map(({ id }: Reply) => id)).toEqual(result.checkpoint_ids);
    expect(stops[44].form).toMatchObject({ values: all, created: expect.any(String) });
  }
});

test("a sub-user lists the forms of its trackers' tasks", async () => {
  const { hash } = await newSubUser(account);
  expect(await found({ hash, template_id })).not.toContain(first);
  expect(await found({ hash, template_id })).toContain(second);
});

test("tasks are found and sorted by the template and the label of their forms", async () => {
  const tasksOf = async (more: object) =>
    (await account.must("/task/list", more)).list
      .map(({ id }: Reply) => id)
      .filter((id: number) => id <= Number(third));
  const is = (condition: object) => tasksOf({ conditions: [{ field: "form", ...condition }] });
  expect(await is({ type: "eq", value: template_id })).toEqual([first, second, third]);
  expect(await is({ type: "eq", value: UNKNOWN_ID })).toEqual([]);
  expect(await is({ type: "contains", value: "DELIV" })).toEqual([first, second, third]);
  expect(await tasksOf({ filter: "ivery NOTE" })).toEqual([first, second, third]);
  const { id: plain } = await account.must("/task/create", {
    task: { location: dock, label: "Plain", description: "", from: inDays(0), to: inDays(1) },
  });
  const { list } = await account.must("/task/list", { sort: ["form=asc"] });
  expect(list.at(-1).id).toBe(plain);
  await account.must("/task/delete", { task_id: plain });
});

test("a form is a document with the words of its values, and no formula for spreadsheets", async () => {
  const download = (task_id: number | undefined, format: string) =>
    account.call("/task/form/download", { task_id, format });
  const { file } = await download(first, "csv");
  const [title, submitted, place, name, extras] = file.split("\r\n");
  expect([title, place, name, extras]).toEqual(["Field,Value", "Place,Gate", "Name,'=1+1", 'Extras,"Set ""up"""']);
  expect(submitted).toMatch(/^Submitted,\d{4}-/);
  expect((await download(third, "csv")).file).toContain("Submitted,not yet");
  expect((await download(first, "pdf")).file).toMatch(/^%PDF/);
  expect((await download(first, "xls")).success).toBe(true);
  const { id } = (await account.must("/task/form/read", { task_id: first })).value;
  expect((await account.call("/form/download", { id, format: "xlsx" })).file).toMatch(/^PK/);
  expect(codeOf(await download(UNKNOWN_ID, "csv"))).toBe(201);
  expect(codeOf(await account.call("/form/download", { id: UNKNOWN_ID, format: "pdf" }))).toBe(201);
  expect(codeOf(await download(first, "xlsx"))).toBe(7);
});
