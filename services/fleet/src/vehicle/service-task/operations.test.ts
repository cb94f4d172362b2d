import { randomInt } from "node:crypto";
import { read as readSheet, utils } from "@e965/xlsx";
import { beforeAll, expect, test } from "vitest";
import { DAY_MS, MINUTE_MS } from "#shared/time/duration.ts";
import {
  type Account,
  call,
  feed,
  must,
  newAccount,
  operator,
  type Reply,
  UNKNOWN_ID,
} from "#test/tool/call/account.ts";
import { newSubUser } from "#test/tool/call/mailbox.ts";
import { stack } from "#test/tool/system/stack.ts";
import { systemNow, writeLocal } from "../../../../../shared/time/clock.ts";

const ZONE = "Europe/Berlin";
const BY_WAY = { mileage: { limit: 100, notification_interval: 10 } };
const inDays = (days: number) => writeLocal(systemNow() + days * DAY_MS, ZONE);
const dated = (days: number, more: object = {}) => ({ date: { end: inDays(days), notification_interval: 2, ...more } });

let account: Account;
beforeAll(async () => {
  account = await newAccount();
});

/** A vehicle on a tracker with one point, so that its counters have values. */
async function newVehicle(label = "Van 2", owner = account) {
  const { id: tracker_id, source } = await owner.newTracker();
  await feed(source.device_id, [{ time: systemNow() - MINUTE_MS, lat: 50, lng: 8 }]);
  const { id: vehicle_id } = await owner.must("/vehicle/create", { vehicle: { label, tracker_id } });
  const set = (value: number, type = "odometer") =>
    owner.must("/tracker/counter/value/set", { tracker_id, type, value });
  const create = (more: object = {}) => {
    const task = { vehicle_id, description: "Oil change", conditions: BY_WAY, ...more };
    return owner.call("/vehicle/service_task/create", { task });
  };
  return { owner, tracker_id: Number(tracker_id), vehicle_id: Number(vehicle_id), set, create };
}

const created = async (answer: Promise<Reply>) => {
  const reply = await answer;
  expect(reply).toMatchObject({ success: true });
  return Number(reply.id);
};
const read = async (task_id: number) => (await account.must("/vehicle/service_task/read", { task_id })).value;
const list = async (parameters: object) => (await account.must("/vehicle/service_task/list", parameters)).list;
const statusOf = async (task_id: number) => (await read(task_id)).status;
const done = (task_id: number) => account.call("/vehicle/service_task/set_status", { task_id, status: "done" });
const codeOf = ({ success, status }: Reply) => (success ? "done" : status.code);

async function eventsOf(tracker_id: number) {
  const range = { from: inDays(-1), to: inDays(1), events: ["service_task_soon", "service_task_expired"] };
  const { list } = await account.must("/history/tracker/list", {
    trackers: [tracker_id],
    add_tracker_label: false,
    ...range,
  });
  return list.map(({ event, message, extra }: Reply) => [event, message, extra.service_task_id]);
}

async function mailsTo(address: string): Promise<Reply[]> {
  const { list } = await operator.must("/panel/mail/list");
  return list.filter(({ to }: Reply) => to === address);
}

test("vehicle/service_task/create stores a task as given, with its start, its present position and its prediction", async () => {
  const { vehicle_id, set, create } = await newVehicle();
  await set(1230);
  await set(50, "engine_hours");
  const parameters = {
    ...{ vehicle_id, description: "Ölwechsel", comment: "with filter", repeat: true, unplanned: true, cost: 100.5 },
    conditions: {
      mileage: { limit: 10_000, notification_interval: 500, repeat_interval: 8000 },
      date: { end: inDays(100), notification_interval: 14 },
      engine_hours: { limit: 200, notification_interval: 0 },
    },
    notifications: { sms_phones: ["15550001"], emails: ["a@example.com"], push_enabled: true },
    file_ids: [],
  };
  const id = await created(create({ ...parameters, id: null }));
  await set(6230);
  const value = await read(id);
  const start = { mileage: 1230, engine_hours: 50, date: value.start.date };
  expect(value).toEqual({
    ...{ files: [], id, vehicle_label: "Van 2", status: "created", completion_date: null, ...parameters, start },
    current_position: { mileage: 6230, engine_hours: 50, date: expect.any(String) },
    prediction: { end_date: expect.any(String), wear_percentage: 50 },
  });
  expect(value.start.date).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  expect((await account.must("/vehicle/service_task/read", { task_id: id, return_prediction: false })).value).toEqual({
    ...value,
    current_position: expect.any(Object),
    prediction: undefined,
  });
  const [listed] = await list({ vehicle_ids: [vehicle_id] });
  const { files, ...inList } = value;
  expect(listed).toMatchObject({ ...inList, current_position: { mileage: 6230 }, prediction: { wear_percentage: 50 } });
  // An update accepts what read answered, with its read-only members.
  await account.must("/vehicle/service_task/update", { task: { ...value, comment: "" } });
  expect(await read(id)).toMatchObject({ ...parameters, comment: "", start });
  const bare = await read(await created(create({ conditions: { date: { end: inDays(1) } } })));
  expect(bare).toMatchObject({ comment: "", repeat: false, unplanned: false, cost: 0, file_ids: [] });
  expect(bare.conditions).toEqual({ date: { end: bare.conditions.date.end, notification_interval: 0 } });
});

