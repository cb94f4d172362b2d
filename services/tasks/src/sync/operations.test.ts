import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { type Account, type Reply, sharedAccount } from "#test/tool/call/account.ts";
import { newSubUser } from "#test/tool/call/mailbox.ts";
import { upload } from "#test/tool/call/uploads.ts";
import { PNG } from "#test/tool/document/png.ts";
import { stack } from "#test/tool/system/stack.ts";
import { waitUntil } from "#test/tool/wait.ts";
import { systemNow, writeLocal } from "../../../../shared/time/clock.ts";
import { DAY_MS, HOUR_MS } from "../../../../shared/time/duration.ts";

const at = (ms: number) => writeLocal(systemNow() + ms, "Europe/Berlin");
const dock = { lat: 52.5, lng: 13.4, address: "Dock 4" };
const signer = { id: "name", label: "Field", description: "What it is", type: "text" };
const field = { ...signer, required: true, min_length: 1, max_length: 20 };
const note = { label: "Note", description: "", submit_in_zone: false, default: false, fields: [field] };
const smith = { name: { type: "text", value: "A. Smith" } };
const before = at(-HOUR_MS);

let account: Account;
let tracker_id: number;
let template_id: number;
beforeAll(async () => {
  account = await sharedAccount();
  tracker_id = (await account.newTracker()).id;
  template_id = (await account.must("/form/template/create", { template: note })).id;
});

type Item = { uuid: string; time: string; operation: string; params: object };
const item = (operation: string, params: object, more: Partial<Item> = {}): Item => ({
  ...{ uuid: randomUUID(), time: before, operation, params },
  ...more,
});
const checkin = (more: object = {}, rest: Partial<Item> = {}) =>
  item("checkin/create", { tracker_id, location: dock, ...more }, rest);
const push = async (items: Item[], owner: Pick<Account, "must"> = account): Promise<Reply[]> => {
  const { results } = await owner.must("/sync/push", { items });
  expect(results.map(({ uuid }: Reply) => uuid)).toEqual(items.map(({ uuid }) => uuid));
  return results.map(({ answer }: Reply) => answer);
};
const codeOf = ({ success, status }: Reply) => (success ? "done" : status.code);
const newTask = async (more: object = {}) => {
  const [from, to] = [at(-DAY_MS), at(DAY_MS)];
  const place = { ...dock, radius: 100 };
  const task = { label: "Parcel", description: "", location: place, from, to, tracker_id, ...more };
  return Number((await account.must("/task/create", { task })).id);
};
const formOf = async (task_id: number) => (await account.must("/task/form/read", { task_id })).value;
const checkinsOf = async (id: number) => (await account.must("/checkin/list", { trackers: [id] })).list;
/** A sub-user with these rights, who sees these trackers. */
async function newDriver(rights: string[], trackers: number[]) {
  const group = { label: "Field", privileges: { rights } };
  const { id: security_group_id } = await account.must("/subuser/security_group/create", { group });
  const { id: subuser_id, hash } = await newSubUser(account);
  await account.must("/subuser/update", { user: { id: subuser_id, security_group_id } });
  await account.must("/subuser/tracker/bind", { subuser_id, trackers });
  return { must: (path: string, parameters: object = {}) => account.must(path, { ...parameters, hash }) };
}

test("sync/push answers each item like its single call, and a failed item stops no other", async () => {
  const { id } = await account.newTracker();
  const answers = await push([
    checkin({ tracker_id: id, comment: "one" }),
    checkin({ tracker_id: 999_999_999 }),
    checkin({ tracker_id: id, file_ids: [999_999_999] }),
    checkin({ tracker_id: id, location: { lat: 100, lng: 0 } }),
    item("vehicle/create", { vehicle: { label: "Van" } }),
    checkin({ tracker_id: id, comment: "two" }),
  ]);
  expect(answers.map(codeOf)).toEqual(["done", 201, 201, 7, 111, "done"]);
  expect(answers[3].errors).toMatchObject([{ parameter: "location.lat" }]);
  const stored = await checkinsOf(id);
  expect(stored.map(({ comment, marker_time }: Reply) => [comment, marker_time])).toEqual([
    ["one", before],
    ["two", before],
  ]);
  expect(answers[0].id).toBe(stored[0].id);
  expect(answers[5].id).toBe(stored[1].id);
});

