import { beforeAll, expect, test } from "vitest";
import { DAY_MS } from "#shared/time/duration.ts";
import { type Account, newAccount, operator, type Reply, sharedAccount, UNKNOWN_ID } from "#test/tool/call/account.ts";
import { newSubUser } from "#test/tool/call/mailbox.ts";
import { stack } from "#test/tool/system/stack.ts";
import { nobody } from "../../../../shared/caller/principal.ts";
import { systemNow, writeLocal } from "../../../../shared/time/clock.ts";

const ZONE = "Europe/Berlin";
const NOBODY = { ...nobody("none"), credential: "session" as const };
const inDays = (days: number) => writeLocal(systemNow() + days * DAY_MS, ZONE);
const place = { lat: 52.5, lng: 13.4, address: "Lange Straße 1", radius: 100 };
const period = { from: inDays(0), to: inDays(1) };
const parcel = { location: place, label: "Parcel", description: "", ...period };

let account: Account;
beforeAll(async () => {
  account = await sharedAccount();
});

const create = (more: object = {}, owner = account) =>
  owner.call("/task/create", { task: { ...parcel, ...more } }) as Promise<Reply>;
const created = async (more: object = {}, owner = account) => {
  const reply = await create(more, owner);
  expect(reply).toMatchObject({ success: true });
  return Number(reply.id);
};
const read = async (task_id: number, owner = account) => (await owner.must("/task/read", { task_id })).value;
const list = async (wanted: object, owner = account) => (await owner.must("/task/list", wanted)).list;
const labels = async (wanted: object, owner = account) => (await list(wanted, owner)).map(({ label }: Reply) => label);
const codeOf = ({ success, status }: Reply) => (success ? "done" : status.code);
/** An update keeps the tracker, and treats null as left out where null is not allowed. */
const isOfCreation = (member: string, wrong: unknown) =>
  member === "tracker_id" || wrong === null || (member === "location" && !Object.hasOwn(Object(wrong), "radius"));
const historyOf = async (task_id: number) =>
  (await account.must("/task/history/list", { task_id })).list.map(({ operation, payload }: Reply) => [
    operation,
    payload,
  ]);

test("task/create stores a task as given, and task/read adds the members that callers cannot set", async () => {
  const { id: tracker_id } = await account.newTracker();
  const { id: tag } = await account.must("/tag/create", { tag: { name: "Cold", color: "27A9E3" } });
  const given = { external_id: "A-1", max_delay: 5, min_stay_duration: 10, min_arrival_duration: 1 };
  const ignored = { id: null, status: "done", origin: "scheduled", user_id: 1, arrival_date: inDays(0) };
  const id = await created({ ...given, ...ignored, tracker_id, tags: [tag, tag] });
  const value = await read(id);
  expect(value).toEqual({
    ...parcel,
    ...given,
    id,
    user_id: account.id,
    tracker_id,
    creation_date: value.status_change_date,
    status: "assigned",
    status_change_date: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    arrival_date: null,
    stay_duration: 0,
    origin: "manual",
    tags: [tag],
    files: [],
    type: "task",
  });
  // An update accepts all members that `read` answered.
  await account.must("/task/update", { task: { ...value, label: "Letter", tracker_id: null } });
  expect(await read(id)).toEqual({ ...value, label: "Letter" });
  expect(await historyOf(id)).toEqual([
    ["create", expect.objectContaining({ id, label: "Parcel", location: place, tags: [tag], from: parcel.from })],
    ["update", { label: "Letter" }],
  ]);
});

test.each([
  ["label", "x".repeat(200), "x".repeat(201)],
  ["label", "é", "  "],
  ["description", "x".repeat(1024), "x".repeat(1025)],
  ["description", "", null],
  ["location", { ...place, radius: 1 }, { ...place, radius: 0 }],
  ["location", { ...place, radius: 300_000 }, { ...place, radius: 300_001 }],
  ["location", { lat: 1, lng: 2, radius: 5 }, { lat: 1, lng: 2 }],
  ["external_id", "x".repeat(100), "x".repeat(101)],
  ["external_id", null, ""],
  ["max_delay", 512_000, 512_001],
  ["min_stay_duration", 0, -1],
  ["min_arrival_duration", 512_000, 512_001],
  ["from", inDays(0.9), inDays(2)],
  ["to", inDays(0.1), inDays(-0.1)],
  ["tracker_id", null, "x"],
  ["tags", [], [UNKNOWN_ID]],
])("task/create and update with a %s refuse it beyond its limit by name (%#)", async (member, right, wrong) => {
  const id = await created({ [member]: right });
  const value = await read(id);
  const calls = [
    await create({ [member]: wrong }),
    ...(isOfCreation(member, wrong)
      ? []
      : [await account.call("/task/update", { task: { ...value, [member]: wrong } })]),
  ];
  for (const reply of calls) {
    expect(codeOf(reply)).toBe(7);
    expect(reply.errors[0].parameter).toMatch(new RegExp(`^task\\.${member}`));
  }
  expect(await read(id)).toEqual(value);
});

