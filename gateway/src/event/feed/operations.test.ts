import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { EVENT_NAMES, type NewEvent } from "#shared/contract/event/event.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import { type Account, type Accounts, accountsOn, type Reply } from "#test/tool/call/account.ts";
import { newSubUser } from "#test/tool/call/mailbox.ts";
import { newImport } from "#test/tool/sample/fleet/import.ts";
import { startSystem } from "#test/tool/system/system.ts";
import { waitUntil } from "#test/tool/wait.ts";
import { systemNow } from "../../../../shared/time/clock.ts";
import { CATALOGUE, type EventType } from "../catalogue.ts";
import { typeOfHistory } from "../history-catalogue.ts";

const PATH = "/event/feed/read";
let system: Awaited<ReturnType<typeof startSystem>>;
let accounts: Accounts;

beforeAll(async () => {
  system = await startSystem({ AUDIT_DELAY_SECONDS: "0.05" });
  accounts = accountsOn(system);
});

afterAll(() => system?.stop());

const typesIn = ({ list }: Reply) => list.map(({ type }: Reply) => type);

/** The first page of the account's feed with events of these types, once it has `count` of them. */
function readWhen(account: Pick<Account, "must">, count: number, parameters: object): Promise<Reply> {
  return waitUntil(
    `the feed has ${count} events`,
    () => account.must(PATH, { cursor: "oldest", ...parameters }),
    ({ list }) => list.length >= count,
  );
}

/** The events that no call caused. */
function ofHistory({ list }: Reply) {
  return { list: list.filter(({ user_id }: Reply) => user_id === null) };
}

function eventOf({ id: account_id }: Account, tracker_id: number, more: Partial<NewEvent> = {}): NewEvent {
  return {
    ...{ event_id: randomUUID(), account_id, tracker_id, event: "inzone", time: systemNow(), message: "Arrived" },
    ...more,
  };
}

test("event/feed/read shows creation, change and deletion of a vehicle once each, in their order, with their user", async () => {
  const account = await accounts.newAccount();
  const { id } = await account.must("/vehicle/create", { vehicle: { label: "Van" } });
  await account.must("/vehicle/update", { vehicle: { id, label: "Bus" } });
  await account.must("/vehicle/delete", { vehicle_id: id });
  const page = await readWhen(account, 3, { types: ["vehicle.*"] });
  expect(page.list).toMatchObject([
    { type: "vehicle.created", user_id: account.id, data: { id, label: "Van", tracker_id: null } },
    { type: "vehicle.updated", user_id: account.id, data: { id, label: "Bus" } },
    { type: "vehicle.deleted", user_id: account.id, data: { id, label: "Bus" } },
  ]);
  const all = await account.must(PATH, { cursor: "oldest", limit: 1000 });
  const sequences = all.list.map(({ sequence }: Reply) => sequence);
  expect(sequences).toEqual(sequences.map((_: number, index: number) => index + 1));
  expect(all.has_more).toBe(false);
});

test("event/feed/read without a cursor begins behind the newest event, and a cursor goes on where its page ended", async () => {
  const account = await accounts.newAccount();
  for (const title of ["One", "Two"]) await account.must("/api/key/create", { title });
  const { list, cursor } = await account.must(PATH);
  expect(list).toEqual([]);
  await account.must("/api/key/create", { title: "Three" });
  const titles = ({ list }: Reply) => list.map(({ data }: Reply) => data.title);
  expect(titles(await account.must(PATH, { cursor, types: ["api_key.created"] }))).toEqual(["Three"]);
  const first = await account.must(PATH, { cursor: "oldest", types: ["api_key.*"], limit: 2 });
  expect(titles(first)).toEqual(["One", "Two"]);
  expect(first.has_more).toBe(true);
  const second = await account.must(PATH, { cursor: first.cursor, types: ["api_key.*"], limit: 2 });
  expect(titles(second)).toEqual(["Three"]);
  expect(second.has_more).toBe(false);
});

test("event/feed/read refuses forged cursors, those of another account, unknown types and limits out of bounds by name", async () => {
  const [account, other] = [await accounts.newAccount(), await accounts.newAccount()];
  const { cursor } = await account.must(PATH);
  const { cursor: foreign } = await other.must(PATH);
  const [position = "", signature = ""] = cursor.split(".");
  const moved = Buffer.from(`${account.id}.7`).toString("base64url");
  const refused: [object, string][] = [
    ...[foreign, `${moved}.${signature}`, position, `${position}.`, "newer"].map((one): [object, string] => [
      { cursor: one },
      "cursor",
    ]),
    [{ types: ["vehicle.flown"] }, "types.0"],
    [{ types: ["vehicle.*", "veh*"] }, "types.1"],
    [{ types: [] }, "types"],
    ...[0, 1001].map((limit): [object, string] => [{ limit }, "limit"]),
    ...[-1, 26].map((wait): [object, string] => [{ wait }, "wait"]),
  ];
  for (const [parameters, parameter] of refused) {
    const reply = await account.call(PATH, parameters);
    expect(reply, JSON.stringify(parameters)).toMatchObject({ status: { code: 7 }, errors: [{ parameter }] });
  }
  await account.must(PATH, { cursor, limit: 1000, types: ["*"] });
});

