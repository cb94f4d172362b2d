import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { systemNow } from "#shared/time/clock.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import {
  type Account,
  accountsOn,
  call,
  must,
  newAccount,
  operator,
  type Reply,
  UNKNOWN_ID,
} from "#test/tool/call/account.ts";
import { expectImmediateChange } from "#test/tool/call/immediate-change.ts";
import { newWorld } from "#test/tool/sample/world.ts";
import { stack } from "#test/tool/system/stack.ts";
import { RIGHTS } from "../../../shared/caller/principal.ts";

const PASSWORD = "secret123";
const newLogin = () => `${systemNow()}-${randomInt(1e12)}@example.com`;
const person = (more: object = {}) => ({ login: newLogin(), legal_type: "individual", ...more });
const codeOf = ({ status }: Reply) => status?.code;

/** A sub-user of the account, logged in with its own password. */
async function newSubUser(account: Account, more: object = {}, trackers: number[] = []) {
  const user = person(more);
  const { id } = await account.must("/subuser/register", { user, password: PASSWORD });
  if (trackers.length > 0) await account.must("/subuser/tracker/bind", { subuser_id: id, trackers });
  const { hash } = await must("/user/auth", { login: user.login, password: PASSWORD });
  return {
    id: Number(id),
    login: user.login,
    hash: String(hash),
    call: (path: string, parameters: object = {}) => call(path, { hash, ...parameters }),
    must: (path: string, parameters: object = {}) => must(path, { hash, ...parameters }),
  };
}

async function newGroup(account: Account, rights: string[], more: object = {}) {
  const group = { label: "Group", privileges: { rights, ...more } };
  return Number((await account.must("/subuser/security_group/create", { group })).id);
}

async function readListed(account: Account, id: number) {
  return (await account.must("/subuser/list")).list.find((one: Reply) => one.id === id);
}

test("subuser/list shows a sub-user as it was registered, with each member of the contract", async () => {
  const account = await newAccount();
  const security_group_id = await newGroup(account, ["task_update"]);
  const user = {
    activated: true,
    login: newLogin(),
    first_name: "Bo",
    middle_name: "C",
    last_name: "Dee",
    legal_type: "legal_entity",
    phone: "491701234567",
    post_country: "DE",
    post_index: "89073",
    post_region: "BW",
    post_city: "Ulm",
    post_street_address: "Platz 1",
    registered_country: "DE",
    registered_index: "89075",
    registered_region: "BW",
    registered_city: "Ulm",
    registered_street_address: "Platz 2",
    state_reg_num: "123456789012345",
    tin: "4711",
    legal_name: "Bo Ltd",
    iec: "77",
    security_group_id,
  };
  const { id } = await account.must("/subuser/register", { user, password: PASSWORD });
  const shown = await readListed(account, id);
  expect(shown).toEqual({ ...user, id, creation_date: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/) });
  // A listed sub-user may be sent back whole.
  await account.must("/subuser/update", { user: shown });
  expect(await readListed(account, id)).toEqual(shown);
});

test("subuser/list leaves a company's members out for a sub-user without a company", async () => {
  const account = await newAccount();
  const { id } = await newSubUser(account, { legal_name: "Bo Ltd", iec: "77" });
  const shown = await readListed(account, id);
  expect(shown).toMatchObject({ id, activated: true, phone: "", state_reg_num: "", security_group_id: null });
  for (const member of ["legal_name", "iec"]) expect(shown).not.toHaveProperty(member);
});

test("subuser/update leaves members that are not given, and a changed login is the one to log in with", async () => {
  const account = await newAccount();
  const { id } = await newSubUser(account, { first_name: "Bo", last_name: "Dee", phone: "4917012345" });
  const login = newLogin();
  await account.must("/subuser/update", { user: { id, login, first_name: "Eve" } });
  expect(await readListed(account, id)).toMatchObject({
    login,
    first_name: "Eve",
    last_name: "Dee",
    phone: "4917012345",
  });
  await must("/user/auth", { login: login.toUpperCase(), password: PASSWORD });
});

