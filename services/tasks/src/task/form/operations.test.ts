import { beforeAll, expect, test, vi } from "vitest";
import { type Account, feed, newAccount, type Reply, sharedAccount, UNKNOWN_ID } from "#test/tool/call/account.ts";
import { newSubUser } from "#test/tool/call/mailbox.ts";
import { upload } from "#test/tool/call/uploads.ts";
import { PNG } from "#test/tool/document/png.ts";
import { stack } from "#test/tool/system/stack.ts";
import { systemNow, writeLocal } from "../../../../../shared/time/clock.ts";
import { DAY_MS } from "../../../../../shared/time/duration.ts";

const inDays = (days: number) => writeLocal(systemNow() + days * DAY_MS, "Europe/Berlin");
const dock = { lat: 52.5, lng: 13.4, address: "Dock 4", radius: 100 };
const parcel = { location: dock, label: "Parcel", description: "", from: inDays(0), to: inDays(1) };
const common = { label: "Field", description: "What it is", required: false };
const signer = { ...common, id: "name", type: "text", required: true, min_length: 1, max_length: 20 };
const stars = { ...common, id: "stars", type: "rating", max_stars: 5 };
const photos = { ...common, id: "photos", type: "photo", max_files: 2 };
const note = { label: "Note", description: "", submit_in_zone: false, default: false, fields: [signer, stars, photos] };
const smith = { name: { type: "text", value: "A. Smith" } };

let account: Account;
beforeAll(async () => {
  account = await sharedAccount();
});

const codeOf = ({ success, status }: Reply) => (success ? "done" : status.code);
const newTemplate = async (more: object = {}, owner = account) =>
  Number((await owner.must("/form/template/create", { template: { ...note, ...more } })).id);
const newTask = async (form_template_id: number | null, more: object = {}, owner = account, options: object = {}) => {
  const task = { ...parcel, form_template_id, ...more };
  return Number((await owner.must("/task/create", { task, create_form: true, ...options })).id);
};
const readForm = async (task_id: number, owner = account) => owner.must("/task/form/read", { task_id });
const submit = (task_id: number, values: object, more: object = {}, owner = account) =>
  owner.call("/task/form/values/update", { task_id, values, ...more });
const ticketOf = (task_id: number, field_id = "photos", more: object = {}) =>
  account.call("/task/form/file/create", { task_id, field_id, size: 1000, ...more });
const newPhoto = async (task_id: number, field_id = "photos") => {
  const { value } = await ticketOf(task_id, field_id);
  await upload(value, new File([PNG], "a.png"));
  return { file_id: Number(value.file_id), ticket: value };
};

test("a task's form keeps its template's fields when the template changes or is deleted", async () => {
  const { id: tracker_id } = await account.newTracker();
  const template_id = await newTemplate();
  const task_id = await newTask(template_id, { tracker_id });
  await account.must("/form/template/update", { template: { id: template_id, label: "Other", fields: [] } });
  const { value, files } = await readForm(task_id);
  const shown = { label: "Note", description: "", submit_in_zone: false, fields: note.fields };
  const empty = { values: null, submitted: null, submit_location: null };
  const links = { task_id, checkin_id: null, tracker_id, template_id, template_version: 1 };
  expect(value).toEqual({ id: value.id, created: value.created, ...shown, ...empty, ...links });
  expect(files).toEqual([]);
  expect((await account.must("/task/read", { task_id })).value.form).toEqual(value);
  expect((await account.must("/form/template/stats/read", { template_id })).tasks).toMatchObject({ assigned: 1 });
  await account.must("/form/template/delete", { template_id });
  expect((await readForm(task_id)).value).toEqual({ ...value, template_id: null });
});

test("create_form makes, replaces and deletes a task's form, which stays without it or without a template", async () => {
  const [first, second] = [await newTemplate(), await newTemplate({ label: "Second" })];
  const task_id = await newTask(null);
  const update = async (given: object) => {
    await account.must("/task/update", { task: { ...parcel, id: task_id }, ...given });
    return (await readForm(task_id)).value?.template_id ?? null;
  };
  const change = (form_template_id?: number | null) => ({ task: { ...parcel, id: task_id, form_template_id } });
  expect(await update({})).toBe(null);
  expect(await update(change(first))).toBe(null);
  expect(await update({ ...change(first), create_form: true })).toBe(first);
  expect(await update({ ...change(second), create_form: true })).toBe(second);
  expect(await update({ create_form: true })).toBe(second);
  expect(await update(change(null))).toBe(second);
  expect(await update({ ...change(null), create_form: true })).toBe(null);
});