test("event/feed/read shows every event of the history once, silent and old ones too, with data of its type", async () => {
  const account = await accounts.newAccount();
  const { id: tracker_id } = await account.newTracker();
  const events = EVENT_NAMES.map((event, index) =>
    eventOf(account, tracker_id, {
      ...{ event, is_silent: index % 2 === 0, time: systemNow() - index * DAY_MS },
      extra: { zone_ids: [1], emergency: true },
    }),
  );
  await system.storeEvents(events);
  await system.storeEvents(events);
  const types = EVENT_NAMES.map(typeOfHistory);
  const { list } = await waitUntil(
    "the feed has the event that was stored last",
    async () => ofHistory(await account.must(PATH, { cursor: "oldest", limit: 1000 })),
    ({ list }) => list.length >= events.length,
  );
  expect(typesIn({ list })).toEqual(types);
  expect(list.map(({ id }: Reply) => id)).toEqual(events.map(({ event_id }) => event_id));
  for (const { type, user_id, data } of list) {
    expect(user_id).toBeNull();
    expect(CATALOGUE[type as EventType].data.safeParse(data).error).toBeUndefined();
  }
});

test("event/feed/read shows a sub-user events of the trackers that it sees when it reads, and none for the master alone", async () => {
  const account = await accounts.newAccount();
  const [seen, hidden] = [await account.newTracker(), await account.newTracker()];
  const subUser = await newSubUser(account, accounts);
  const reader = { must: (path: string, more = {}) => account.must(path, { hash: subUser.hash, ...more }) };
  await account.must("/subuser/tracker/bind", { subuser_id: subUser.id, trackers: [seen.id] });
  const toOther = eventOf(account, seen.id, { private_to: account.id });
  const toReader = eventOf(account, seen.id, { private_to: subUser.id });
  await system.storeEvents([eventOf(account, hidden.id), toOther, eventOf(account, seen.id), toReader]);
  await account.must("/tag/create", { tag: { name: "North", color: "27A9E3" } });
  await account.must("/api/key/create", { title: "ERP" });
  await readWhen(account, 3, { types: ["zone.entered"] });
  await readWhen(account, 1, { types: ["tag.created"] });
  const page = await reader.must(PATH, { cursor: "oldest" });
  const trackers = page.list.map(({ type, data }: Reply) => [type, data.tracker_id ?? data.id]);
  expect(trackers).toContainEqual(["tracker.registered", seen.id]);
  expect(trackers.filter(([type]: string[]) => type === "zone.entered")).toEqual([
    ["zone.entered", seen.id],
    ["zone.entered", seen.id],
  ]);
  expect(typesIn(page)).toContain("tag.created");
  expect(typesIn(page)).not.toContain("api_key.created");
  expect(typesIn(page)).not.toContain("subuser.registered");
  expect(page.list.map(({ id }: Reply) => id)).not.toContain(toOther.event_id);
  await account.must("/subuser/tracker/unbind", { subuser_id: subUser.id, trackers: [seen.id] });
  expect(typesIn(await reader.must(PATH, { cursor: "oldest", types: ["zone.*", "tracker.*"] }))).toEqual([]);
});

test("event/feed/read shows a sub-user changes of vehicles and employees on its trackers up to their deletion", async () => {
  const account = await accounts.newAccount();
  const { id: tracker_id } = await account.newTracker();
  const subUser = await newSubUser(account, accounts);
  await account.must("/subuser/tracker/bind", { subuser_id: subUser.id, trackers: [tracker_id] });
  for (const on of [tracker_id, null]) {
    const { id } = await account.must("/vehicle/create", { vehicle: { label: "Van", tracker_id: on } });
    await account.must("/vehicle/delete", { vehicle_id: id });
    const hired = await account.must("/employee/create", { employee: { first_name: "Ann", tracker_id: on } });
    await account.must("/employee/delete", { employee_id: hired.id });
  }
  const types = ["vehicle.*", "employee.*"];
  await readWhen(account, 8, { types });
  const page = await account.must(PATH, { hash: subUser.hash, cursor: "oldest", types });
  expect(typesIn(page)).toEqual(["vehicle.created", "vehicle.deleted", "employee.created", "employee.deleted"]);
  for (const { data } of page.list) expect(data.tracker_id).toBe(tracker_id);
});

