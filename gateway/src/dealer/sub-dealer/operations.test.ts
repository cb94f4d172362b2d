import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { systemNow } from "#shared/time/clock.ts";
import { type Account, accountsOn, call, must, operatorHash, type Reply, UNKNOWN_ID } from "#test/tool/call/account.ts";
import { SAMPLES } from "#test/tool/sample/index.ts";
import { newWorld, unknownWorld } from "#test/tool/sample/world.ts";
import { stack } from "#test/tool/system/stack.ts";

const password = "secret123";
const newName = () => `${systemNow()}-${randomInt(1e9)}`;

async function newDealer({ block_type = "NOT_BLOCKED", by = operatorHash() } = {}) {
  const hash = await by;
  const login = `${newName()}@example.com`;
  const given = { title: "Rent & Go", email: login, jur_name: "Rent Ltd", jur_country: "DE", password };
  const { id } = await must("/panel/subpaas/create", { hash, ...given });
  if (block_type !== "INITIAL_BLOCK") await must("/panel/subpaas/update", { hash, dealer_id: id, block_type });
  return { id: Number(id), given, login };
}

/** A sub-dealer that is not blocked, with an operator logged in and its own accounts. */
async function newOpenDealer() {
  const dealer = await newDealer();
  const accounts = accountsOn(stack, { login: dealer.login, password });
  return { ...dealer, ...accounts, hash: await accounts.operatorHash() };
}

const codeOf = async (path: string, parameters: object) => (await call(path, parameters)).status?.code;

test("a sub-dealer starts blocked; once it is unblocked, its operator makes tariffs and users of its own", async () => {
  const { id, given, login } = await newDealer({ block_type: "INITIAL_BLOCK" });
  const hash = await operatorHash();
  const { password: _, ...shown } = given;
  const whole = { id, ...shown, link_monitoring: null, block_type: "INITIAL_BLOCK", features: [] };
  expect((await must("/panel/subpaas/read", { hash, dealer_id: id })).value).toEqual(whole);
  expect((await must("/panel/subpaas/list", { hash })).list).toContainEqual(whole);
  expect(await codeOf("/panel/account/auth", { login, password })).toBe(11);
  await must("/panel/subpaas/update", { hash, dealer_id: id, block_type: "NOT_BLOCKED", title: "Rent" });
  const { permissions } = await must("/panel/account/auth", { login: login.toUpperCase(), password });
  expect(permissions.users).toEqual(["create", "read", "update", "delete", "corrupt"]);

  const { newAccount } = accountsOn(stack, { login, password });
  const account = await newAccount();
  expect(await account.must("/user/get_info")).toMatchObject({
    paas_id: id,
    paas_settings: { service_title: "Rent & Go" },
  });
  const credentials = { login: account.login, password };
  await must("/user/auth", { ...credentials, dealer_id: id });
  expect(await codeOf("/user/auth", { ...credentials, dealer_id: 1 })).toBe(102);
});

test("a blocked sub-dealer's operators lose their sessions at once and cannot unblock it, and its users get 11", async () => {
  const { id, login, hash: theirs, newAccount } = await newOpenDealer();
  const account = await newAccount();
  const hash = await operatorHash();
  const user = { login: account.login, password };
  for (const block of [
    () => must("/panel/dealer/block", { hash, dealer_id: id, blocked: true }),
    () => must("/panel/subpaas/update", { hash, dealer_id: id, block_type: "CLIENTS_BLOCKED" }),
  ]) {
    await must("/panel/subpaas/update", { hash, dealer_id: id, block_type: "NOT_BLOCKED" });
    const opened = await must("/panel/account/auth", { login, password });
    await must("/panel/account/get_permissions", { hash: opened.hash });
    expect(await codeOf("/panel/dealer/block", { hash: opened.hash, dealer_id: id, blocked: false })).toBe(201);
    await block();
    for (const ended of [opened.hash, theirs]) {
      expect(await codeOf("/panel/account/get_permissions", { hash: ended })).toBe(4);
    }
    expect(await codeOf("/panel/account/auth", { login, password })).toBe(11);
    expect(await codeOf("/user/auth", user)).toBe(11);
  }
  await must("/panel/dealer/block", { hash, dealer_id: id, blocked: false });
  await must("/user/auth", user);
});