test("vehicle/service_task/create refuses wrong members by name, on both sides of their limits", async () => {
  const { vehicle_id, create } = await newVehicle();
  for (const [member, right, wrong] of [
    ["description", "x".repeat(255), "x".repeat(256)],
    ["description", "x", ""],
    ["comment", "x".repeat(255), "x".repeat(256)],
    ["cost", 0, -1],
    ["file_ids", [], [5]],
    ["conditions", BY_WAY, {}],
    ["conditions", BY_WAY, undefined],
    ["conditions", { mileage: { limit: 0.1 } }, { mileage: { limit: 0 } }],
    ["conditions", { mileage: { limit: 1e9 } }, { mileage: { limit: 1e9 + 1 } }],
    ["conditions", BY_WAY, { mileage: { limit: 5, notification_interval: -1 } }],
    ["conditions", BY_WAY, { mileage: { limit: 5, repeat_interval: 0 } }],
    ["conditions", { date: { end: inDays(1), repeat_interval: 1 } }, { date: { end: inDays(1), repeat_interval: 0 } }],
    ["conditions", dated(1, { notification_interval: 36_500 }), dated(1, { notification_interval: 36_501 })],
    ["conditions", dated(1), { date: { end: "tomorrow" } }],
    ["notifications", { emails: ["a@b.de"] }, { emails: ["a@"] }],
    ["notifications", { sms_phones: ["12345"] }, { sms_phones: ["+4915550001"] }],
    ["notifications", { sms_phones: ["1".repeat(15)] }, { sms_phones: ["1".repeat(16)] }],
    ["notifications", { emails: Array(20).fill("a@b.de") }, { emails: Array(21).fill("a@b.de") }],
  ] as const) {
    await created(create({ [member]: right }));
    const reply = await create({ [member]: wrong });
    expect(reply.status.code, member).toBe(7);
    expect(reply.errors[0].parameter).toMatch(new RegExp(`^task\\.${member}`));
  }
  const ask = (more: object) => account.call("/vehicle/service_task/list", { vehicle_ids: [vehicle_id], ...more });
  const [one, sorted] = [{ type: "eq", field: "cost", value: 0 }, "id=asc"];
  expect(
    codeOf(await ask({ conditions: Array(72).fill(one), sort: Array(10).fill(sorted), filter: "x".repeat(255) })),
  ).toBe("done");
  for (const [parameter, wrong] of Object.entries({
    conditions: Array(73).fill(one),
    "conditions.0.field": [{ ...one, field: "weight" }],
    sort: Array(11).fill(sorted),
    "sort.0": ["weight=asc"],
    filter: "x".repeat(256),
    "statuses.0": ["ended"],
    limit: -1,
  })) {
    const reply = await ask({ [parameter.split(".")[0] ?? ""]: wrong });
    expect(reply, parameter).toMatchObject({ status: { code: 7 }, errors: [{ parameter }] });
  }
  const wrongStatus = await account.call("/vehicle/service_task/set_status", { task_id: 1, status: "expired" });
  expect(wrongStatus.errors[0].parameter).toBe("status");
  for (const both of [{}, { task_id: 1, task_ids: [1] }]) {
    expect((await account.call("/vehicle/service_task/delete", both)).status.code).toBe(7);
  }
});