test("sync/push makes a check-in's event at the item's time, with its own photos", async () => {
  const { id } = await account.newTracker({ label: "Van 9" });
  const photos: number[] = [];
  for (let number = 0; number < 2; number++) {
    const { value } = await account.must("/checkin/image/create", { size: 1000 });
    await upload(value, new File([PNG], "a.png"));
    photos.push(Number(value.file_id));
  }
  const [first, second] = photos;
  const answers = await push([
    checkin({ tracker_id: id, comment: "A", file_ids: [first] }),
    checkin({ tracker_id: id, file_ids: [first] }),
    checkin({ tracker_id: id, comment: "B", file_ids: [second] }),
  ]);
  expect(answers.map(codeOf)).toEqual(["done", 201, "done"]);
  const files = (await checkinsOf(id)).map((one: Reply) => one.files.map((file: Reply) => file.id));
  expect(files).toEqual([[first], [second]]);
  await stack.fireCron("tasks");
  const range = { from: at(-DAY_MS), to: at(DAY_MS) };
  const { list: events } = await account.must("/history/tracker/list", { trackers: [id], ...range });
  const checkinEvents = events.map(({ time, extra }: Reply) => [time, extra.checkin_id]);
  expect(checkinEvents).toEqual(
    expect.arrayContaining([answers[0], answers[2]].map((answer: Reply) => [before, answer.id])),
  );
  expect(checkinEvents).toHaveLength(2);
});

test("sync/push does each item once and answers the same when eight of ten replays are cut off on the way", async () => {
  const { id } = await account.newTracker();
  const task_id = await newTask({ tracker_id: id });
  const day = { tracker_id: id, type: "work", start_location: dock, end_location: dock };
  const dates = { start_date: at(-3 * HOUR_MS), end_date: at(-2 * HOUR_MS) };
  const items = [
    ...Array.from({ length: 20 }, (_, number) => checkin({ tracker_id: id, comment: `${number}` })),
    item("task/form/create", { task_id, template_id }),
    item("task/form/values/update", { task_id, values: smith }),
    item("checkin/form/create", { tracker_id: id, template_id }),
    item("driver/journal/entry/create", { entries: [{ ...day, ...dates, length: 1 }] }),
  ];
  const whole = () => account.call("/sync/push", { items });
  /** Sends the items, and disconnects once this number of check-ins is stored. */
  const cutAfter = async (count: number) => {
    const over = new AbortController();
    const asked = fetch(`${stack.baseUrl}/sync/push`, {
      ...{ method: "POST", signal: over.signal, headers: { "Content-Type": "application/json" } },
      body: JSON.stringify({ hash: account.hash, items }),
    });
    const ended = asked.catch(() => undefined);
    await waitUntil(`${count} check-ins are stored`, async () => (await checkinsOf(id)).length >= count);
    over.abort();
    await ended;
  };
  const cut = [0, 0, 1, 3, 6, 10, 14, 19].map(cutAfter);
  await Promise.all([...cut, whole(), whole()]);
  const [last, again] = [await push(items), await push(items)];
  expect(last.map(codeOf)).toEqual(items.map(() => "done"));
  expect(again).toEqual(last);
  const stored = await checkinsOf(id);
  expect(stored.map(({ comment }: Reply) => comment)).toEqual(Array.from({ length: 20 }, (_, number) => `${number}`));
  const search = { tracker_id: id, from: at(-DAY_MS), to: at(DAY_MS) };
  expect((await account.must("/driver/journal/entry/list", search)).list).toHaveLength(1);
});

test("sync/push tries an item that failed again when it is sent again", async () => {
  const task_id = await newTask();
  const filled = item("task/form/values/update", { task_id, values: smith });
  expect((await push([filled])).map(codeOf)).toEqual([201]);
  await account.must("/task/form/create", { task_id, template_id });
  expect((await push([filled])).map(codeOf)).toEqual(["done"]);
});

test("sync/push lets an item name the result of an earlier one by its uuid", async () => {
  const { id } = await account.newTracker();
  const issued = item("checkin/form/create", { tracker_id: id, template_id });
  const submitting = (uuid: string) => ({
    tracker_id: id,
    form_submission: { form_id: { result_of: uuid }, values: smith },
  });
  const items = [issued, checkin(submitting(issued.uuid)), checkin(submitting(randomUUID()))];
  const answers = await push(items);
  expect(answers.map(codeOf)).toEqual(["done", "done", 7]);
  const [stored] = await checkinsOf(id);
  expect(stored).toMatchObject({ form_id: answers[0].id, form_label: "Note" });
  const { value } = await account.must("/form/read", { id: answers[0].id });
  expect(value).toMatchObject({ submitted: before, submit_location: dock, values: smith });
  expect((await push(items)).map(codeOf)).toEqual(["done", "done", 7]);
});