test("an unknown template is refused by name in a task (7), and with 201 as a parameter", async () => {
  const foreign = await newTemplate({}, await newAccount());
  const task_id = await newTask(null);
  for (const form_template_id of [UNKNOWN_ID, foreign]) {
    const task = { ...parcel, form_template_id };
    const replies = [
      await account.call("/task/create", { task, create_form: true }),
      await account.call("/task/update", { task: { ...task, id: task_id }, create_form: true }),
    ];
    for (const { status, errors } of replies) {
      expect([status.code, errors[0].parameter]).toEqual([7, "task.form_template_id"]);
    }
    const created = await account.call("/task/form/create", { task_id, template_id: form_template_id });
    expect(codeOf(created)).toBe(201);
  }
});

test("checkpoints have forms of their own, which stay with them through changes of their route", async () => {
  const [first, second] = [await newTemplate(), await newTemplate({ label: "Second" })];
  const checkpoints = [{ ...parcel, form_template_id: first }, parcel, { ...parcel, form_template_id: second }];
  const route = { label: "Loop", description: "" };
  const { result } = await account.must("/task/route/create", { route, checkpoints, create_form: true });
  const templates = async () => {
    const { checkpoints: stops } = await account.must("/task/read", { task_id: result.id });
    return Promise.all(stops.map(async ({ id }: Reply) => (await readForm(id)).value?.template_id ?? null));
  };
  expect(await templates()).toEqual([first, null, second]);
  const [one, two, three] = result.checkpoint_ids;
  await account.must("/task/route/update", {
    route: { id: result.id },
    checkpoints: [
      { id: three },
      { ...parcel, form_template_id: first },
      { id: two, form_template_id: second },
      { id: one },
    ],
    create_form: true,
  });
  expect(await templates()).toEqual([second, first, second, first]);
  const checkpoint = { ...parcel, parent_id: result.id, order: 0, form_template_id: second };
  const { id } = await account.must("/task/checkpoint/create", { checkpoint, create_form: true });
  expect((await account.must("/task/checkpoint/read", { checkpoint_id: id })).value.form.template_id).toBe(second);
  const change = { checkpoint: { id, form_template_id: null }, create_form: true };
  await account.must("/task/checkpoint/update", change);
  expect(await templates()).toEqual([null, second, first, second, first]);
  expect(codeOf(await account.call("/task/form/create", { task_id: result.id, template_id: first }))).toBe(201);
  expect(codeOf(await account.call("/task/form/read", { task_id: result.id }))).toBe(201);
});

test("task/form/create makes a form for a task without one, and task/form/delete deletes it with its values", async () => {
  const [template_id, task_id] = [await newTemplate(), await newTask(null)];
  expect((await readForm(task_id)).value).toBe(null);
  expect(codeOf(await account.call("/task/form/delete", { task_id }))).toBe(201);
  const both = await Promise.all([1, 2].map(() => account.call("/task/form/create", { task_id, template_id })));
  expect(both.map(codeOf).toSorted()).toEqual([247, "done"]);
  await submit(task_id, smith);
  await account.must("/task/form/delete", { task_id });
  await account.must("/task/form/create", { task_id, template_id });
  expect((await readForm(task_id)).value).toMatchObject({ values: null, submitted: null });
});

test("task/form calls answer 201 to unknown and foreign tasks", async () => {
  const rival = await newAccount();
  const [foreign, template_id] = [await newTask(await newTemplate({}, rival), {}, rival), await newTemplate()];
  for (const task_id of [UNKNOWN_ID, foreign]) {
    const given = { task_id, template_id, values: smith, field_id: "photos", size: 1 };
    for (const path of ["create", "delete", "read", "values/update", "file/create"]) {
      expect(codeOf(await account.call(`/task/form/${path}`, given)), path).toBe(201);
    }
  }
  const none = await newTask(null);
  expect(codeOf(await submit(none, smith))).toBe(201);
  expect(codeOf(await ticketOf(none))).toBe(201);
});