test.each([
  [{ password: "x".repeat(5) }, "password"],
  [{ password: "x".repeat(21) }, "password"],
  [{ password: "secret\t12" }, "password"],
  [{ password: undefined }, "password"],
  [{ user: person({ login: "no-address" }) }, "user.login"],
  [{ user: person({ login: undefined }) }, "user.login"],
  [{ user: person({ legal_type: "club" }) }, "user.legal_type"],
  [{ user: person({ phone: "1".repeat(9) }) }, "user.phone"],
  [{ user: person({ phone: "1".repeat(16) }) }, "user.phone"],
  [{ user: person({ phone: "+4917012345" }) }, "user.phone"],
  [{ user: person({ phone: "" }) }, "user.phone"],
  [{ user: person({ legal_type: "legal_entity" }) }, "user.legal_name"],
  [{ user: person({ legal_type: "legal_entity", legal_name: "" }) }, "user.legal_name"],
  [{ user: person({ state_reg_num: "1".repeat(16) }) }, "user.state_reg_num"],
  [{ user: person({ security_group_id: "first" }) }, "user.security_group_id"],
  [{ user: undefined }, "user"],
])("subuser/register refuses %j by naming the parameter %s", async (wrong, parameter) => {
  const account = await newAccount();
  const reply = await account.call("/subuser/register", { user: person(), password: PASSWORD, ...wrong });
  expect(reply).toMatchObject({ status: { code: 7 }, errors: [{ parameter }] });
});

test("subuser/register takes passwords of 6 and 20 characters and phones of 10 and 15 digits", async () => {
  const account = await newAccount();
  for (const [password, phone] of [
    ["x".repeat(6), "1".repeat(10)],
    ["x".repeat(20), "1".repeat(15)],
  ]) {
    const user = person({ phone });
    await account.must("/subuser/register", { user, password });
    await must("/user/auth", { login: user.login, password });
  }
});

test("subuser/register takes a login once over all users, whatever its case and however many register it at once", async () => {
  const [acme, rival] = [await newAccount(), await newAccount()];
  const login = newLogin();
  const register = (account: Account, written: string) =>
    account.call("/subuser/register", { user: person({ login: written }), password: PASSWORD });
  const replies = await Promise.all([
    register(acme, login),
    register(rival, login.toUpperCase()),
    register(acme, login),
    register(rival, login),
  ]);
  expect(replies.filter(({ success }) => success)).toHaveLength(1);
  expect(new Set(replies.filter(({ success }) => !success).map(codeOf))).toEqual(new Set([206]));
  expect(codeOf(await register(acme, rival.login))).toBe(206);
  const { id } = await newSubUser(acme);
  expect(codeOf(await acme.call("/subuser/update", { user: { id, login: acme.login } }))).toBe(206);
});

test("an account has as many sub-users as its limit says, however many are registered at once", async () => {
  const account = await newAccount();
  await operator.must("/panel/user/update", { user_id: account.id, limits: { subusers: 3 } });
  const register = () => account.call("/subuser/register", { user: person(), password: PASSWORD });
  const replies = await Promise.all(Array.from({ length: 6 }, register));
  expect(replies.filter(({ success }) => success)).toHaveLength(3);
  expect(replies.filter((reply) => codeOf(reply) === 268)).toHaveLength(3);
  const { list } = await account.must("/subuser/list");
  expect(list).toHaveLength(3);
  await account.must("/subuser/delete", { subuser_id: list[0].id });
  expect((await register()).success).toBe(true);
});

test("subuser/register answers 268 to the 81st sub-user where the operator set no limit", async () => {
  const account = await newAccount();
  const register = () => account.call("/subuser/register", { user: person(), password: PASSWORD });
  await register();
  const changed = { id: "NULL", login: "n || login", login_key: "n || login_key" };
  await stack.copyRow("gateway", { table: "user", where: { master_id: account.id }, count: 69, changed });
  const replies = await Promise.all(Array.from({ length: 12 }, register));
  expect(replies.filter(({ success }) => success)).toHaveLength(10);
  expect(replies.filter((reply) => codeOf(reply) === 268)).toHaveLength(2);
});