test('task/create takes the origin "imported" only with an import id', async () => {
  const origins = [{ origin: "imported", import_id: 5 }, { origin: "imported" }, { origin: "manual", import_id: 5 }];
  const made = await Promise.all(origins.map(async (more) => (await read(await created(more))).origin));
  expect(made).toEqual(["imported", "manual", "manual"]);
});

test("task/create and update count the tasks of an external id from its second use on", async () => {
  const owner = await newAccount();
  expect(await create({ external_id: "B-1" }, owner)).not.toHaveProperty("external_id_counts");
  const second = await create({ external_id: "B-1" }, owner);
  expect(second.external_id_counts).toEqual([{ external_id: "B-1", count: 2 }]);
  const other = await created({ external_id: "B-2" }, owner);
  const task = { ...(await read(other, owner)), external_id: "B-1" };
  expect(await owner.must("/task/update", { task })).toMatchObject({
    external_id_counts: [{ external_id: "B-1", count: 3 }],
  });
  expect(await create({ external_id: "B-1" }, await newAccount())).not.toHaveProperty("external_id_counts");
  expect((await list({ external_id: "B-1" }, owner)).length).toBe(3);
  expect(await list({ external_id: "b-1" }, owner)).toEqual([]);
  expect(await owner.must("/task/count")).toMatchObject({ count: 3 });
});

test("task/assign assigns and unassigns a task, each time with an entry in its history", async () => {
  const [{ id: one }, { id: other }] = [await account.newTracker(), await account.newTracker()];
  const id = await created();
  const assign = (tracker_id: number | null) => account.must("/task/assign", { task_id: id, tracker_id });
  for (const tracker_id of [one, other, null, null]) await assign(tracker_id);
  expect(await read(id)).toMatchObject({ tracker_id: null, status: "unassigned" });
  expect((await historyOf(id)).slice(1)).toEqual([
    ["assign", { tracker_id: one }],
    ["status_change", { status: "assigned" }],
    ["assign", { tracker_id: other }],
    ["assign", { tracker_id: null }],
    ["status_change", { status: "unassigned" }],
  ]);
});

test("task/create and assign refuse foreign, blocked and unlicensed trackers", async () => {
  const owner = await newAccount({ plan: {} });
  const [{ id: foreign }, { id: blocked }] = [await account.newTracker(), await owner.newTracker()];
  const task_id = await created({}, owner);
  const assign = async (tracker_id: number) => codeOf(await owner.call("/task/assign", { task_id, tracker_id }));
  for (const tracker_id of [foreign, UNKNOWN_ID]) {
    expect(codeOf(await create({ tracker_id }, owner))).toBe(201);
    expect(await assign(tracker_id)).toBe(204);
  }
  await owner.block(blocked);
  const refusal = { status: { code: 7 }, errors: [{ parameter: "task.tracker_id" }] };
  expect(await create({ tracker_id: blocked }, owner)).toMatchObject(refusal);
  expect(await assign(blocked)).toBe(208);
  await owner.block(blocked, false);
  await owner.changeTariff({ features: [] });
  expect(codeOf(await create({ tracker_id: blocked }, owner))).toBe(236);
  expect(await assign(blocked)).toBe(236);
  // A task without a tracker needs no feature.
  await created({}, owner);
  expect(await read(task_id, owner)).toMatchObject({ status: "unassigned" });
});

test("a task that was not completed in time fails once, in its history and in an event of its tracker", async () => {
  const { id: tracker_id } = await account.newTracker();
  const dead = await createEnding(0, { tracker_id });
  const late = await createEnding(0.01, { tracker_id });
  const patient = await createEnding(0, { tracker_id, max_delay: 1 });
  const nobodys = await createEnding(0);
  await Promise.all([stack.fireCron("tasks"), stack.fireCron("tasks")]);
  await stack.fireCron("tasks");
  const statuses = await Promise.all([dead, late, patient, nobodys].map(async (id) => (await read(id)).status));
  expect(statuses).toEqual(["failed", "assigned", "assigned", "unassigned"]);
  expect((await historyOf(dead)).slice(1)).toEqual([["status_change", { status: "failed" }]]);
  const range = { from: inDays(-1), to: inDays(1), events: ["task_failed"] };
  const events = await account.must("/history/tracker/list", { trackers: [tracker_id], ...range });
  expect(events.list).toMatchObject([{ event: "task_failed", message: "Van 7: Parcel", extra: { task_id: dead } }]);
  const { to, ...same } = await read(dead);
  expect(codeOf(await account.call("/task/update", { task: { ...same, to: inDays(1) } }))).toBe(255);
  expect(codeOf(await account.call("/task/assign", { task_id: dead, tracker_id: null }))).toBe(255);
  await account.must("/task/delete", { task_id: dead });
});

