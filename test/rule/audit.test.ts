import { randomInt } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CATALOGUE, type EventType } from "../../gateway/src/event/catalogue.ts";
import { systemNow } from "../../shared/time/clock.ts";
import { DAY_MS } from "../../shared/time/duration.ts";
import { type Accounts, accountsOn, type Reply } from "../tool/call/account.ts";
import { DECLARED } from "../tool/call/declared.ts";
import { newSubUser } from "../tool/call/mailbox.ts";
import { samplesOf } from "../tool/sample/index.ts";
import type { Sample } from "../tool/sample/sample.ts";
import { newWorld } from "../tool/sample/world.ts";
import { startWatchedSystem } from "../tool/system/system.ts";
import { waitUntil } from "../tool/wait.ts";

/** Operations that change something and are not recorded, with the reason. */
const UNRECORDED: Record<string, string> = {
  "/user/session/renew": "prolongs what a log-in began",
  "/user/auth/code/resend": "a mail; nothing of the account changes",
  "/user/resend_activation": "a mail; nothing of the account changes",
  "/user/restore_password": "a mail; nothing of the account changes",
  "/notification/agreement/accept": "of somebody outside, who agrees to be written to",
  "/user/session/push_token/bind": "where a client's notifications go, made by the client on its own",
  "/user/session/push_token/delete": "where a client's notifications go, made by the client on its own",
  "/user/settings/ui/update": "what a client keeps for itself",
  "/history/mark_read": "what somebody has read",
  "/history/mark_read_all": "what somebody has read",
  "/data/spreadsheet/parse": "kept for some days, for a conversion or an import, which is recorded",
  "/vehicle/batch_convert": "stores nothing",
  "/employee/batch_convert": "stores nothing",
  "/task/batch_convert": "stores nothing",
  "/zone/batch_convert": "stores nothing",
  "/place/batch_convert": "stores nothing",
  "/panel/account/auth": "of no account",
  "/panel/account/logout": "of no account",
  "/panel/tariff/create": "the dealer's, of no account",
  "/panel/tariff/update": "the dealer's, of no account",
  "/panel/tariff/defaults/update": "the dealer's, of no account",
  "/panel/dealer/block": "the dealer's, of no account",
  "/panel/subpaas/create": "the dealer's, of no account",
  "/panel/user/menu/default/update": "the dealer's, of no account",
  "/panel/tracker/bundle/import": "the dealer's, of no account",
  "/panel/dealer/activation_code/create": "the dealer's, of no account",
  "/panel/subpaas/update": "the dealer's, of no account",
  "/panel/dealer/settings/service/update": "the dealer's, of no account",
  "/panel/user/corrupt": "the account is no more, and with it whoever could read its log",
};

/** Samples that leave several entries, or none: a log-in that waits for its second factor is no change yet. */
const SEVERAL: Record<string, number> = {
  "/vehicle/delete 1": 2,
  "/tag/delete 1": 2,
  "/zone/delete 1": 2,
  "/user/auth 1": 0,
  // The import ends soon after.
  "/employee/import/start 0": 2,
  "/vehicle/import/start 0": 2,
  "/sync/push 2": 2,
  "/sync/push 3": 2,
};

const RANGE = { from: daysFromNow(-1), to: daysFromNow(1) };

let system: Awaited<ReturnType<typeof startWatchedSystem>>;
let accounts: Accounts;
let fleet: Awaited<ReturnType<typeof newWorld>>;
const readers = new Map<number, string>();

beforeAll(async () => {
  // Several hundred entries are waited for, one after the other.
  system = await startWatchedSystem({ AUDIT_DELAY_SECONDS: "0.05" });
  accounts = accountsOn(system);
  fleet = await newWorld(accounts);
});

afterAll(() => system?.stop());

const changing = [...DECLARED.values()].filter(({ path, reads }) => !reads && !(path in UNRECORDED));
const cases = changing.flatMap(({ path }) =>
  samplesOf(path).map((sample, index) => ({ path, index, sample, count: SEVERAL[`${path} ${index}`] ?? 1 })),
);

