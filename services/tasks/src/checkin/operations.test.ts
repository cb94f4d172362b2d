import { beforeAll, expect, test } from "vitest";
import { type Account, newAccount, type Reply, sharedAccount, UNKNOWN_ID } from "#test/tool/call/account.ts";
import { newSubUser } from "#test/tool/call/mailbox.ts";
import { upload } from "#test/tool/call/uploads.ts";
import { PNG } from "#test/tool/document/png.ts";
import { stack } from "#test/tool/system/stack.ts";
import { systemNow, writeLocal } from "../../../../shared/time/clock.ts";
import { DAY_MS } from "../../../../shared/time/duration.ts";

const inDays = (days: number) => writeLocal(systemNow() + days * DAY_MS, "Europe/Berlin");
const dock = { lat: 52.5, lng: 13.4, address: "Dock 4" };
const common = { label: "Field", description: "What it is", required: false };
const signer = { ...common, id: "name", type: "text", required: true, min_length: 1, max_length: 20 };
const photos = { ...common, id: "photos", type: "photo", max_files: 2 };
const note = { label: "Note", description: "", submit_in_zone: false, default: false, fields: [signer, photos] };
const smith = { name: { type: "text", value: "A. Smith" } };

let account: Account;
let tracker_id: number;
let template_id: number;
beforeAll(async () => {
  account = await sharedAccount();
  tracker_id = (await account.newTracker()).id;
  template_id = (await account.must("/form/template/create", { template: note })).id;
});

const codeOf = ({ success, status }: Reply) => (success ? "done" : status.code);
const create = (more: object = {}, owner = account): Promise<Reply> =>
  owner.call("/checkin/create", { tracker_id, location: dock, ...more });
const created = async (more: object = {}, owner = account) => {
  const { id } = await owner.must("/checkin/create", { tracker_id, location: dock, ...more });
  return Number(id);
};
const read = async (checkin_id: number, owner = account) => (await owner.must("/checkin/read", { checkin_id })).value;
const list = (more: object = {}, owner = account) => owner.must("/checkin/list", more);
const newForm = async (more: object = {}) =>
  Number((await account.must("/checkin/form/create", { tracker_id, template_id, ...more })).id);
async function uploadFile(ticket: Reply) {
  await upload(ticket.value, new File([PNG], "a.png"));
  return Number(ticket.value.file_id);
}
const newPhoto = async (owner = account) => uploadFile(await owner.must("/checkin/image/create", { size: 1000 }));
const newFormFile = async (named: object) =>
  uploadFile(await account.must("/checkin/form/file/create", { ...named, field_id: "photos", size: 1000 }));
const idsOf = ({ list: rows }: Reply) => rows.map(({ id }: Reply) => id);

test("checkin/create keeps place, time, comment, photos and the employee who was on the tracker", async () => {
  const { id } = await account.newTracker();
  const employee = { first_name: "Ann", last_name: "Roe", tracker_id: id };
  const { id: employee_id } = await account.must("/employee/create", { employee });
  const file_ids = [await newPhoto(), await newPhoto()];
  const checkin_id = await created({ tracker_id: id, comment: "At the gate", file_ids });
  await account.must("/employee/update", { employee: { ...employee, id: employee_id, tracker_id: null } });
  const value = await read(checkin_id);
  const kept = { id: checkin_id, user_id: account.id, tracker_id: id, employee_id, location: dock };
  const { files, marker_time } = value;
  expect(value).toEqual({ ...kept, comment: "At the gate", marker_time, files, form_id: null, form_label: null });
  expect(files.map((file: Reply) => [file.id, file.state, file.type])).toEqual(
    file_ids.map((one) => [one, "uploaded", "image"]),
  );
  const { list: employees } = await list({
    trackers: [id],
    conditions: [{ type: "eq", field: "employee", value: employee_id }],
  });
  expect(employees).toEqual([value]);
});

test("checkin/create without comment, photos and employee stores a check-in without them", async () => {
  const value = await read(await created({ location: { lat: -1, lng: 2 } }));
  expect(value).not.toHaveProperty("comment");
  expect(value).not.toHaveProperty("employee_id");
  expect(value).toMatchObject({ location: { lat: -1, lng: 2, address: "" }, files: [] });
});