test("a dealer's block holds for all dealers below it and every credential from the next call on, and ends without new keys", async () => {
  const hash = await operatorHash();
  const parent = await newOpenDealer();
  await must("/panel/subpaas/update", { hash, dealer_id: parent.id, features: ["subpaas"] });
  const below = await newDealer({ by: Promise.resolve(parent.hash) });
  const theirs = accountsOn(stack, { login: below.login, password });
  const account = await theirs.newAccount();
  const { value: key } = await account.must("/api/key/create", { title: "ERP" });
  const operator = await theirs.operatorHash();
  await must("/vehicle/list", { hash: key.hash });

  await must("/panel/dealer/block", { hash, dealer_id: parent.id, blocked: true });
  for (const ended of [key.hash, account.hash]) expect(await codeOf("/vehicle/list", { hash: ended })).toBe(4);
  expect(await codeOf("/panel/account/get_permissions", { hash: operator })).toBe(4);
  expect(await codeOf("/user/auth", { login: account.login, password })).toBe(11);
  expect(await codeOf("/panel/account/auth", { login: below.login, password })).toBe(11);

  await must("/panel/dealer/block", { hash, dealer_id: parent.id, blocked: false });
  await must("/vehicle/list", { hash: key.hash });
  await must("/user/auth", { login: account.login, password });
});

test("panel/subpaas/update lets a dealer give those below it only features that it has itself", async () => {
  const hash = await operatorHash();
  const parent = await newOpenDealer();
  await must("/panel/subpaas/update", { hash, dealer_id: parent.id, features: ["subpaas", "reports"] });
  const below = await newDealer({ by: Promise.resolve(parent.hash) });
  const grant = (features: string[]) =>
    call("/panel/subpaas/update", { hash: parent.hash, dealer_id: below.id, features });
  expect(await grant(["reports", "fleet"])).toMatchObject({ status: { code: 7 }, errors: [{ parameter: "features" }] });
  expect((await grant(["reports"])).success).toBe(true);
  expect((await must("/panel/subpaas/read", { hash, dealer_id: below.id })).value.features).toEqual(["reports"]);
});

test("a sub-dealer has sub-dealers where its own dealer allows it, and reaches no other dealers", async () => {
  const parent = await newOpenDealer();
  const hash = await operatorHash();
  const given = { title: "Below", email: `${newName()}@example.com`, password };
  expect(await codeOf("/panel/subpaas/create", { hash: parent.hash, ...given })).toBe(13);
  await must("/panel/subpaas/update", { hash, dealer_id: parent.id, features: ["subpaas", "vendor_label"] });
  const below = await newDealer({ by: Promise.resolve(parent.hash) });
  const { list } = await must("/panel/subpaas/list", { hash: parent.hash });
  expect(list.map(({ id }: Reply) => id)).toEqual([below.id]);
  const beside = await newDealer();
  for (const dealer_id of [UNKNOWN_ID, beside.id, parent.id, 1]) {
    const ask = { hash: parent.hash, dealer_id };
    expect(await codeOf("/panel/subpaas/read", ask)).toBe(201);
    expect(await codeOf("/panel/subpaas/update", { ...ask, block_type: "NOT_BLOCKED" })).toBe(201);
    expect(await codeOf("/panel/dealer/block", { ...ask, blocked: false })).toBe(201);
  }
  const { list: all } = await must("/panel/subpaas/list", { hash });
  expect(all.map(({ id }: Reply) => id)).toEqual(expect.arrayContaining([parent.id, below.id, beside.id]));
});

test("panel/subpaas/create takes a login and a domain once, whatever their case and however many calls take them at once", async () => {
  const hash = await operatorHash();
  const domain = `${newName()}.Example.com`;
  const create = (more: object) => call("/panel/subpaas/create", { hash, title: "One", password, ...more });
  const email = `${newName()}@example.com`;
  const replies = await Promise.all([email, email.toUpperCase(), email].map((one) => create({ email: one })));
  expect(replies.map(({ status }) => status?.code ?? 0).toSorted()).toEqual([0, 206, 206]);
  const first = await create({ email: `${newName()}@example.com`, link_monitoring: domain });
  const taken = { email: `${newName()}@example.com`, link_monitoring: domain.toLowerCase() };
  expect((await create(taken)).status.code).toBe(247);
  // The refused calls stored nothing.
  expect((await create({ ...taken, link_monitoring: null })).success).toBe(true);
  expect((await must("/dealer/get_ui_config", { domain })).dealer.id).toBe(first.id);

  const other = await newOpenDealer();
  const path = "/panel/dealer/settings/service/update";
  expect(await codeOf(path, { hash: other.hash, domain: domain.toUpperCase() })).toBe(247);
  const update = { hash, dealer_id: other.id, link_monitoring: domain };
  expect(await codeOf("/panel/subpaas/update", update)).toBe(247);
  await must(path, { hash: other.hash, domain: `x${domain}` });
  await must("/dealer/get_ui_config", { domain: `x${domain}` });
  expect(await codeOf("/dealer/get_ui_config", { domain: `y${domain}` })).toBe(12);
});

test("panel/subpaas/update sets the password of the operator at once and ends its sessions", async () => {
  const { id, login, hash: theirs } = await newOpenDealer();
  await must("/panel/subpaas/update", { hash: await operatorHash(), dealer_id: id, password: "another123" });
  expect(await codeOf("/panel/account/get_permissions", { hash: theirs })).toBe(4);
  expect(await codeOf("/panel/account/auth", { login, password })).toBe(102);
  await must("/panel/account/auth", { login, password: "another123" });
});