test("vehicle/service_task/create refuses conditions without tracker or value (201) and without engine hours (214)", async () => {
  const van = await newVehicle();
  expect((await van.create({ vehicle_id: UNKNOWN_ID })).status.code).toBe(201);
  const { id: without } = await account.must("/vehicle/create", { vehicle: { label: "Trailer" } });
  for (const more of [{}, { conditions: dated(5) }]) {
    expect((await van.create({ vehicle_id: without, ...more })).status.code).toBe(201);
  }
  const { id: silent } = await account.newTracker();
  const { id: unheard } = await account.must("/vehicle/create", { vehicle: { label: "New", tracker_id: silent } });
  const hours = { conditions: { engine_hours: { limit: 5 } } };
  for (const more of [{}, hours]) expect((await van.create({ vehicle_id: unheard, ...more })).status.code).toBe(201);
  const plain = await created(van.create({ vehicle_id: unheard, conditions: dated(5) }));
  expect(await read(plain)).toMatchObject({
    start: { mileage: null, engine_hours: null },
    current_position: { mileage: null, engine_hours: null },
  });

  const phone = { label: "Phone", group_id: 0, model: "mobile_app", plugin_id: 35 };
  const { value: app } = await account.must("/tracker/register", phone);
  await feed(app.source.device_id, [{ time: systemNow() - MINUTE_MS, lat: 50, lng: 8 }]);
  const vehicle = { label: "Bike", tracker_id: app.id };
  const { id: vehicle_id } = await account.must("/vehicle/create", { vehicle });
  expect((await van.create({ vehicle_id, ...hours })).status.code).toBe(214);
  const task = await read(await created(van.create({ vehicle_id })));
  const update = (more: object) => account.call("/vehicle/service_task/update", { task: { ...task, ...more } });
  expect((await update(hours)).status.code).toBe(214);
  expect((await update({ id: UNKNOWN_ID })).status.code).toBe(204);
  expect((await update({ vehicle_id: van.vehicle_id })).errors[0].parameter).toBe("task.vehicle_id");
  const ofUnheard = { ...(await read(plain)), conditions: BY_WAY };
  expect((await account.call("/vehicle/service_task/update", { task: ofUnheard })).status.code).toBe(204);
  for (const path of ["read", "set_status"]) {
    const unknown = { task_id: UNKNOWN_ID, status: "done" };
    expect((await account.call(`/vehicle/service_task/${path}`, unknown)).status.code).toBe(204);
  }
  expect((await account.call("/vehicle/service_task/list", { vehicle_ids: [UNKNOWN_ID] })).status.code).toBe(201);
  await account.block(van.tracker_id);
  expect((await van.create()).status.code).toBe(201);
});

test("vehicle/service_task/batch/create makes tasks for all of its vehicles or for none, under both paths", async () => {
  const [one, two] = [await newVehicle("A"), await newVehicle("B")];
  const create = (path: string, vehicle_ids: number[], conditions: object = BY_WAY) =>
    account.call(`/vehicle/service_task/${path}`, { vehicle_ids, task: { description: "Tyres", conditions } });
  const ids = [two.vehicle_id, one.vehicle_id];
  const first = await create("batch/create", [...ids, two.vehicle_id]);
  const tasks = await Promise.all(first.ids.map(read));
  expect(tasks.map(({ vehicle_id }) => vehicle_id)).toEqual(ids);
  expect((await create("batch_create", ids)).ids).toHaveLength(2);
  const { id: without } = await account.must("/vehicle/create", { vehicle: { label: "Trailer" } });
  for (const wrong of [UNKNOWN_ID, without]) {
    for (const conditions of [BY_WAY, dated(5)]) {
      const reply = await create("batch/create", [one.vehicle_id, wrong], conditions);
      expect(reply).toMatchObject({ status: { code: 7 }, errors: [{ parameter: "vehicle_ids.1" }] });
    }
  }
  expect((await create("batch/create", [])).errors[0].parameter).toBe("vehicle_ids");
  expect(await list({ vehicle_ids: ids })).toHaveLength(4);
  await account.must("/vehicle/service_task/delete", { task_id: first.ids[0] });
  await account.must("/vehicle/service_task/delete", { task_ids: [first.ids[0], first.ids[1], UNKNOWN_ID] });
  expect(await list({ vehicle_ids: ids })).toHaveLength(2);
});

test("a service task is notified, expired and done by its counter, each with one event and one mail", async () => {
  const { tracker_id, vehicle_id, set, create } = await newVehicle("Van\n7");
  await set(1000);
  const emails = [account.login.toUpperCase(), (await newSubUser(account)).login];
  const id = await created(create({ notifications: { emails }, comment: "<filter>" }));
  const sweep = () => Promise.all([stack.fireCron("fleet"), stack.fireCron("fleet")]);
  await set(1089.9);
  await sweep();
  expect(await statusOf(id)).toBe("created");
  await set(1090);
  await sweep();
  expect(await statusOf(id)).toBe("notified");
  expect(await eventsOf(tracker_id)).toEqual([["service_task_soon", "Oil change", id]]);
  await set(1100);
  await sweep();
  expect(await statusOf(id)).toBe("notified");
  await set(1100.1);
  await sweep();
  expect(await statusOf(id)).toBe("expired");
  // A task that is overdue does not become planned again when the counter falls.
  await set(1000);
  await sweep();
  expect(await statusOf(id)).toBe("expired");
  expect((await eventsOf(tracker_id)).map(([event]: string[]) => event)).toEqual([
    "service_task_soon",
    "service_task_expired",
  ]);
  for (const email of emails) {
    const [late, soon, ...more] = await mailsTo(email);
    expect(more).toEqual([]);
    expect([soon?.subject, late?.subject]).toEqual(["Service is due soon: Van 7", "Service is overdue: Van 7"]);
    expect(soon?.text).toContain("Oil change\nComment: <filter>\nDue at: 1,100 km\n");
    expect(soon?.html).toContain("&lt;filter&gt;");
  }
  await set(1110);
  expect(codeOf(await done(id))).toBe("done");
  const value = await read(id);
  expect(value).toMatchObject({ status: "done", completion: { mileage: 1110, engine_hours: null } });
  expect(value.completion.date).toBe(value.completion_date);
  expect(value).not.toHaveProperty("prediction");
  await set(2000);
  expect(await read(id)).toMatchObject({ completion: { mileage: 1110 }, current_position: { mileage: 2000 } });
  expect(await list({ vehicle_ids: [vehicle_id] })).toHaveLength(1);
});