test("UNRECORDED lists only operations that change something", () => {
  const known = Object.keys(UNRECORDED).filter((path) => DECLARED.has(path) && DECLARED.get(path)?.reads !== true);
  expect(known).toEqual(Object.keys(UNRECORDED));
});

test.each(cases)(
  "the audit log of the account gets $count entries from $path (sample $index), and its feed an event of each",
  async ({ path, index, sample, count }) => {
    const { called, entriesOf, events } = await recordedCalls();
    const outcome = called.get(`${path} ${index}`);
    if (!outcome || "failure" in outcome) throw outcome?.failure;
    const { agent, host, owner, account_id } = outcome;
    const entries = (entriesOf.get(account_id) ?? []).filter(({ user_agent }) => user_agent === agent);
    expect(entries).toHaveLength(count);
    const user_id = sample.as === "operator" ? 0 : owner;
    for (const entry of entries) expect(entry).toMatchObject({ user_id, subuser_id: user_id, host });
    expect(JSON.stringify(entries.map(({ payload }: Reply) => payload))).not.toMatch(SECRET);
    expect((events.get(agent) ?? []).map((event) => pick(event))).toEqual(
      entries.map(({ entry_category, entry_id }: Reply) => ({
        ...{ account_id, user_id, subject: `${entry_category}:${entry_id ?? ""}`, offences: [] },
      })),
    );
  },
);

type Called = { agent: string; host: string; owner: number; account_id: number };
type StoredEvent = Record<string, unknown>;

let recording: ReturnType<typeof recordAll> | undefined;

/** The calls of all cases, the log of each account that they are about, and the events of each call by its user agent. */
function recordedCalls() {
  recording ??= recordAll();
  return recording;
}

async function recordAll() {
  const called = new Map<string, Called | { failure: unknown }>();
  const missing = new Map<string, number>();
  for (const { path, index, sample, count } of cases) {
    const agent = `agent of ${path} ${randomInt(1e12)}`;
    const host = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
    try {
      const { owner, parameters } = await prepareSample(sample);
      const reply = await accounts.must(path, parameters, { "User-Agent": agent, "CF-Connecting-IP": host });
      const account_id = path === "/panel/user/create" ? reply.id : owner;
      called.set(`${path} ${index}`, { agent, host, owner, account_id });
      missing.set(agent, count);
    } catch (failure) {
      called.set(`${path} ${index}`, { failure });
    }
  }
  const entries = await waitUntil(
    "the audit log has the entries of all calls",
    () => system.rowsOf("gateway", "audit"),
    (rows) => {
      const counts = Map.groupBy(rows, ({ user_agent }) => String(user_agent));
      return [...missing].every(([agent, count]) => (counts.get(agent)?.length ?? 0) >= count);
    },
  );
  const agents = new Map(entries.map(({ event_id, user_agent }) => [event_id, String(user_agent)]));
  const stored: StoredEvent[] = await system.rowsOf("gateway", "event");
  const entriesOf = new Map<number, Reply[]>();
  for (const outcome of called.values()) {
    if ("failure" in outcome || entriesOf.has(outcome.account_id)) continue;
    entriesOf.set(outcome.account_id, await logOf(outcome.account_id));
  }
  return {
    called,
    entriesOf,
    events: Map.groupBy(stored, ({ event_id }) => agents.get(event_id) ?? "no call of a case"),
  };
}

test("the audit log gets no entry twice when sweeps deliver again", async () => {
  const account = await accounts.newAccount();
  const agent = `agent of the sweeps ${randomInt(1e12)}`;
  const headers = { "User-Agent": agent };
  const { id: tracker_id } = await account.newTracker();
  const changes = [
    ["/vehicle/create", { vehicle: { label: "Van" } }],
    ["/tracker/settings/update", { tracker_id, label: "Van", group_id: 0 }],
    ["/tracker/group/create", { title: "North", color: "27A9E3" }],
  ] as const;
  for (const [path, parameters] of changes) await account.must(path, parameters, headers);
  await entriesWhen(agent, account.id, changes.length);
  for (const worker of ["fleet", "tasks", "geo", "reports"] as const) await system.fireCron(worker);
  expect(await entriesBy(agent, account.id)).toHaveLength(changes.length);
});