test("sync/push submits a task's form at the item's time, in the order of the items", async () => {
  const task_id = await newTask();
  const written = (value: string, time: string) =>
    item("/task/form/values/update", { task_id, values: { name: { type: "text", value } } }, { time });
  const [earlier, later] = [at(-2 * HOUR_MS), at(-HOUR_MS)];
  const answers = await push([
    item("task/form/create", { task_id, template_id }),
    written("one", earlier),
    written("two", later),
  ]);
  expect(answers.map(codeOf)).toEqual(["done", "done", "done"]);
  expect(await formOf(task_id)).toMatchObject({ submitted: later, values: { name: { value: "two" } } });
});

test("sync/push takes a time ahead of the clock as now", async () => {
  const { id } = await account.newTracker();
  await push([checkin({ tracker_id: id }, { time: at(DAY_MS) })]);
  const [stored] = await checkinsOf(id);
  expect(stored.marker_time <= at(0)).toBe(true);
});

test("sync/push answers 7 to an item with a time before 2000, stores nothing of it, and does the other items", async () => {
  const { id } = await account.newTracker();
  // In Berlin, an hour ahead of UTC.
  const [early, first] = [{ time: "2000-01-01 00:59:59" }, { time: "2000-01-01 01:00:00" }];
  const answers = await push([
    checkin({ tracker_id: id, comment: "early" }, early),
    checkin({ tracker_id: id, comment: "first" }, first),
    item("checkin/form/create", { tracker_id: id, template_id }, { time: "0001-01-01 00:00:00" }),
    item("status/tracker/assign", { tracker_id: id, new_status_id: 1 }, early),
    checkin({ tracker_id: id, comment: "now" }),
  ]);
  expect(answers.map(codeOf)).toEqual([7, "done", 7, 7, "done"]);
  for (const answer of answers.filter(({ success }) => !success))
    expect(answer.errors).toMatchObject([{ parameter: "time" }]);
  expect((await checkinsOf(id)).map(({ comment }: Reply) => comment).toSorted()).toEqual(["first", "now"]);
});

test("sync/push stores all correct journal entries, whatever is wrong with others", async () => {
  const { id } = await account.newTracker();
  const entry = (hours: number, more: object = {}) => ({
    ...{ tracker_id: id, type: "work", start_location: dock, end_location: dock, length: 1 },
    ...{ start_date: at(-hours * HOUR_MS), end_date: at(-(hours - 1) * HOUR_MS), ...more },
  });
  const journal = (entries: unknown) => item("driver/journal/entry/create", { entries });
  const good = Array.from({ length: 12 }, (_, index) => journal([entry(40 - 2 * index)]));
  const items = [
    ...good.slice(0, 5),
    journal([entry(40)]), // overlaps the first
    journal([entry(60, { tracker_id: 999_999_999 })]),
    journal([entry(70), entry(70)]),
    journal("none"),
    journal([]),
    ...good.slice(5),
  ];
  const wrong = [247, 7, 247, 7, "done"];
  const codes = [...good.slice(0, 5).map(() => "done"), ...wrong, ...good.slice(5).map(() => "done")];
  const first = await push(items);
  expect(first.map(codeOf)).toEqual(codes);
  const extended = [journal([entry(80)]), ...items, journal([entry(82)])];
  expect((await push(extended)).map(codeOf)).toEqual(["done", ...codes, "done"]);
  const search = { tracker_id: id, from: at(-5 * DAY_MS), to: at(DAY_MS) };
  const { list } = await account.must("/driver/journal/entry/list", search);
  expect(list).toHaveLength(good.length + 2);
});

test("sync/push changes a tracker's work status at the item's time, and answers a replay alike", async () => {
  const { id } = await account.newTracker();
  const listing = { label: "Drivers", employee_controlled: false, supervisor_controlled: true };
  const { id: listing_id } = await account.must("/status/listing/create", { listing });
  const { id: new_status_id } = await account.must("/status/create", {
    ...{ listing_id, status: { label: "Busy", color: "E57373" } },
  });
  await account.must("/status/listing/tracker/assign", { tracker_id: id, listing_id });
  const change = item("status/tracker/assign", { tracker_id: id, new_status_id });
  const [first, second] = [await push([change]), await push([change])];
  expect(first).toMatchObject([{ success: true, last_change: { new_status_id, changed: before } }]);
  expect(second).toEqual(first);
});