test("sub-user calls answer another account's sub-users, groups and trackers exactly as unknown ones, and change nothing", async () => {
  const [acme, rival] = [await newAccount(), await newAccount()];
  const group = await newGroup(acme, ["vehicle_update"]);
  const tracker = await acme.newTracker();
  const { id } = await newSubUser(acme, { security_group_id: group }, [tracker.id]);
  const mine = await newSubUser(rival);
  const before = [await acme.must("/subuser/list"), await acme.must("/subuser/security_group/list")];
  const asks: [string, (subuser: number, group: number, tracker: number) => object, number][] = [
    ["/subuser/update", (subuser) => ({ user: { id: subuser, first_name: "Thief" } }), 201],
    ["/subuser/update", (_, group) => ({ user: { id: mine.id, security_group_id: group } }), 201],
    ["/subuser/register", (_, group) => ({ user: person({ security_group_id: group }), password: PASSWORD }), 201],
    ["/subuser/delete", (subuser_id) => ({ subuser_id }), 201],
    ["/subuser/session/create", (subuser_id) => ({ subuser_id }), 201],
    ["/subuser/tracker/list", (subuser_id) => ({ subuser_id }), 201],
    ["/subuser/tracker/bind", (subuser_id) => ({ subuser_id, trackers: [] }), 201],
    ["/subuser/tracker/unbind", (subuser_id) => ({ subuser_id, trackers: [] }), 201],
    ["/subuser/tracker/bind", (_, __, tracker) => ({ subuser_id: mine.id, trackers: [tracker] }), 262],
    ["/subuser/tracker/unbind", (_, __, tracker) => ({ subuser_id: mine.id, trackers: [tracker] }), 262],
    ["/subuser/security_group/assign", (subuser) => ({ group_id: null, subuser_ids: [mine.id, subuser] }), 201],
    ["/subuser/security_group/assign", (_, group_id) => ({ group_id, subuser_ids: [mine.id] }), 201],
    ["/subuser/security_group/assign", (_, group_id) => ({ group_id, subuser_ids: [] }), 201],
    ["/subuser/security_group/delete", (_, security_group_id) => ({ security_group_id }), 201],
    ["/subuser/security_group/delete", (_, id) => ({ id }), 201],
    ["/subuser/security_group/update", (_, id) => ({ group: { id, label: "Taken" } }), 201],
  ];
  for (const [path, ask, code] of asks) {
    const foreign = await rival.call(path, ask(id, group, tracker.id));
    const unknown = await rival.call(path, ask(UNKNOWN_ID, UNKNOWN_ID, UNKNOWN_ID));
    expect(foreign, path).toEqual(unknown);
    expect(codeOf(foreign), path).toBe(code);
  }
  // A master is no sub-user, not even its own.
  for (const path of ["/subuser/delete", "/subuser/session/create", "/subuser/tracker/list"]) {
    expect(codeOf(await acme.call(path, { subuser_id: acme.id })), path).toBe(201);
  }
  expect([await acme.must("/subuser/list"), await acme.must("/subuser/security_group/list")]).toEqual(before);
  expect((await acme.must("/subuser/tracker/list", { subuser_id: id })).list).toEqual([tracker.id]);
});

/** Every operation for sub-users, with valid parameters. */
const CALLS: [string, object][] = [
  ["/subuser/register", { user: person(), password: PASSWORD }],
  ["/subuser/update", { user: { id: UNKNOWN_ID } }],
  ["/subuser/list", {}],
  ["/subuser/delete", { subuser_id: UNKNOWN_ID }],
  ["/subuser/session/create", { subuser_id: UNKNOWN_ID }],
  ["/subuser/tracker/bind", { subuser_id: UNKNOWN_ID, trackers: [] }],
  ["/subuser/tracker/unbind", { subuser_id: UNKNOWN_ID, trackers: [] }],
  ["/subuser/tracker/list", { subuser_id: UNKNOWN_ID }],
  ["/subuser/security_group/create", { group: { label: "Group", privileges: { rights: [] } } }],
  ["/subuser/security_group/update", { group: { id: UNKNOWN_ID, label: "Group" } }],
  ["/subuser/security_group/delete", { security_group_id: UNKNOWN_ID }],
  ["/subuser/security_group/list", {}],
  ["/subuser/security_group/assign", { group_id: null, subuser_ids: [] }],
];

test("sub-user calls answer 13 to a sub-user, whatever its rights", async () => {
  const account = await newAccount();
  const rights = RIGHTS.filter((right) => right !== "admin");
  const bo = await newSubUser(account, { security_group_id: await newGroup(account, rights) });
  for (const [path, parameters] of CALLS) expect(codeOf(await bo.call(path, parameters)), path).toBe(13);
});

test("sub-user calls answer 236 to an account without trackers whose tariff lacks sub-users", async () => {
  const account = await newAccount({ plan: { features: [] } });
  for (const [path, parameters] of CALLS) expect(codeOf(await account.call(path, parameters)), path).toBe(236);
});