test("a service task is notified and expired by the date alone, and mails use the master's language", async () => {
  const german = await newAccount({ locale: "de_DE" });
  const { vehicle_id } = await newVehicle("Wagen", german);
  const email = german.login;
  const create = async (conditions: object) => {
    const task = { vehicle_id, description: "TÜV", conditions, notifications: { emails: [email, email] } };
    return (await german.must("/vehicle/service_task/create", { task })).id;
  };
  const end = inDays(1);
  const ids = [
    await create(dated(3)),
    await create({ date: { end, notification_interval: 2 } }),
    await create(dated(-1)),
  ];
  const statuses = async () => {
    const { list } = await german.must("/vehicle/service_task/list", {});
    return ids.map((id) => list.find((task: Reply) => task.id === id).status);
  };
  await stack.fireCron("fleet");
  expect(await statuses()).toEqual(["created", "notified", "expired"]);
  const mails = await mailsTo(email);
  expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
    "Wartung bald fällig: Wagen",
    "Wartung überfällig: Wagen",
  ]);
  expect(mails.some(({ text }) => text.includes(`Arbeit: TÜV\nFällig am: ${end}\n`))).toBe(true);
  // Changed conditions restart the task, with a new mail; other changes do not.
  const { value } = await german.must("/vehicle/service_task/read", { task_id: ids[2] });
  await german.must("/vehicle/service_task/update", { task: { ...value, description: "HU", cost: 5 } });
  expect((await statuses())[2]).toBe("expired");
  await german.must("/vehicle/service_task/update", { task: { ...value, conditions: dated(20) } });
  expect((await statuses())[2]).toBe("created");
  await german.must("/vehicle/service_task/update", { task: { ...value, conditions: dated(1) } });
  await stack.fireCron("fleet");
  expect((await statuses())[2]).toBe("notified");
  expect(await mailsTo(email)).toHaveLength(3);
});

test("a service task asks a recipient without a login of the account once, in fixed words, and mails it once it agrees", async () => {
  const other = await newAccount();
  const { vehicle_id } = await newVehicle("Buy at www.evil.example/now", other);
  const stranger = `${randomInt(1e12)}@Example.com`;
  const due = async () => {
    const task = { vehicle_id, description: "http://evil.example", conditions: dated(1) };
    await other.must("/vehicle/service_task/create", {
      task: { ...task, notifications: { emails: [stranger, other.login] } },
    });
    await stack.fireCron("fleet");
  };
  await due();
  await due();
  const address = stranger.toLowerCase();
  const [question, ...more] = await mailsTo(address);
  expect(more).toEqual([]);
  expect(question?.text).not.toContain("evil");
  const link = /http\S+agreement\/show\?token=(\S+)/.exec(question?.text);
  const page = await fetch(`${stack.baseUrl}/notification/agreement/show?token=${link?.[1]}`);
  expect(await page.text()).toContain('data-url="accept"');
  await due();
  expect(await mailsTo(address)).toHaveLength(1);

  expect((await call("/notification/agreement/accept", { token: `${link?.[1]}x` })).status.code).toBe(201);
  await must("/notification/agreement/accept", { token: link?.[1] });
  await due();
  const [notice] = (await mailsTo(stranger)).concat(await mailsTo(address));
  expect(notice?.subject).toBe("Service is due soon: Buy at …");
  expect(notice?.text).not.toContain("evil");
  expect(await mailsTo(other.login)).toHaveLength(4);
});