test.each([
  [{ title: "" }, "title"],
  [{ email: "nobody" }, "email"],
  [{ password: "short" }, "password"],
  [{ link_monitoring: "x".repeat(256) }, "link_monitoring"],
])("panel/subpaas/create refuses %j by naming the parameter %s", async (wrong, parameter) => {
  const given = { title: "One", email: "a@example.com", password, ...wrong };
  const reply = await call("/panel/subpaas/create", { hash: await operatorHash(), ...given });
  expect(reply).toMatchObject({ status: { code: 7 }, errors: [{ parameter }] });
});

test("panel calls answer another dealer's operator about users, tariffs and trackers exactly as if these did not exist", async () => {
  const { hash } = await newOpenDealer();
  const accounts = accountsOn(stack);
  const { account, world } = await newWorld(accounts);
  const nobody = { id: UNKNOWN_ID + 1, plan_id: UNKNOWN_ID + 2, login: "nobody@example.com" } as Account;
  const unknown = unknownWorld();
  const before = await stateOf(account, world.tracker_id);
  const asked: string[] = [];
  for (const [path, samples] of Object.entries(SAMPLES).filter(([path]) => path.startsWith("/panel/"))) {
    for (const { parameters, before: prepare } of samples) {
      const { hash: _, ...usedUp }: Reply = (await prepare?.(account, accounts)) ?? {};
      const known = { ...parameters(world, account), ...usedUp };
      const names: [unknown, unknown][] = [
        ...Object.values(usedUp).map((value, index): [unknown, unknown] => [value, unlike(value, index)]),
        [account.id, nobody.id],
        [account.plan_id, nobody.plan_id],
        [world.tracker_id, unknown.tracker_id],
      ];
      const expected: Reply = replaceNames(known, names);
      if (JSON.stringify(expected) === JSON.stringify(known)) continue;
      asked.push(path);
      const [reply, same] = [await call(path, { ...known, hash }), await call(path, { ...expected, hash })];
      expect(reply, `${path} ${JSON.stringify(known)}`).toEqual(same);
    }
  }
  expect(await stateOf(account, world.tracker_id)).toEqual(before);
  expect(asked.length).toBeGreaterThan(15);
});

test("an operator with the permission global reaches users and devices of other dealers, tariffs excepted", async () => {
  const { id, hash: theirs, newAccount } = await newOpenDealer();
  const account = await newAccount({ plan: {} });
  const { id: tracker_id } = await account.newTracker();
  const hash = await operatorHash();
  expect((await must("/panel/user/read", { hash, user_id: account.id })).value.dealer_id).toBe(id);
  expect((await must("/panel/tracker/read", { hash, tracker_id })).value.dealer_id).toBe(id);
  await must("/panel/user/update", { hash, user_id: account.id, comment: "Seen" });
  expect((await must("/panel/user/list", { hash, filter: account.login })).count).toBe(1);
  expect((await must("/panel/user/list", { hash: theirs })).count).toBe(1);
  expect((await must("/panel/tracker/list", { hash: theirs })).count).toBe(1);
  const plans = await must("/panel/tariff/list", { hash: theirs });
  expect(plans.list.map((plan: Reply) => plan.id)).toEqual([account.plan_id]);
  expect(await codeOf("/panel/tariff/read", { hash, tariff_id: account.plan_id })).toBe(201);
  // A device takes only tariffs of its own dealer.
  const { plan_id } = await accountsOn(stack).newAccount();
  expect(await codeOf("/panel/tracker/tariff/change", { hash, tracker_id, tariff_id: plan_id })).toBe(239);
});

async function stateOf({ id, must: ask }: Account, tracker_id: number) {
  const hash = await operatorHash();
  const { last_connection, ...tracker } = (await must("/panel/tracker/read", { hash, tracker_id })).value;
  // `trackers_count` is left out: the account's own samples change it.
  const { trackers_count, ...user } = (await must("/panel/user/read", { hash, user_id: id })).value;
  return [tracker, user, await ask("/vehicle/list")];
}

function unlike(value: unknown, index: number) {
  return typeof value === "number" ? UNKNOWN_ID + 10 + index : "nobody@example.com";
}

const NAMING = new Set(["id", "user_id", "tracker_id", "tariff_id", "default_tariff_id", "dealer_id", "login"]);

/** Copies the parameters and replaces ids and logins by others. */
function replaceNames(given: unknown, names: [unknown, unknown][], member = ""): unknown {
  const found = NAMING.has(member) && names.find(([name]) => name === given);
  if (found) return found[1];
  if (typeof given !== "object" || given === null || Array.isArray(given)) return given;
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, replaceNames(value, names, name)]));
}