test("task/delete removes a task with its history and tags", async () => {
  const { id: tag } = await account.must("/tag/create", { tag: { name: "Gone", color: "27A9E3" } });
  const task_id = await created({ tags: [tag] });
  await account.must("/task/delete", { task_id });
  for (const path of ["/task/delete", "/task/read", "/task/history/list", "/task/assign"]) {
    expect(codeOf(await account.call(path, { task_id, tracker_id: null })), path).toBe(201);
  }
  expect(codeOf(await account.call("/task/update", { task: { ...parcel, id: task_id } }))).toBe(201);
  expect(await list({ tag_ids: [tag] })).toEqual([]);
});

test("task/list finds tasks by text, place, time, tracker and tags", async () => {
  const owner = await newAccount();
  const { id: tracker_id } = await owner.newTracker({ label: "Zebra" });
  const { id: free } = await owner.newTracker({ label: "Äpfel" });
  await owner.must("/employee/create", { employee: { first_name: "Émile", last_name: "Mond", tracker_id } });
  const [a, b] = await Promise.all(
    ["One", "Two"].map(async (name) => (await owner.must("/tag/create", { tag: { name, color: "27A9E3" } })).id),
  );
  const far = { ...place, lat: 52.51, address: "Ostkreuz" };
  await created({ label: "Álpha", tracker_id, tags: [a, b], external_id: "X-9" }, owner);
  await created({ label: "Beta", description: "100% fragile", location: far, tracker_id: free, tags: [a] }, owner);
  const later = { from: inDays(5), to: inDays(6) };
  await created({ label: "Gamma", ...later }, owner);
  const ask = (wanted: object) => labels(wanted, owner);
  expect(await ask({ filter: "alpha" })).toEqual(["Álpha"]);
  expect(await ask({ filter: "emile" })).toEqual(["Álpha"]);
  expect(await ask({ filter: "x-9" })).toEqual(["Álpha"]);
  expect(await ask({ filter: "0% frag" })).toEqual(["Beta"]);
  // The filter matches the status, the external id, and times in the caller's format.
  expect(await ask({ filter: "UNASSIGN" })).toEqual(["Gamma"]);
  expect(await ask({ filter: later.from.slice(0, 16) })).toEqual(["Gamma"]);
  expect(await ask({ filter: later.to.slice(0, 10) })).toEqual(["Gamma"]);
  const [first] = await list({ limit: 1 }, owner);
  expect(await ask({ filter: first.status_change_date })).toContain("Álpha");
  // The digits of a low id also occur in times of other tasks.
  expect(await ask({ filter: String(first.id) })).toContain("Álpha");
  expect(await ask({ filters: ["beta", "ostkreuz"] })).toEqual(["Beta"]);
  expect(await ask({ filters: ["beta", "strasse"] })).toEqual([]);
  expect(await ask({ tag_ids: [a] })).toEqual(["Álpha", "Beta"]);
  expect(await ask({ tag_ids: [a, b] })).toEqual(["Álpha"]);
  expect(await ask({ trackers: [free, UNKNOWN_ID] })).toEqual(["Beta"]);
  expect(await ask({ statuses: ["unassigned"] })).toEqual(["Gamma"]);
  expect(await ask({ from: inDays(2) })).toEqual(["Gamma"]);
  expect(await ask({ to: inDays(2) })).toEqual(["Álpha", "Beta"]);
  // 0.01 degrees of latitude are 1112 meters.
  expect(await ask({ location: { lat: 52.5, lng: 13.4, radius: 1111 } })).toEqual(["Álpha", "Gamma"]);
  expect(await ask({ location: { lat: 52.5, lng: 13.4, radius: 1113 } })).toEqual(["Álpha", "Beta", "Gamma"]);
  expect(await ask({ sort: ["employee=asc"] })).toEqual(["Beta", "Álpha", "Gamma"]);
  expect(await ask({ sort: ["to=desc", "id=desc"] })).toEqual(["Gamma", "Beta", "Álpha"]);
  expect(await ask({ sort: ["id=desc"], limit: 1, offset: 1 })).toEqual(["Beta"]);
  const where = (...conditions: object[]) => ask({ conditions });
  expect(await where({ type: "contains", field: "employee", value: "mond" })).toEqual(["Álpha"]);
  expect(await where({ type: "contains", field: "location", value: "OSTKREUZ" })).toEqual(["Beta"]);
  expect(await where({ type: "period", field: "to", value: { from: inDays(2), to: inDays(9) } })).toEqual(["Gamma"]);
  expect(await where({ type: "in", field: "status", value: ["unassigned", "done"] })).toEqual(["Gamma"]);
  const counted = await owner.must("/task/list", { limit: 1, conditions: [{ type: "eq", field: "form", value: 1 }] });
  expect(counted).toMatchObject({ list: [], count: 0 });
});