test("sub-user calls answer 236 when one tracker's tariff lacks the feature, whatever the tariff of new trackers", async () => {
  const account = await newAccount();
  await account.newTracker();
  await account.must("/subuser/list");
  const poor = await newAccount({ plan: { features: ["routing"] } });
  await operator.must("/panel/user/update", { user_id: account.id, default_tariff_id: poor.plan_id });
  // No tracker has this tariff yet.
  await account.must("/subuser/list");
  await account.newTracker();
  for (const [path, parameters] of CALLS) expect(codeOf(await account.call(path, parameters)), path).toBe(236);
  await operator.must("/panel/tariff/update", { tariff: { id: poor.plan_id, features: ["multilevel_access"] } });
  await account.must("/subuser/list");
});

test("a sub-user that is not activated cannot log in, and subuser/session/create refuses it", async () => {
  const account = await newAccount();
  const user = person({ activated: false });
  const { id } = await account.must("/subuser/register", { user, password: PASSWORD });
  const logIn = () => call("/user/auth", { login: user.login, password: PASSWORD });
  expect(codeOf(await logIn())).toBe(103);
  expect(codeOf(await account.call("/subuser/session/create", { subuser_id: id }))).toBe(103);
  await account.must("/subuser/update", { user: { id, activated: true } });
  await must("/base/nothing", { hash: (await logIn()).hash });
});

test("a deactivated sub-user loses its sessions at once, and they stay ended when it is activated again", async () => {
  const account = await newAccount();
  const bo = await newSubUser(account);
  const { hash } = await account.must("/subuser/session/create", { subuser_id: bo.id });
  await must("/base/nothing", { hash });
  await account.must("/subuser/update", { user: { id: bo.id, activated: false } });
  for (const ended of [bo.hash, hash]) expect(codeOf(await call("/base/nothing", { hash: ended }))).toBe(4);
  await account.must("/subuser/update", { user: { id: bo.id, activated: true } });
  for (const ended of [bo.hash, hash]) expect(codeOf(await call("/base/nothing", { hash: ended }))).toBe(4);
  await account.must("/base/nothing");
});

test("subuser/delete ends a sub-user's sessions at once, frees its login and removes its bindings", async () => {
  const account = await newAccount();
  const tracker = await account.newTracker();
  const bo = await newSubUser(account, {}, [tracker.id]);
  await account.must("/subuser/delete", { subuser_id: bo.id });
  expect(codeOf(await bo.call("/base/nothing"))).toBe(4);
  expect(codeOf(await call("/user/auth", { login: bo.login, password: PASSWORD }))).toBe(102);
  expect(codeOf(await account.call("/subuser/tracker/list", { subuser_id: bo.id }))).toBe(201);
  const again = await newSubUser(account, { login: bo.login });
  expect((await again.must("/tracker/list")).list).toEqual([]);
});

test("a master's block blocks its sub-users: sessions end at once, log-in answers 275, also for sessions by API key", async () => {
  const account = await newAccount();
  const { value: key } = await account.must("/api/key/create", { title: "ERP" });
  const bo = await newSubUser(account);
  await operator.must("/panel/user/update", { user_id: account.id, block_status: "BLOCK_LOGIN" });
  expect(codeOf(await bo.call("/base/nothing"))).toBe(4);
  expect(codeOf(await call("/user/auth", { login: bo.login, password: PASSWORD }))).toBe(275);
  expect(codeOf(await call("/subuser/session/create", { hash: key.hash, subuser_id: bo.id }))).toBe(4);
});

test("subuser/session/create opens a session that acts as the sub-user's own", async () => {
  const account = await newAccount();
  const tracker = await account.newTracker();
  const bo = await newSubUser(account, {}, [tracker.id]);
  const { hash } = await account.must("/subuser/session/create", { subuser_id: bo.id });
  expect((await must("/user/get_info", { hash })).user_info.id).toBe(bo.id);
  expect((await must("/tracker/list", { hash })).list).toMatchObject([{ id: tracker.id }]);
  expect(codeOf(await call("/subuser/list", { hash }))).toBe(13);
});

test("a session of subuser/session/create ends with the master's session, and when the master's password changes", async () => {
  for (const end of [
    (account: Account) => account.must("/user/logout"),
    (account: Account) =>
      account.must("/user/password/set", { old_password: account.password, new_password: "another123" }),
  ]) {
    const account = await newAccount();
    const bo = await newSubUser(account);
    const { hash } = await account.must("/subuser/session/create", { subuser_id: bo.id });
    await end(account);
    expect(codeOf(await call("/base/nothing", { hash }))).toBe(4);
    await bo.must("/base/nothing");
  }
});