test("event/feed/read shows the end of an import with the numbers of its rows", async () => {
  const account = await accounts.newAccount();
  const { process_id: id } = await newImport("vehicle", account, accounts);
  const { list } = await readWhen(account, 2, { types: ["vehicle_import.*"] });
  expect(list).toMatchObject([
    { type: "vehicle_import.started", data: { id, rows: 1 } },
    { type: "vehicle_import.finished", data: { id, imported: 0, failed: 1 }, user_id: account.id },
  ]);
});

test("event/feed/read shows reports and their schedules to their user, while it sees all their trackers, and to the master", async () => {
  const account = await accounts.newAccount();
  const { id: tracker_id } = await account.newTracker();
  const group = { label: "Reporters", privileges: { rights: ["reports"] } };
  const { id: group_id } = await account.must("/subuser/security_group/create", { group });
  const [author, colleague] = [await newSubUser(account, accounts), await newSubUser(account, accounts)];
  for (const { id: subuser_id } of [author, colleague])
    await account.must("/subuser/tracker/bind", { subuser_id, trackers: [tracker_id] });
  const subuser_ids = [author.id, colleague.id];
  await account.must("/subuser/security_group/assign", { group_id, subuser_ids });
  const order = { trackers: [tracker_id], plugin: { plugin_id: 4 }, title: "Trips" };
  const range = { from: "2026-01-01 00:00:00", to: "2026-01-02 00:00:00" };
  const { hash } = author;
  const { id } = await account.must("/report/tracker/generate", { hash, ...order, ...range });
  const types = ["report.*", "report_schedule.*"];
  await readWhen(account, 2, { types });
  await account.must("/report/tracker/delete", { hash, report_id: id });
  const days = { type: "weekdays", weekdays: [1] };
  const schedule = { parameters: { period: "1d", schedule: days, report: order } };
  await account.must("/report/schedule/create", { hash, schedule });
  const { list } = await readWhen(account, 4, { types });
  const data = { id, title: "Trips", trackers: [tracker_id], schedule_id: null };
  expect(list).toMatchObject([
    ...["report.created", "report.finished", "report.deleted"].map((type) => ({ type, user_id: author.id, data })),
    { type: "report_schedule.created", user_id: author.id, data: { title: "Trips", enabled: true } },
  ]);
  const seenBy = async (by: Reply) => typesIn(await account.must(PATH, { hash: by.hash, cursor: "oldest", types }));
  expect(await seenBy(author)).toEqual(typesIn({ list }));
  expect(await seenBy(colleague)).toEqual([]);
  await account.must("/subuser/tracker/unbind", { subuser_id: author.id, trackers: [tracker_id] });
  expect(await seenBy(author)).toEqual(["report_schedule.created"]);
  await account.must("/subuser/security_group/assign", { group_id: null, subuser_ids });
  expect(await seenBy(author)).toEqual([]);
});

test("event/feed/read shows check-ins only to sub-users with the right to see them", async () => {
  const account = await accounts.newAccount();
  const { id: tracker_id } = await account.newTracker();
  const subUser = await newSubUser(account, accounts);
  await account.must("/subuser/tracker/bind", { subuser_id: subUser.id, trackers: [tracker_id] });
  const location = { lat: 50, lng: 60, address: "" };
  await account.must("/checkin/create", { tracker_id, location });
  const types = ["checkin.created"];
  await readWhen(account, 1, { types });
  const asSubUser = { hash: subUser.hash, cursor: "oldest", types };
  expect(typesIn(await account.must(PATH, asSubUser))).toEqual([]);
  const group = { label: "Team leads", privileges: { rights: ["employee_update"] } };
  const { id: group_id } = await account.must("/subuser/security_group/create", { group });
  await account.must("/subuser/security_group/assign", { group_id, subuser_ids: [subUser.id] });
  expect(typesIn(await account.must(PATH, asSubUser))).toEqual(types);
});

test("event/feed/read with wait answers many calls with the event that comes while they wait", async () => {
  const account = await accounts.newAccount();
  const { cursor } = await account.must(PATH);
  const types = ["tag.*"];
  const waiting = Array.from({ length: 20 }, () => account.must(PATH, { cursor, types, wait: 25 }));
  await account.must("/api/key/create", { title: "Not of these types" });
  await account.must("/tag/create", { tag: { name: "North", color: "27A9E3" } });
  for (const page of await Promise.all(waiting)) expect(typesIn(page)).toEqual(["tag.created"]);
});

test("event/feed/read with wait answers an empty page once the time is over", async () => {
  const account = await accounts.newAccount();
  const { cursor } = await account.must(PATH);
  expect(await account.must(PATH, { cursor, wait: 1 })).toMatchObject({ list: [], cursor, has_more: false });
});