test("sync/push keeps the order of status changes, whatever is between them, and a wrong one stops no other", async () => {
  const { id } = await account.newTracker();
  const listing = { label: "Drivers", employee_controlled: false, supervisor_controlled: true };
  const { id: listing_id } = await account.must("/status/listing/create", { listing });
  const statuses: number[] = [];
  for (const label of ["Busy", "Free", "Home"]) {
    const status = { label, color: "E57373" };
    statuses.push((await account.must("/status/create", { listing_id, status })).id);
  }
  await account.must("/status/listing/tracker/assign", { tracker_id: id, listing_id });
  const change = (new_status_id: number | undefined, minutes: number, tracker_id = id) =>
    item("status/tracker/assign", { tracker_id, new_status_id }, { time: at(minutes * 60_000 - HOUR_MS) });
  const day = { tracker_id: id, type: "work", start_location: dock, end_location: dock, length: 1 };
  const entry = { ...day, start_date: at(-3 * HOUR_MS), end_date: at(-2 * HOUR_MS) };
  const [busy, free, home] = statuses;
  const items = [
    change(busy, 0),
    item("driver/journal/entry/create", { entries: [entry] }),
    change(free, 1),
    change(free, 2), // what it is already
    change(home, 3, 999_999_999),
    change(home, 4),
  ];
  const answers = await push(items);
  expect(answers.map(codeOf)).toEqual(["done", "done", "done", 263, 204, "done"]);
  const changes = [0, 2, 5].map((index) => answers[index].last_change);
  expect(changes.map(({ old_status_id, new_status_id }: Reply) => [old_status_id, new_status_id])).toEqual([
    [null, busy],
    [busy, free],
    [free, home],
  ]);
  expect(changes.map(({ changed }: Reply) => changed)).toEqual([items[0]?.time, items[2]?.time, items[5]?.time]);
  const done = [0, 1, 2, 5];
  const again = await push(items.filter((_, index) => done.includes(index)));
  expect(again).toEqual(done.map((index) => answers[index]));
  expect((await account.must("/status/tracker/read", { tracker_id: id })).current_status.id).toBe(home);
});

test("sync/push submits forms of many tasks, each at its time, and a wrong one stops no other", async () => {
  const tasks: number[] = [];
  for (let number = 0; number < 5; number++) tasks.push(await newTask({ form_template_id: template_id }));
  for (const task_id of tasks) await account.call("/task/form/create", { task_id, template_id });
  const filled = (task_id: number | undefined, value: string, minutes: number) =>
    item(
      "task/form/values/update",
      { task_id, values: { name: { type: "text", value } }, location: dock },
      { time: at(minutes * 60_000 - HOUR_MS) },
    );
  const [first, second, third, fourth, fifth] = tasks;
  const items = [
    filled(first, "a", 0),
    filled(second, "b", 1),
    filled(third, "", 2),
    filled(999_999_999, "c", 3),
    filled(fourth, "d", 4),
    filled(first, "again", 5),
    filled(fifth, "e", 6),
  ];
  const answers = await push(items);
  expect(answers.map(codeOf)).toEqual(["done", "done", 242, 201, "done", "done", "done"]);
  expect(answers[2].errors).toMatchObject([{ field_id: "name", code: 1 }]);
  const forms = await Promise.all(tasks.map(formOf));
  expect(forms.map(({ values, submitted }) => [values?.name.value, submitted])).toEqual([
    ["again", items[5]?.time],
    ["b", items[1]?.time],
    [undefined, null],
    ["d", items[4]?.time],
    ["e", items[6]?.time],
  ]);
  expect(await push(items)).toEqual(answers);
});

test("sync/push keeps a uuid for its user and its operation", async () => {
  const one = checkin();
  await push([one]);
  const other = item("checkin/form/create", { tracker_id, template_id }, { uuid: one.uuid });
  expect((await push([other])).map(codeOf)).toEqual([7]);
  const { id: somebody } = await account.newTracker();
  const driver = await newDriver(["checkin_update"], [somebody]);
  const answers = await push([checkin({ tracker_id: somebody }, { uuid: one.uuid }), checkin()], driver);
  expect(answers.map(codeOf)).toEqual(["done", 201]);
});

test("sync/push applies rights and limits to items as to single calls", async () => {
  const driver = await newDriver([], [tracker_id]);
  const task_id = await newTask();
  const answers = await push([checkin(), item("task/form/create", { task_id, template_id })], driver);
  expect(answers.map(codeOf)).toEqual([13, 13]);
});

test("sync/push takes at most 200 items, and refuses an invalid uuid", async () => {
  const many = Array.from({ length: 201 }, () => checkin());
  expect(codeOf(await account.call("/sync/push", { items: many }))).toBe(7);
  expect(codeOf(await account.call("/sync/push", { items: [checkin({}, { uuid: "7" })] }))).toBe(7);
});