test("service tasks send no more mails a day than the operator allows, and ask recipients later when that is used up", async () => {
  const other = await newAccount();
  const { vehicle_id } = await newVehicle("Van", other);
  const limit = async (mails: number) => operator.must("/panel/user/update", { user_id: other.id, limits: { mails } });
  const due = async (emails: string[]) => {
    const task = { vehicle_id, description: "Oil", conditions: dated(1), notifications: { emails } };
    await other.must("/vehicle/service_task/create", { task });
    await stack.fireCron("fleet");
  };
  await limit(2);
  for (let day = 0; day < 3; day++) await due([other.login]);
  expect(await mailsTo(other.login)).toHaveLength(2);
  const stranger = `${randomInt(1e12)}@example.com`;
  await due([stranger]);
  expect(await mailsTo(stranger)).toEqual([]);
  await limit(3);
  await due([stranger]);
  expect(await mailsTo(stranger)).toHaveLength(1);
});

test("a repeating service task begins anew when it is done, once, however many calls finish it at once", async () => {
  const { vehicle_id, set, create } = await newVehicle();
  await set(500);
  await set(20, "engine_hours");
  const conditions = {
    mileage: { limit: 100, notification_interval: 10, repeat_interval: 80 },
    date: { end: inDays(30), notification_interval: 3, repeat_interval: 7 },
    engine_hours: { limit: 40, notification_interval: 4 },
  };
  const id = await created(create({ repeat: true, conditions, comment: "again" }));
  await set(590);
  await set(25, "engine_hours");
  const replies = await Promise.all(Array.from({ length: 8 }, () => done(id)));
  expect(replies.map(codeOf)).toEqual(Array(8).fill("done"));
  const [first, next, ...more] = await list({ vehicle_ids: [vehicle_id] });
  expect(more).toEqual([]);
  const date = first.completion_date;
  expect(first).toMatchObject({ id, status: "done", completion: { mileage: 590, engine_hours: 25, date } });
  expect(next).toMatchObject({
    ...{ status: "created", comment: "again", repeat: true, completion_date: null },
    start: { mileage: 590, engine_hours: 25, date },
    conditions: { mileage: { limit: 80, repeat_interval: 80 }, engine_hours: { limit: 40 } },
  });
  const span = Date.parse(`${next.conditions.date.end}Z`) - Date.parse(`${date}Z`);
  expect(span).toBe(7 * DAY_MS);
  expect(codeOf(await done(next.id))).toBe("done");
  expect(await list({ vehicle_ids: [vehicle_id] })).toHaveLength(3);
});

test("vehicle/service_task/list finds tasks by vehicle, status, conditions and text, sorted, counted and in pages", async () => {
  const mine = await newAccount();
  const [van, bus] = [await newVehicle("Äpfel-Van", mine), await newVehicle("Bus", mine)];
  const make = async ({ create }: typeof van, description: string, more: object = {}) =>
    created(create({ description, conditions: dated(50), ...more }));
  const ids = {
    oil: await make(van, "Oil", { cost: 100, unplanned: true }),
    tyres: await make(van, "Reifen", { cost: 300, comment: "winter öl", conditions: dated(30) }),
    brakes: await make(bus, "Brakes", { cost: 12.5, conditions: dated(-1) }),
    lamp: await make(bus, "Lamp"),
  };
  await mine.must("/vehicle/service_task/set_status", { task_id: ids.lamp, status: "done" });
  await stack.fireCron("fleet");
  const names = Object.entries(ids);
  const find = async (parameters: object) => {
    const { list } = await mine.must("/vehicle/service_task/list", parameters);
    return list.map((task: Reply) => names.find(([, id]) => id === task.id)?.[0]);
  };
  const all = ["oil", "tyres", "brakes", "lamp"];
  expect(await find({})).toEqual(all);
  expect(await find({ only_unplanned: true })).toEqual(["oil"]);
  expect(await find({ vehicle_ids: [bus.vehicle_id] })).toEqual(["brakes", "lamp"]);
  expect(await find({ vehicle_ids: [] })).toEqual([]);
  expect(await find({ statuses: ["expired", "done"] })).toEqual(["brakes", "lamp"]);
  expect(await find({ filter: "OL" })).toEqual(["tyres"]);
  expect(await find({ filter: "apfel" })).toEqual(["oil", "tyres"]);
  expect(await find({ filter: "%" })).toEqual([]);
  const where = (...conditions: object[]) => find({ conditions });
  const [is, today] = [
    (type: string, field: string, value: unknown) => ({ type, field, value }),
    { from: inDays(-1), to: inDays(1) },
  ];
  expect(await where(is("eq", "vehicle", van.vehicle_id))).toEqual(["oil", "tyres"]);
  expect(await where(is("contains", "vehicle", "bu"), is("eq", "cost", 12.5))).toEqual(["brakes"]);
  expect(await where(is("in", "status", ["created", "done"]))).toEqual(["oil", "tyres", "lamp"]);
  expect(await where(is("period", "completion_date", today))).toEqual(["lamp"]);
  expect(await where(is("period", "predicted_date", { from: inDays(29), to: inDays(31) }))).toEqual(["tyres"]);
  expect(await where(is("period", "creation_date", today))).toEqual(all);
  const either = {
    type: "or",
    conditions: [is("contains", "description", "oil"), is("contains", "comment", "WINTER")],
  };
  expect(await where(either)).toEqual(["oil", "tyres"]);
  expect(await where({ type: "not", condition: either }, is("in", "vehicle_id", [bus.vehicle_id]))).toEqual([
    "brakes",
    "lamp",
  ]);
  const sorted = (...sort: string[]) => find({ sort });
  expect(await sorted("vehicle=desc", "description=asc")).toEqual(["brakes", "lamp", "oil", "tyres"]);
  expect(await sorted("vehicle_id=desc", "id=desc")).toEqual(["lamp", "brakes", "tyres", "oil"]);
  expect(await sorted("cost=desc")).toEqual(["tyres", "oil", "brakes", "lamp"]);
  expect(await sorted("comment=desc")).toEqual(["tyres", "oil", "brakes", "lamp"]);
  expect(await sorted("predicted_date=asc")).toEqual(["brakes", "tyres", "oil", "lamp"]);
  expect(await sorted("completion_date=desc", "creation_date=desc")).toHaveLength(4);
  expect(await sorted("status=asc")).toEqual(["oil", "tyres", "lamp", "brakes"]);
  expect(await find({ limit: 2, offset: 1 })).toEqual(["tyres", "brakes"]);
  expect(await mine.must("/vehicle/service_task/list", { limit: 0 })).toMatchObject({ list: [], count: 4 });
});