test("the audit log gets entries once that its database missed while it was down or lost answers", async () => {
  const { account, world } = fleet;
  const agent = `agent of the outage ${randomInt(1e12)}`;
  const headers = { "User-Agent": agent };
  const { tracker_id } = world;
  await account.must("/base/nothing");
  await system.takeDown("gateway");
  await account.must("/vehicle/create", { vehicle: { label: "Unheard of" } }, headers);
  await account.must("/tracker/settings/update", { tracker_id, label: "Unheard of", group_id: 0 }, headers);
  await system.fireCron("fleet").catch(() => undefined);
  const audit = await system.rowsOf("gateway", "audit");
  expect(audit.filter(({ user_agent }) => user_agent === agent)).toEqual([]);
  await system.bringUp("gateway");

  await system.loseAnswers("gateway");
  await system.fireCron("fleet").catch(() => undefined);
  await system.bringUp("gateway");
  await system.fireCron("fleet");
  await system.fireCron("fleet");
  const entries = await entriesBy(agent, account.id);
  expect(entries.map(({ entry_category, action }: Reply) => `${entry_category}_${action}`)).toEqual([
    "vehicle_create",
    "tracker_update",
  ]);
});

test("the audit log gets no entry of a change that failed", async () => {
  const { account, world } = fleet;
  const agent = `agent of failures ${randomInt(1e12)}`;
  const headers = { "User-Agent": agent };
  const unknown = 999_999_999;
  await account.call("/vehicle/update", { vehicle: { id: unknown, label: "Van" } }, headers);
  await account.call("/vehicle/delete", { vehicle_id: unknown }, headers);
  await account.call("/subuser/delete", { subuser_id: unknown }, headers);
  await account.call("/subuser/update", { user: { id: unknown, first_name: "Al" } }, headers);
  await account.call("/subuser/security_group/delete", { security_group_id: unknown }, headers);
  await account.call("/subuser/security_group/assign", { group_id: null, subuser_ids: [unknown] }, headers);
  await account.call("/api/key/delete", { key: "0".repeat(32) }, headers);
  await account.call("/user/auth", { login: account.login, password: "wrong" }, headers);
  const taken = { label: "Van", model: "generic_gps", plugin_id: 44, group_id: 0, device_id: fleet.device_id };
  await account.call("/tracker/register", taken, headers);
  await account.must("/subuser/tracker/list", { subuser_id: world.subuser_id });
  await system.fireCron("fleet");
  expect(await entriesBy(agent, account.id)).toEqual([]);
});

test("user/audit/log/list shows the master its own account, with the sub-user who acted", async () => {
  const [mine, other] = [await accounts.newAccount(), await accounts.newAccount()];
  const { id, hash } = await newSubUser(mine, accounts);
  await accounts.must("/user/audit/checkin", { hash });
  expect(await accounts.call("/user/audit/log/list", { hash, ...RANGE })).toMatchObject({ status: { code: 13 } });
  const { list } = await mine.must("/user/audit/log/list", { ...RANGE, subuser_ids: [id] });
  expect(list).toMatchObject([
    { user_id: mine.id, subuser_id: id, entry_category: "user", action: "login", entry_id: id },
    { user_id: mine.id, subuser_id: id, entry_category: "user", action: "checkin" },
  ]);
  const foreign = await other.must("/user/audit/log/list", { ...RANGE, subuser_ids: [id, mine.id] });
  expect(foreign.list).toEqual([]);
});