test("task/form/values/update keeps time and place, a later one changes what it gives, and each makes an event", async () => {
  const { id: tracker_id } = await account.newTracker();
  const task_id = await newTask(await newTemplate(), { tracker_id });
  const place = { lat: 52.5001, lng: 13.4, address: "Gate" };
  await account.must("/task/form/values/update", { task_id, values: smith, location: place });
  const { value } = await readForm(task_id);
  expect(value).toMatchObject({ values: smith, submit_location: place, submitted: expect.any(String) });
  await account.must("/task/form/values/update", { task_id, values: { stars: { type: "rating", value: 4 } } });
  const rated = { ...smith, stars: { type: "rating", value: 4 } };
  expect((await readForm(task_id)).value).toMatchObject({ values: rated, submit_location: place });
  await stack.fireCron("tasks");
  const range = { from: inDays(-1), to: inDays(1) };
  const { list } = await account.must("/history/tracker/list", { trackers: [tracker_id], ...range });
  const submissions = list.filter(({ event }: Reply) => event === "task_form_submitted");
  expect(submissions).toHaveLength(2);
  expect(submissions[0]).toMatchObject({ message: "Van 7: Parcel", extra: { task_id } });
  expect(submissions.map(({ address }: Reply) => address)).toEqual(["Gate", "Gate"]);
});

test("task/form/values/update answers 242 with each wrong field, and keeps none of the values", async () => {
  const task_id = await newTask(await newTemplate());
  const wrong = { stars: { type: "rating", value: 6 }, other: { type: "text", value: "a" } };
  const reply = await submit(task_id, wrong);
  expect(codeOf(reply)).toBe(242);
  expect(reply.errors.map(({ field_id, code }: Reply) => [field_id, code])).toEqual([
    ["stars", 7],
    ["other", 8],
    ["name", 1],
  ]);
  expect((await readForm(task_id)).value.values).toBe(null);
});

test("task/form/values/update refuses a submission from outside the task's zone when the form asks for it", async () => {
  const task_id = await newTask(await newTemplate({ submit_in_zone: true }));
  const nowhere = await submit(task_id, smith);
  expect([codeOf(nowhere), nowhere.errors[0].parameter]).toEqual([7, "location"]);
  const far = await submit(task_id, smith, { location: { lat: 52.6, lng: 13.4 } });
  expect([codeOf(far), far.errors[0].parameter]).toEqual([7, "location"]);
  expect(codeOf(await submit(task_id, smith, { location: { lat: 52.5, lng: 13.4 } }))).toBe("done");
});

test("task/form/values/update takes the tracker's last position without a given one, and corrections from anywhere", async () => {
  const { id: tracker_id, source } = await account.newTracker();
  const task_id = await newTask(await newTemplate({ submit_in_zone: true }), { tracker_id });
  expect(codeOf(await submit(task_id, smith))).toBe(7);
  await feed(source.device_id, [{ time: systemNow() - 2000, lat: 52.6, lng: 13.4 }]);
  expect(codeOf(await submit(task_id, smith))).toBe(7);
  await feed(source.device_id, [{ time: systemNow() - 1000, lat: 52.5, lng: 13.4 }]);
  expect(codeOf(await submit(task_id, smith))).toBe("done");
  const place = { lat: 52.5, lng: 13.4, address: "" };
  expect((await readForm(task_id)).value.submit_location).toEqual(place);
  await feed(source.device_id, [{ time: systemNow(), lat: 52.6, lng: 13.4 }]);
  expect(codeOf(await submit(task_id, smith))).toBe("done");
  expect((await readForm(task_id)).value.submit_location).toEqual(place);
});

test("task/form/values/update refuses demo accounts (101) and callers without the right (13)", async () => {
  const demo = await newAccount({ user: { demo: true } });
  expect(codeOf(await submit(1, {}, {}, demo))).toBe(101);
  const { hash } = await newSubUser(account);
  expect(codeOf(await submit(1, {}, { hash }))).toBe(13);
});

test("a form's file is kept once a submission names it, and uploaded ones that it does not name are gone at once", async () => {
  const task_id = await newTask(await newTemplate());
  const [kept, unused] = [await newPhoto(task_id), await newPhoto(task_id)];
  const { value: open } = await ticketOf(task_id);
  const filesOf = async () =>
    (await readForm(task_id)).files.map(({ id, state, bindings }: Reply) => [id, state, bindings.form_field.submitted]);
  expect(await filesOf()).toEqual([
    [kept.file_id, "uploaded", false],
    [unused.file_id, "uploaded", false],
    [open.file_id, "created", false],
  ]);
  const values = { ...smith, photos: { type: "photo", file_ids: [kept.file_id] } };
  expect(codeOf(await submit(task_id, values))).toBe("done");
  expect(await filesOf()).toEqual([
    [kept.file_id, "uploaded", true],
    [open.file_id, "created", false],
  ]);
  const again = { photos: { type: "photo", file_ids: [unused.file_id] } };
  expect((await submit(task_id, again)).errors).toMatchObject([{ field_id: "photos", code: 8 }]);
  const early = { photos: { type: "photo", file_ids: [open.file_id] } };
  expect((await submit(task_id, early)).errors).toMatchObject([{ field_id: "photos", code: 10 }]);
});