test("a sub-user has at most a hundred live sessions, however they are made", async () => {
  const account = await newAccount();
  const bo = await newSubUser(account);
  await stack.addSessions(bo.id, 89);
  const make = () => account.call("/subuser/session/create", { subuser_id: bo.id });
  const made = await Promise.all(Array.from({ length: 12 }, make));
  expect(made.filter(({ success }) => success)).toHaveLength(10);
  expect(made.filter((reply) => codeOf(reply) === 104)).toHaveLength(2);
});

test("user/get_info shows a sub-user its master, the master's balance and bonus, and its own rights", async () => {
  const account = await newAccount({ user: { first_name: "Ann", last_name: "Lee" }, time_zone: "Asia/Kathmandu" });
  const security_group_id = await newGroup(account, ["tag_update"]);
  const bo = await newSubUser(account, { first_name: "Bo", security_group_id });
  const info = await bo.must("/user/get_info");
  expect(info).toMatchObject({
    user_info: { id: bo.id, login: bo.login, title: "Bo", time_zone: "Asia/Kathmandu", locale: "en_US", demo: false },
    master: {
      id: account.id,
      demo: false,
      legal_type: "individual",
      title: "Ann Lee",
      first_name: "Ann",
      balance: 0,
      bonus: 0,
    },
    privileges: { rights: ["tag_update"] },
    tariff_restrictions: { allowed_maps: expect.arrayContaining(["osm"]) },
  });
});

test("a sub-user sees the trackers bound to it and the things on them, in every operation", async () => {
  const { account, world } = await newWorld(accountsOn(stack));
  const other = await account.newTracker({ label: "Other" });
  const { id: onOther } = await account.must("/vehicle/create", { vehicle: { label: "Other", tracker_id: other.id } });
  const bo = await newSubUser(account);
  const { tracker_id, vehicle_id } = world;
  const at = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace("T", " ");
  const range = { from: at(systemNow() - 4 * DAY_MS), to: at(systemNow() + DAY_MS) };
  const sees = async () => ({
    trackers: (await bo.must("/tracker/list")).list.map(({ id }: Reply) => id),
    vehicles: (await bo.must("/vehicle/list")).list.map(({ id }: Reply) => id),
    tracker: codeOf(await bo.call("/tracker/read", { tracker_id })),
    vehicle: codeOf(await bo.call("/vehicle/read", { vehicle_id })),
    tracks: codeOf(await bo.call("/track/list", { tracker_id, ...range })),
    points: codeOf(await bo.call("/track/read", { tracker_id, ...range })),
    state: codeOf(await bo.call("/tracker/get_state", { tracker_id })),
    states: codeOf(await bo.call("/tracker/get_states", { trackers: [tracker_id] })),
    point: codeOf(await bo.call("/tracker/get_last_gps_point", { tracker_id })),
    both: codeOf(await bo.call("/tracker/get_states", { trackers: [tracker_id, other.id] })),
  });
  const nothing = {
    trackers: [],
    vehicles: [],
    tracker: 201,
    vehicle: 201,
    tracks: 201,
    points: 201,
    state: 201,
    states: 217,
    point: 201,
    both: 217,
  };
  expect(await sees()).toEqual(nothing);
  await account.must("/subuser/tracker/bind", { subuser_id: bo.id, trackers: [other.id] });
  expect(await sees()).toEqual({ ...nothing, trackers: [other.id], vehicles: [onOther] });
  await account.must("/subuser/tracker/bind", { subuser_id: bo.id, trackers: [tracker_id, other.id, tracker_id] });
  const all = { trackers: [tracker_id, other.id], vehicles: [vehicle_id, onOther] };
  expect(await sees()).toEqual(all);
  expect((await account.must("/subuser/tracker/list", { subuser_id: bo.id })).list).toEqual([tracker_id, other.id]);
  await account.must("/subuser/tracker/unbind", { subuser_id: bo.id, trackers: [tracker_id] });
  expect(await sees()).toEqual({ ...nothing, trackers: [other.id], vehicles: [onOther] });
});

test("subuser/tracker/bind takes ten thousand trackers in one call, and refuses one more (7)", async () => {
  const account = await newAccount();
  const tracker = await account.newTracker();
  const bo = await newSubUser(account);
  const bind = (trackers: number[]) => account.call("/subuser/tracker/bind", { subuser_id: bo.id, trackers });
  expect((await bind(Array(10_000).fill(tracker.id))).success).toBe(true);
  expect(await bind(Array(10_001).fill(tracker.id))).toMatchObject({
    status: { code: 7 },
    errors: [{ parameter: "trackers" }],
  });
  expect(codeOf(await bind(Array.from({ length: 10_000 }, (_, index) => UNKNOWN_ID - index)))).toBe(262);
  expect(codeOf(await bind([tracker.id, UNKNOWN_ID]))).toBe(262);
});