test("user/audit/log/list filters by action, sorts, groups and pages", async () => {
  const account = await accounts.newAccount();
  for (const title of ["One", "Two"]) await account.must("/api/key/create", { title });
  await account.must("/user/audit/checkin");
  await account.must("/api/key/create", { title: "Three" });
  const ask = async (wanted: object) => {
    const { list } = await account.must("/user/audit/log/list", { ...RANGE, ...wanted });
    return list.map(({ action, payload }: Reply) => payload?.title ?? action);
  };
  const actions = ["api_key_create", "user_checkin"];
  expect(await ask({ actions: ["api_key_create"] })).toEqual(["One", "Two", "Three"]);
  expect(await ask({ actions, limit: 2, offset: 1 })).toEqual(["Two", "checkin"]);
  expect(await ask({ actions, sort: ["action_datetime=desc"] })).toEqual(["Three", "checkin", "Two", "One"]);
  expect(await ask({ actions, grouping: "action" })).toEqual(["One", "Two", "Three", "checkin"]);
  expect(await ask({ actions, sort: ["action=desc"] })).toEqual(["checkin", "One", "Two", "Three"]);
  expect(await ask({ actions, grouping: "user", sort: ["action_date=desc", "host=asc"] })).toHaveLength(4);
  expect(await account.call("/user/audit/log/list", { ...RANGE, sort: ["payload=asc"] })).toMatchObject({
    status: { code: 7 },
  });
});

test("user/audit/log/list answers 90 days, and 211 a second beyond", async () => {
  const ask = (to: string) => fleet.account.call("/user/audit/log/list", { from: "2026-01-01 00:00:00", to });
  expect(await ask("2026-04-01 00:00:00")).toMatchObject({ success: true });
  expect(await ask("2026-04-01 00:00:01")).toMatchObject({ status: { code: 211 } });
  expect(await ask("2025-12-31 23:59:59")).toMatchObject({ status: { code: 7 } });
});

test("user/audit/checkin refuses an API key", async () => {
  const { value } = await fleet.account.must("/api/key/create", { title: "Key" });
  expect(await accounts.call("/user/audit/checkin", { hash: value.hash })).toMatchObject({ status: { code: 4 } });
});

/** The parameters of a sample, and the account that the call is about: one made for it, else the world's. */
async function prepareSample({ as, before, parameters }: Sample) {
  const { account, world } = fleet;
  let owner = account.id;
  const watching: Accounts = {
    ...accounts,
    async newAccount(wanted) {
      const made = await accounts.newAccount(wanted);
      owner = made.id;
      return made;
    },
    async must(path, given, headers) {
      const reply = await accounts.must(path, given, headers);
      if (path === "/panel/user/create") owner = reply.id;
      return reply;
    },
  };
  const hashes = { nobody: undefined, operator: await accounts.operatorHash(), master: account.hash };
  const usedUp = await before?.(account, watching);
  return { owner, parameters: { hash: hashes[as ?? "master"], ...parameters(world, account), ...usedUp } };
}

/** The entries of a user agent in an account's log, once there are `count`. */
function entriesWhen(agent: string, account_id: number, count: number): Promise<Reply[]> {
  return waitUntil(
    `the audit log has ${count} entries of ${agent}`,
    () => entriesBy(agent, account_id),
    (entries) => entries.length >= count,
  );
}

/** The entries of a user agent in an account's log. */
async function entriesBy(agent: string, account_id: number): Promise<Reply[]> {
  return (await logOf(account_id)).filter(({ user_agent }: Reply) => user_agent === agent);
}

/** The log of an account, which the operator reads with a delegated session. */
async function logOf(account_id: number): Promise<Reply[]> {
  const known = readers.get(account_id);
  const reply = known && (await accounts.call("/user/audit/log/list", { hash: known, ...RANGE }));
  if (reply?.success) return reply.list;
  // For the first time, or its sessions have ended.
  const session = { hash: await accounts.operatorHash(), user_id: account_id };
  readers.set(account_id, (await accounts.must("/panel/user/session/create", session)).hash);
  return logOf(account_id);
}

/** The members of an event that the entry decides, and what its data lack of the schema of its type. */
function pick({ account_id, user_id, subject, type, data }: Record<string, unknown>) {
  const declared = CATALOGUE[String(type) as EventType];
  const { error } = declared.data.safeParse(JSON.parse(String(data)));
  const offences = (error?.issues ?? []).map(({ path, message }) => `${type} ${path.join(".")}: ${message} ${data}`);
  return { account_id, user_id, subject, offences };
}

function daysFromNow(days: number) {
  const moment = new Date(systemNow() + days * DAY_MS).toISOString();
  return `${moment.slice(0, 10)} ${moment.slice(11, 19)}`;
}

const SECRET = /secret123|another-one|another123|[0-9a-f]{32}/;