test("a form's files are deleted with its task", async () => {
  const owner = await newAccount();
  const template_id = await newTemplate({}, owner);
  const task_id = await newTask(template_id, {}, owner);
  const given = { task_id, field_id: "photos", size: 1000 };
  const { value } = await owner.must("/task/form/file/create", given);
  await upload(value, new File([PNG], "a.png"));
  await owner.must("/task/form/values/update", {
    task_id,
    values: { ...smith, photos: { type: "photo", file_ids: [value.file_id] } },
  });
  await owner.must("/task/delete", { task_id });
  await stack.fireCron("tasks");
  const search = { account_id: owner.id, ids: [value.file_id], base_url: stack.baseUrl };
  expect(await stack.filesOf(search)).toEqual([]);
});

test("task/form/file/create gives tickets for fields of files, six at a time, within the limits of files", async () => {
  const task_id = await newTask(await newTemplate());
  expect(codeOf(await ticketOf(task_id, "none"))).toBe(201);
  expect(codeOf(await ticketOf(task_id, "name"))).toBe(231);
  expect(codeOf(await ticketOf(task_id, "photos", { size: 16 * 1024 * 1024 + 1 }))).toBe(271);
  const eight = await Promise.all(Array.from({ length: 8 }, () => ticketOf(task_id)));
  expect(eight.map(codeOf).toSorted()).toEqual([267, 267, ...Array(6).fill("done")]);
});

test("a schedule gives its tasks the form of its template, and refuses an unknown one (204)", async () => {
  const days = { type: "weekdays", weekdays: [1, 2, 3, 4, 5, 6, 7] };
  const daily = { location: dock, label: "Bins", description: "", from_time: "06:00:00", duration: 60 };
  const template_id = await newTemplate();
  const schedule = { ...daily, parameters: days, form_template_id: template_id };
  const { id } = await account.must("/task/schedule/create", { schedule });
  const read = async () => (await account.must("/task/schedule/read", { id })).value.form_template_id;
  expect(await read()).toBe(template_id);
  expect((await account.must("/form/template/stats/read", { template_id })).scheduled).toBe(1);
  const unknown = { schedule: { ...schedule, id, form_template_id: UNKNOWN_ID } };
  expect(codeOf(await account.call("/task/schedule/update", unknown))).toBe(204);
  await account.must("/form/template/delete", { template_id });
  expect(await read()).toBe(null);
  await account.must("/task/schedule/update", { schedule: { id, label: "Other" } });
});

test("a failed task's form is neither made nor deleted (255), and filled in with the right to do so alone", async () => {
  const [with_form, without] = [await newTemplate(), null];
  const { id: tracker_id } = await account.newTracker();
  // By UTC: in an hour that local clocks show twice, the local time would be that of an hour ago.
  const [from, to] = [-DAY_MS, 1000].map((ms) => new Date(systemNow() + ms).toISOString());
  const newDue = (form: number | null) => newTask(form, { tracker_id, from, to }, account, { iso_datetime: true });
  const [filled, bare] = [await newDue(with_form), await newDue(without)];
  await vi.waitFor(
    async () => {
      await stack.fireCron("tasks");
      for (const task_id of [filled, bare]) {
        expect((await account.must("/task/read", { task_id })).value.status).toBe("failed");
      }
    },
    { timeout: 120_000, interval: 500 },
  );
  const { id: subuser_id, hash } = await newSubUser(account);
  const group = { label: "Field", privileges: { rights: ["task_update"] } };
  const { id: security_group_id } = await account.must("/subuser/security_group/create", { group });
  await account.must("/subuser/update", { user: { id: subuser_id, security_group_id } });
  await account.must("/subuser/tracker/bind", { subuser_id, trackers: [tracker_id] });
  const replies = await Promise.all([
    account.call("/task/form/create", { task_id: bare, template_id: with_form }),
    account.call("/task/form/delete", { task_id: filled }),
    submit(filled, smith, { hash }),
    ticketOf(filled, "photos", { hash }),
    // The master has the right to correct forms of failed tasks.
    submit(filled, smith),
  ]);
  expect(replies.map(codeOf)).toEqual([255, 255, 255, 255, "done"]);
});