test("vehicle/service_task/list gives more tasks than a database page whole, with their dates in the caller's form", async () => {
  const mine = await newAccount();
  const { id: tracker_id } = await mine.newTracker();
  const { id: vehicle_id } = await mine.must("/vehicle/create", { vehicle: { label: "Van", tracker_id } });
  const task = { description: "Wash", conditions: dated(9) };
  const { id } = await mine.must("/vehicle/service_task/create", { task: { ...task, vehicle_id } });
  await stack.copyRow("fleet", { table: "service_task", where: { id }, count: 509, changed: { id: "NULL" } });
  const { list, count } = await mine.must("/vehicle/service_task/list");
  expect(count).toBe(510);
  expect(new Set(list.map(({ id }: Reply) => id)).size).toBe(510);
  const ends = new Set(list.map(({ conditions }: Reply) => conditions.date.end));
  expect(ends).toEqual(new Set([task.conditions.date.end]));
  expect((await mine.must("/vehicle/service_task/list", { limit: 505, offset: 3 })).list).toEqual(
    list.slice(3, 508).map(anyMoment),
  );
});

/** The task, with any moment as the time of its counter values. */
function anyMoment(task: Reply) {
  return { ...task, current_position: { ...task.current_position, date: expect.any(String) } };
}

test("vehicle/update cannot change the tracker of a vehicle with service tasks, done or not (261)", async () => {
  const { tracker_id, vehicle_id, create } = await newVehicle();
  const id = await created(create({ conditions: dated(9) }));
  const { id: other } = await account.newTracker();
  const update = (parameters: object) =>
    account.call("/vehicle/update", { vehicle: { id: vehicle_id, label: "Van 3", ...parameters } });
  for (const isDone of [false, true]) {
    if (isDone) await done(id);
    for (const moved of [{ tracker_id: null }, { tracker_id: other }]) {
      expect((await update(moved)).status.code).toBe(261);
    }
  }
  const { value } = await account.must("/vehicle/read", { vehicle_id });
  expect(value).toMatchObject({ label: "Van 2", tracker_id });
  expect(codeOf(await update({ tracker_id }))).toBe("done");
  expect((await update({ tracker_id: null, garage_id: UNKNOWN_ID })).status.code).toBe(261);
  expect((await update({ tracker_id, garage_id: UNKNOWN_ID })).errors[0].parameter).toBe("vehicle.garage_id");
  await account.must("/vehicle/service_task/delete", { task_id: id });
  expect(codeOf(await update({ tracker_id: other }))).toBe("done");
});

test("vehicle/update still changes a vehicle with service tasks whose tracker was blocked", async () => {
  const { tracker_id, vehicle_id, create } = await newVehicle();
  await created(create());
  await account.block(tracker_id);
  const read = async () => (await account.must("/vehicle/read", { vehicle_id })).value;
  await account.must("/vehicle/update", { vehicle: { ...(await read()), label: "Van 3" } });
  await account.must("/vehicle/update", { vehicle: { id: vehicle_id, vin: "X" } });
  expect(await read()).toMatchObject({ label: "Van 3", vin: "X", tracker_id });
  expect((await account.call("/vehicle/update", { vehicle: { id: vehicle_id, tracker_id: null } })).status.code).toBe(
    261,
  );
});