test("checkin/create makes one event of its tracker, however often it is delivered", async () => {
  const { id } = await account.newTracker({ label: "Van 9" });
  const checkin_id = await created({ tracker_id: id, comment: "At the gate" });
  await Promise.all([stack.fireCron("tasks"), stack.fireCron("tasks")]);
  const range = { from: inDays(-1), to: inDays(1) };
  const { list: events } = await account.must("/history/tracker/list", { trackers: [id], ...range });
  expect(events).toHaveLength(1);
  const place = { location: { lat: 52.5, lng: 13.4 }, address: "Dock 4" };
  expect(events[0]).toMatchObject({ event: "checkin_creation", message: "Van 9: At the gate", ...place });
  expect(events[0].extra).toMatchObject({ checkin_id });
});

test("a check-in's form is issued, filled in with a file, and used once", async () => {
  const form_id = await newForm();
  const file_id = await newFormFile({ form_id });
  const values = { ...smith, photos: { type: "photo", file_ids: [file_id] } };
  const wrong = await create({ form_submission: { form_id, values: {} } });
  expect([codeOf(wrong), wrong.errors]).toMatchObject([242, [{ field_id: "name", code: 1 }]]);
  const checkin_id = await created({ form_submission: { form_id, values } });
  expect(await read(checkin_id)).toMatchObject({ form_id, form_label: "Note" });
  expect(codeOf(await create({ form_submission: { form_id, values } }))).toBe(201);
  const { value, files } = await account.must("/form/read", { id: form_id });
  expect(value).toMatchObject({ id: form_id, checkin_id, task_id: null, tracker_id, template_id, values });
  expect(value).toMatchObject({ submit_location: dock, submitted: expect.any(String) });
  const form_field = { form_id, field_id: "photos", submitted: true };
  expect(files).toMatchObject([{ id: file_id, bindings: { form_field } }]);
});

test("a check-in's form is taken by one of two check-ins at the same time", async () => {
  const form_id = await newForm();
  const replies = await Promise.all([1, 2].map(() => create({ form_submission: { form_id, values: smith } })));
  expect(replies.map(codeOf).toSorted()).toEqual([201, "done"]);
});

test("checkin/create refuses photos that are unknown, foreign, not uploaded, used or of a form (201)", async () => {
  const [foreign, open] = [
    await newPhoto(await newAccount()),
    (await account.must("/checkin/image/create", { size: 10 })).value.file_id,
  ];
  const shown = await newPhoto();
  await created({ file_ids: [shown] });
  const ofForm = await newFormFile({ form_id: await newForm() });
  for (const id of [UNKNOWN_ID, foreign, open, shown, ofForm]) {
    expect(codeOf(await create({ file_ids: [id] })), String(id)).toBe(201);
    const form_submission = { form_id: await newForm(), values: smith };
    expect(codeOf(await create({ file_ids: [id], form_submission })), String(id)).toBe(201);
  }
});

test("checkin calls refuse trackers that are unknown, foreign or hidden (201), blocked (7) or without the feature (236)", async () => {
  const rival = await newAccount();
  const { id: foreign } = await rival.newTracker();
  const poor = await newAccount({ plan: { features: ["app_tasks"] } });
  const { id: plain } = await poor.newTracker();
  const blocked = (await account.newTracker()).id;
  await account.block(blocked);
  const calls: [string, object][] = [
    ["/checkin/create", { location: dock }],
    ["/checkin/form/create", { template_id }],
  ];
  for (const [path, more] of calls) {
    for (const unknown of [UNKNOWN_ID, foreign]) {
      expect(codeOf(await account.call(path, { ...more, tracker_id: unknown }))).toBe(201);
    }
    expect(codeOf(await account.call(path, { ...more, tracker_id: blocked }))).toBe(7);
    expect(codeOf(await poor.call(path, { ...more, tracker_id: plain }))).toBe(236);
  }
  expect(codeOf(await account.call("/checkin/form/create", { tracker_id, template_id: UNKNOWN_ID }))).toBe(201);
});

test("checkin/create refuses a form of another tracker, of a task and an unknown one (201)", async () => {
  const other = await newForm({ tracker_id: (await account.newTracker()).id });
  const task = { location: { ...dock, radius: 5 }, label: "A", description: "", from: inDays(0), to: inDays(1) };
  const given = { task: { ...task, form_template_id: template_id }, create_form: true };
  const { id: task_id } = await account.must("/task/create", given);
  const ofTask = (await account.must("/task/form/read", { task_id })).value.id;
  for (const form_id of [UNKNOWN_ID, other, ofTask]) {
    expect(codeOf(await create({ form_submission: { form_id, values: smith } }))).toBe(201);
  }
  const ticket = { field_id: "photos", size: 10 };
  expect(codeOf(await account.call("/checkin/form/file/create", { ...ticket, form_id: ofTask }))).toBe(201);
});