test("a vehicle that a sub-user makes belongs to the account and outlives the sub-user", async () => {
  const account = await newAccount();
  const bo = await newSubUser(account, { security_group_id: await newGroup(account, ["vehicle_update"]) });
  const { id } = await bo.must("/vehicle/create", { vehicle: { label: "Van" } });
  await account.must("/subuser/delete", { subuser_id: bo.id });
  await account.must("/vehicle/read", { vehicle_id: id });
});

test("a group's storage period limits what a sub-user sees of a track", async () => {
  const { account, world } = await newWorld(accountsOn(stack));
  const security_group_id = await newGroup(account, [], { store_period: "3d" });
  const bo = await newSubUser(account, { security_group_id }, [world.tracker_id]);
  const at = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace("T", " ");
  const ask = { tracker_id: world.tracker_id, from: at(systemNow() - 4 * DAY_MS), to: at(systemNow() + DAY_MS) };
  expect(await account.must("/track/list", ask)).toMatchObject({ limit_exceeded: false });
  expect(await bo.must("/track/list", ask)).toMatchObject({ limit_exceeded: true });
  const group = { id: security_group_id, privileges: { rights: [], store_period: "1h" } };
  await account.must("/subuser/security_group/update", { group });
  expect(await bo.must("/track/list", ask)).toMatchObject({ limit_exceeded: true, list: [] });
  await account.must("/subuser/security_group/update", { group: { ...group, privileges: { rights: [] } } });
  expect((await bo.must("/track/list", ask)).list).not.toEqual([]);
});

test("calls that begin after a sub-user's change was answered see the change, also under load", async () => {
  const account = await newAccount();
  const tracker = await account.newTracker();
  const group = await newGroup(account, ["vehicle_update"]);
  const bo = await newSubUser(account, { security_group_id: group }, [tracker.id]);
  const subuser_id = bo.id;
  const sees = async () => codeOf(await bo.call("/tracker/read", { tracker_id: tracker.id })) === undefined;
  const isBlind = async () => !(await sees());
  const may = async () => codeOf(await bo.call("/vehicle/delete", { vehicle_id: UNKNOWN_ID })) !== 13;
  const mayNot = async () => !(await may());
  const binding = { subuser_id, trackers: [tracker.id] };
  await expectImmediateChange(sees, () => account.must("/subuser/tracker/unbind", binding));
  await expectImmediateChange(isBlind, () => account.must("/subuser/tracker/bind", binding));
  const update = (rights: string[]) =>
    account.must("/subuser/security_group/update", { group: { id: group, privileges: { rights } } });
  await expectImmediateChange(may, () => update([]));
  await expectImmediateChange(mayNot, () => update(["vehicle_update"]));
  const assign = (group_id: number | null) =>
    account.must("/subuser/security_group/assign", { group_id, subuser_ids: [subuser_id] });
  await expectImmediateChange(may, () => assign(null));
  await expectImmediateChange(mayNot, () => assign(group));
  await expectImmediateChange(may, () => account.must("/subuser/security_group/delete", { security_group_id: group }));
  const isIn = async () => codeOf(await bo.call("/base/nothing")) === undefined;
  await expectImmediateChange(isIn, () =>
    account.must("/subuser/update", { user: { id: subuser_id, activated: false } }),
  );
  const al = await newSubUser(account);
  const isThere = async () => codeOf(await al.call("/base/nothing")) === undefined;
  await expectImmediateChange(isThere, () => account.must("/subuser/delete", { subuser_id: al.id }));
});

test("a log-in that runs during the deactivation of its sub-user leaves no session behind", async () => {
  const account = await newAccount();
  const bo = await newSubUser(account);
  const logIns = Array.from({ length: 12 }, () => call("/user/auth", { login: bo.login, password: PASSWORD }));
  await account.must("/subuser/update", { user: { id: bo.id, activated: false } });
  const hashes = (await Promise.all(logIns)).filter(({ success }) => success).map(({ hash }) => hash);
  for (const hash of hashes) expect(codeOf(await call("/base/nothing", { hash }))).toBe(4);
});