test("vehicle/create and update cannot take the tracker of a vehicle with service tasks, and name that vehicle (247)", async () => {
  const { tracker_id, vehicle_id, create } = await newVehicle();
  const task_id = await created(create());
  await done(task_id);
  const { id } = await account.must("/vehicle/create", { vehicle: { label: "Bus" } });
  const take = [
    () => account.call("/vehicle/create", { vehicle: { label: "Bus", tracker_id } }),
    () => account.call("/vehicle/update", { vehicle: { id, tracker_id } }),
  ];
  for (const call of take) {
    expect(await call()).toMatchObject({ status: { code: 247 }, entities: [{ type: "vehicle", ids: [vehicle_id] }] });
  }
  expect((await account.must("/vehicle/read", { vehicle_id })).value.tracker_id).toBe(tracker_id);
  await account.must("/vehicle/service_task/delete", { task_id });
  for (const call of take) expect(codeOf(await call())).toBe("done");
  expect((await account.must("/vehicle/read", { vehicle_id: id })).value.tracker_id).toBe(tracker_id);
});

test("a tracker gets a service task or moves to another vehicle, never both, however many calls try at once", async () => {
  for (let round = 0; round < 5; round++) {
    const { tracker_id, vehicle_id, create } = await newVehicle();
    const [planned, moved] = await Promise.all([
      create(),
      account.call("/vehicle/create", { vehicle: { label: "Bus", tracker_id } }),
    ]);
    const { value } = await account.must("/vehicle/read", { vehicle_id });
    expect([value.tracker_id === tracker_id, codeOf(moved) === "done"]).toEqual([planned.success, !planned.success]);
  }
});

test("service tasks are deleted with their vehicle; without a tracker their counters stop, and cannot complete them", async () => {
  const { tracker_id, vehicle_id, set, create } = await newVehicle();
  await set(100);
  const id = await created(create());
  await operator.must("/panel/tracker/corrupt", { tracker_id });
  await stack.fireCron("fleet");
  const [task] = await list({ vehicle_ids: [vehicle_id] });
  expect(task).toMatchObject({ id, status: "created", current_position: { mileage: null }, start: { mileage: 100 } });
  expect((await account.call("/vehicle/service_task/read", { task_id: id })).status.code).toBe(201);
  expect((await done(id)).status.code).toBe(201);
  // A task whose counter has no value any more may get another condition.
  const { task_id, ...parameters } = { ...task, conditions: dated(5) };
  await account.must("/vehicle/service_task/update", { task: parameters });
  expect(await statusOf(id)).toBe("created");
  await account.must("/vehicle/delete", { vehicle_id });
  expect((await account.call("/vehicle/service_task/read", { task_id: id })).status.code).toBe(204);
});

test("vehicle/service_task calls refuse another account's tasks and change nothing", async () => {
  const { create } = await newVehicle();
  const rival = await newVehicle("Rival", await newAccount());
  const id = await created(create());
  const before = await read(id);
  const { hash } = rival.owner;
  for (const [path, parameters, code] of [
    ["read", { task_id: id }, 204],
    ["update", { task: { ...before, vehicle_id: rival.vehicle_id } }, 204],
    ["set_status", { task_id: id, status: "done" }, 204],
    ["delete", { task_id: id }, "done"],
    ["delete", { task_ids: [id] }, "done"],
  ] as const) {
    expect(codeOf(await account.call(`/vehicle/service_task/${path}`, { hash, ...parameters })), path).toBe(code);
  }
  expect(await read(id)).toEqual(anyMoment(before));
});

test("a sub-user sees the service tasks of its visible vehicles, and changes them with the right to do so", async () => {
  const [visible, hidden] = [await newVehicle("Shown"), await newVehicle("Hidden")];
  const [mine, theirs] = [await created(visible.create()), await created(hidden.create())];
  const { id: subuser_id, hash } = await newSubUser(account);
  await account.must("/subuser/tracker/bind", { subuser_id, trackers: [visible.tracker_id] });
  const ask = (path: string, parameters: object) =>
    account.call(`/vehicle/service_task/${path}`, { hash, ...parameters });
  const ids = (await ask("list", {})).list.map(({ id }: Reply) => id);
  expect(ids).toContain(mine);
  expect(ids).not.toContain(theirs);
  expect((await ask("list", { vehicle_ids: [hidden.vehicle_id] })).status.code).toBe(201);
  expect((await ask("read", { task_id: theirs })).status.code).toBe(204);
  expect(codeOf(await ask("read", { task_id: mine }))).toBe("done");
  expect((await ask("set_status", { task_id: mine, status: "done" })).status.code).toBe(13);
  const group = { label: "Fleet", privileges: { rights: ["vehicle_update"] } };
  const { id: security_group_id } = await account.must("/subuser/security_group/create", { group });
  await account.must("/subuser/security_group/assign", { group_id: security_group_id, subuser_ids: [subuser_id] });
  expect((await ask("set_status", { task_id: theirs, status: "done" })).status.code).toBe(204);
  const task = { vehicle_id: hidden.vehicle_id, description: "Oil", conditions: dated(1) };
  expect((await ask("create", { task })).status.code).toBe(201);
  expect(codeOf(await ask("delete", { task_ids: [mine, theirs] }))).toBe("done");
  expect(await statusOf(theirs)).toBe("created");
  expect((await account.call("/vehicle/service_task/read", { task_id: mine })).status.code).toBe(204);
});