test("task/list refuses values beyond its limits and unknown ones", async () => {
  const code = async (wanted: object) => codeOf(await account.call("/task/list", wanted));
  expect(await code({ limit: 100_000 })).toBe("done");
  expect(await code({ limit: 100_001 })).toBe(212);
  expect(await code({ limit: null, offset: null, filter: null, trackers: null, statuses: null })).toBe("done");
  expect(await code({ filter: "x".repeat(100), external_id: "x".repeat(100) })).toBe("done");
  const refused = [
    { limit: -1 },
    { filter: "x".repeat(101) },
    { external_id: "x".repeat(101) },
    { trackers: [1, 1] },
    { statuses: ["late"] },
    { sort: ["tracker=asc"] },
    { conditions: [{ type: "eq", field: "tracker", value: 1 }] },
    { conditions: Array.from({ length: 61 }, () => ({ type: "eq", field: "id", value: 1 })) },
  ];
  for (const wanted of refused) expect(await code(wanted), JSON.stringify(wanted)).toBe(7);
});

test("a sub-user sees tasks of its trackers and those without one, and needs the right to change them", async () => {
  const owner = await newAccount();
  const [{ id: seen }, { id: hidden }] = [await owner.newTracker(), await owner.newTracker()];
  const { id: subuser_id, hash } = await newSubUser(owner);
  await owner.must("/subuser/tracker/bind", { subuser_id, trackers: [seen] });
  const mine = await created({ label: "Seen", tracker_id: seen }, owner);
  const others = await created({ label: "Hidden", tracker_id: hidden }, owner);
  await created({ label: "Nobody's" }, owner);
  const ask = (path: string, wanted: object = {}) => owner.call(path, { ...wanted, hash });
  expect((await ask("/task/list")).list.map(({ label }: Reply) => label)).toEqual(["Seen", "Nobody's"]);
  expect(await ask("/task/count")).toMatchObject({ count: 2 });
  expect(codeOf(await ask("/task/read", { task_id: mine }))).toBe("done");
  expect(codeOf(await ask("/task/read", { task_id: others }))).toBe(201);
  for (const path of ["/task/create", "/task/update", "/task/assign", "/task/delete"]) {
    expect(codeOf(await ask(path, { task: parcel, task_id: mine, tracker_id: seen })), path).toBe(13);
  }
});

test("removing an account removes everything of its tasks", async () => {
  const owner = await newAccount();
  const { id: tag } = await owner.must("/tag/create", { tag: { name: "Cold", color: "27A9E3" } });
  const id = await created({ tags: [tag] }, owner);
  const principal = { ...NOBODY, account_id: owner.id, kind: "master" as const, scope: "all" as const };
  const ask = async (path: string, parameters: object = {}) => {
    const { body } = await stack.handleAs("tasks", { path, parameters, principal });
    return JSON.parse(body);
  };
  expect(await ask("/task/list", { tag_ids: [tag] })).toMatchObject({ list: [{ id }] });
  await operator.must("/panel/user/corrupt", { user_id: owner.id, login: owner.login });
  await stack.fireCron("gateway");
  expect(await ask("/task/list")).toMatchObject({ list: [] });
  expect(await ask("/task/list", { tag_ids: [tag] })).toMatchObject({ list: [] });
  expect(codeOf(await ask("/task/history/list", { task_id: id }))).toBe(201);
});

/**
 * Makes a task that ends in so many days. The end passes if the second changes before the call arrives: then again. By
 * UTC: in an hour that local clocks show twice, the local time would be that of an hour ago.
 */
async function createEnding(days: number, more: object = {}): Promise<number> {
  const [from, to] = [-1, days].map((one) => new Date(systemNow() + one * DAY_MS).toISOString());
  const reply = await account.call("/task/create", { task: { ...parcel, ...more, from, to }, iso_datetime: true });
  expect([true, 7]).toContain(reply.success || codeOf(reply));
  return reply.success ? Number(reply.id) : createEnding(days, more);
}