test("checkin/form/file/create takes one id and a field for files, and gives six tickets at a time", async () => {
  const form_id = await newForm();
  const checkin_id = await created({ form_submission: { form_id: await newForm(), values: smith } });
  const ask = (more: object) => account.call("/checkin/form/file/create", { field_id: "photos", size: 10, ...more });
  for (const named of [{}, { form_id, checkin_id }]) {
    const { status, errors } = await ask(named);
    expect([status.code, errors[0].parameter]).toEqual([7, "has_at_least_one_id_field"]);
  }
  const without = await created();
  for (const named of [{ form_id: UNKNOWN_ID }, { checkin_id: UNKNOWN_ID }, { checkin_id: without }]) {
    expect(codeOf(await ask(named))).toBe(201);
  }
  expect(codeOf(await ask({ form_id, field_id: "none" }))).toBe(201);
  expect(codeOf(await ask({ form_id, field_id: "name" }))).toBe(231);
  expect(codeOf(await ask({ form_id, size: 16 * 1024 * 1024 + 1 }))).toBe(271);
  expect(codeOf(await ask({ checkin_id }))).toBe("done");
  const seven = await Promise.all(Array.from({ length: 7 }, () => ask({ form_id })));
  expect(seven.map(codeOf).toSorted()).toEqual([267, ...Array(6).fill("done")]);
});

test("checkin/delete deletes all check-ins or none, with their photos and forms", async () => {
  const owner = await newAccount();
  const { id } = await owner.newTracker();
  const photo = await newPhoto(owner);
  const [first, second] = [
    await created({ tracker_id: id, file_ids: [photo] }, owner),
    await created({ tracker_id: id }, owner),
  ];
  const remove = (...checkin_ids: number[]) => owner.call("/checkin/delete", { checkin_ids });
  expect(codeOf(await remove(first, UNKNOWN_ID))).toBe(201);
  expect(codeOf(await remove(first, await created()))).toBe(201);
  expect(idsOf(await list({}, owner))).toEqual([first, second]);
  expect(codeOf(await remove(first, first))).toBe("done");
  expect(idsOf(await list({}, owner))).toEqual([second]);
  expect(codeOf(await owner.call("/checkin/read", { checkin_id: first }))).toBe(204);
  await stack.fireCron("tasks");
  expect(await stack.filesOf({ account_id: owner.id, ids: [photo], base_url: stack.baseUrl })).toEqual([]);
  const form_id = await newForm();
  const formed = await created({ form_submission: { form_id, values: smith } });
  await account.must("/checkin/delete", { checkin_ids: [formed] });
  expect(codeOf(await account.call("/form/read", { id: form_id }))).toBe(201);
});

test("checkin/list is filtered, sorted and paged", async () => {
  const owner = await newAccount();
  const [one, two] = [(await owner.newTracker()).id, (await owner.newTracker()).id];
  const { id: note_id } = await owner.must("/form/template/create", { template: { ...note, label: "Überprüfung" } });
  const { id: form_id } = await owner.must("/checkin/form/create", { tracker_id: two, template_id: note_id });
  const far = { lat: 48.1, lng: 11.6, address: "Munich" };
  const a = await created({ tracker_id: one, comment: "Zebra" }, owner);
  const b = await created({ tracker_id: two, location: far, form_submission: { form_id, values: smith } }, owner);
  const c = await created({ tracker_id: one, comment: "apple" }, owner);
  const found = async (more: object) => idsOf(await list(more, owner));
  expect(await found({})).toEqual([a, b, c]);
  expect(await found({ trackers: [two] })).toEqual([b]);
  expect(await found({ trackers: [] })).toEqual([]);
  expect(await found({ location: { lat: 52.5, lng: 13.41, radius: 1000 } })).toEqual([a, c]);
  expect(await found({ sort: ["comment=asc"] })).toEqual([c, a, b]);
  expect(await found({ sort: ["address=desc", "marker_time=desc"] })).toEqual([b, c, a]);
  expect(await found({ sort: ["form=asc", "tracker_id=asc"] })).toEqual([b, a, c]);
  const conditions = (...all: unknown[]) => found({ conditions: all });
  expect(await conditions({ type: "contains", field: "comment", value: "APP" })).toEqual([c]);
  expect(await conditions(JSON.stringify({ type: "contains", field: "location", value: "mun" }))).toEqual([b]);
  expect(await conditions({ type: "eq", field: "form", value: note_id })).toEqual([b]);
  expect(await conditions({ type: "contains", field: "form", value: "uber" })).toEqual([b]);
  expect(await conditions({ type: "eq", field: "tracker_id", value: one })).toEqual([a, c]);
  const period = { from: inDays(-1), to: inDays(1) };
  expect(await conditions({ type: "period", field: "marker_time", value: period })).toEqual([a, b, c]);
  expect(await list({ offset: 1, limit: 1 }, owner)).toMatchObject({ list: [{ id: b }], count: 3 });
  expect(await list({ limit: 0 }, owner)).toMatchObject({ list: [], count: 3 });
  expect(await found(period)).toEqual([a, b, c]);
  expect(await found({ from: inDays(1) })).toEqual([]);
});