async function sheetOf(owner: Account, more: object) {
  const body = JSON.stringify({ hash: owner.hash, format: "xlsx", ...more });
  const response = await fetch(`${stack.baseUrl}/vehicle/service_task/download`, { method: "POST", body });
  const [sheet = {}] = Object.values(readSheet(new Uint8Array(await response.arrayBuffer())).Sheets);
  const rows = utils.sheet_to_json<unknown[]>(sheet, { header: 1 }).map((row) => [...row].map((cell) => cell ?? null));
  return { headers: response.headers, rows: rows.slice(3) };
}

test("vehicle/service_task/download gives the columns asked for, in groups, with the cost added up", async () => {
  const mine = await newAccount({ time_zone: ZONE });
  const van = await newVehicle("Van", mine);
  const bus = await newVehicle("Bus", mine);
  await van.set(1000);
  const oil = await created(van.create({ cost: 100.5, comment: "with filter" }));
  const end = inDays(10);
  await created(
    bus.create({ description: "Tyres", cost: 20, conditions: { date: { end, notification_interval: 2 } } }),
  );
  await van.set(1040);
  const { rows } = await sheetOf(mine, { sort: ["vehicle=asc"] });
  expect(rows).toEqual([
    ...[
      ["Vehicle", "Work", "Status", "Due", "Left, km", "Left, h", "Left, days", "Cost", "Done on", "Files", "Comment"],
    ],
    ["Bus", "Tyres", "Planned", `on ${end}`, null, null, 10, 20, null, 0, ""],
    ["Van", "Oil change", "Planned", "after 100 km", 60, null, null, 100.5, null, 0, "with filter"],
    ["Total", ...Array(6).fill(null), 120.5],
  ]);

  await mine.must("/vehicle/service_task/set_status", { task_id: oil, status: "done" });
  const columns = ["cost", "vehicle_label", "mileage_remains", "completed"];
  const document = await sheetOf(mine, { columns, group_by: "status", add_filename_header: true });
  expect(document.headers.get("content-disposition")).toContain('filename="Service tasks');
  expect(document.rows).toEqual([
    ["Vehicle", "Left, km", "Cost", "Done on"],
    ...[["Planned"], ["Bus", null, 20], ["Total", null, 20]],
    ...[["Done"], ["Van", null, 100.5, expect.stringMatching(/^20\d\d-/)], ["Total", null, 100.5]],
  ]);
  const byVehicle = await sheetOf(mine, {
    columns: ["description"],
    group_by: "vehicle",
    vehicle_ids: [van.vehicle_id],
  });
  expect(byVehicle.rows).toEqual([["Work"], ["Van"], ["Oil change"]]);
  expect(byVehicle.headers.get("content-disposition")).toBeNull();

  const body = JSON.stringify({ hash: mine.hash });
  const pdf = await fetch(`${stack.baseUrl}/vehicle/service_task/download`, { method: "POST", body });
  expect(pdf.headers.get("content-type")).toBe("application/pdf");
  const bytes = Buffer.from(await pdf.arrayBuffer());
  expect(bytes.subarray(0, 5).toString()).toBe("%PDF-");
  // Browsers show the progress of a download by its length.
  expect(Number(pdf.headers.get("content-length"))).toBe(bytes.byteLength);
});

test("vehicle/service_task/download refuses unknown vehicles, columns named twice and other formats", async () => {
  const call = (more: object) => account.call("/vehicle/service_task/download", more);
  expect((await call({ vehicle_ids: [UNKNOWN_ID] })).status.code).toBe(201);
  for (const [parameter, more] of [
    ["columns", { columns: ["cost", "cost"] }],
    ["columns", { columns: [] }],
    ["columns.0", { columns: ["price"] }],
    ["format", { format: "csv" }],
    ["group_by", { group_by: "cost" }],
  ] as const) {
    expect(await call(more)).toMatchObject({ status: { code: 7 }, errors: [{ parameter }] });
  }
});