test("checkin/list refuses ranges, limits and trackers that it cannot answer", async () => {
  const blocked = (await account.newTracker()).id;
  await account.block(blocked);
  const ask = async (more: object) => codeOf(await account.call("/checkin/list", more));
  expect(await ask({ from: inDays(-91), to: inDays(0) })).toBe(211);
  expect(await ask({ from: inDays(-89), to: inDays(0) })).toBe("done");
  expect(await ask({ from: inDays(0), to: inDays(-1) })).toBe(7);
  expect(await ask({ from: inDays(0), to: inDays(0) })).toBe(7);
  for (const id of [UNKNOWN_ID, blocked]) expect(await ask({ trackers: [id] })).toBe(217);
  expect(await ask({ sort: ["color=asc"] })).toBe(7);
  expect(await ask({ conditions: [{ type: "eq", field: "color", value: 1 }] })).toBe(7);
  expect(await ask({ conditions: ["{"] })).toBe(7);
  expect(await ask({ format: "doc" })).toBe(7);
  expect(await ask({ limit: -1 })).toBe(7);
});

test("checkin/list with a format answers a document", async () => {
  const owner = await newAccount();
  const { id } = await owner.newTracker();
  await created({ tracker_id: id, comment: "At the gate" }, owner);
  for (const [format, mark] of [
    ["pdf", "%PDF"],
    ["xlsx", "PK"],
  ]) {
    const { file } = await list({ format }, owner);
    expect(file.slice(0, 4)).toContain(mark);
  }
  expect((await list({ format: "" }, owner)).count).toBe(1);
});

test("a sub-user sees the check-ins of its trackers, and needs rights to make, read and delete them", async () => {
  const owner = await newAccount();
  const [shown, hidden] = [(await owner.newTracker()).id, (await owner.newTracker()).id];
  const [mine, other] = [await created({ tracker_id: shown }, owner), await created({ tracker_id: hidden }, owner)];
  const group = { label: "Field", privileges: { rights: ["employee_update", "checkin_update"] } };
  const { id: security_group_id } = await owner.must("/subuser/security_group/create", { group });
  const { hash, id: subuser_id } = await newSubUser(owner);
  await owner.must("/subuser/update", { user: { id: subuser_id, security_group_id } });
  await owner.must("/subuser/tracker/bind", { subuser_id, trackers: [shown] });
  const call = (path: string, more: object) => owner.call(path, { hash, ...more });
  expect(idsOf(await call("/checkin/list", {}))).toEqual([mine]);
  expect(codeOf(await call("/checkin/read", { checkin_id: other }))).toBe(204);
  expect(codeOf(await call("/checkin/delete", { checkin_ids: [mine, other] }))).toBe(201);
  expect(codeOf(await call("/checkin/create", { tracker_id: hidden, location: dock }))).toBe(201);
  expect(codeOf(await call("/checkin/list", { trackers: [hidden] }))).toBe(217);
  const { hash: nobody } = await newSubUser(owner);
  for (const path of ["create", "read", "list", "delete"]) {
    expect(codeOf(await owner.call(`/checkin/${path}`, { hash: nobody }))).toBe(13);
  }
});
