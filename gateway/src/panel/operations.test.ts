import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { systemNow } from "#shared/time/clock.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import {
  call,
  must,
  newAccount,
  newImei,
  operator,
  operatorHash,
  type Reply,
  UNKNOWN_ID,
} from "#test/tool/call/account.ts";
import { linkedHash, newInactiveUser } from "#test/tool/call/mailbox.ts";
import { OPERATOR } from "#test/tool/system/operator.ts";

const newLogin = () => `${systemNow()}-${randomInt(1e12)}@example.com`;

const newName = () => `${systemNow()}-${randomInt(1e9)}`;

test("panel/account/auth logs an operator in, and answers 102 to a wrong password", async () => {
  const { permissions } = await must("/panel/account/auth", OPERATOR);
  expect(permissions).toMatchObject({
    users: expect.arrayContaining(["create"]),
    tariffs: expect.arrayContaining(["update"]),
  });
  expect((await call("/panel/account/auth", { ...OPERATOR, password: "wrong" })).status.code).toBe(102);
});

test("panel calls refuse a user's hash, and user calls an operator's", async () => {
  const account = await newAccount();
  expect((await account.call("/panel/mail/list")).status.code).toBe(4);
  expect((await operator.call("/user/get_info")).status.code).toBe(4);
  expect((await call("/panel/mail/list")).status.code).toBe(3);
});

test("panel/tariff/create takes a name once a dealer, and refuses wrong members by name", async () => {
  const name = newName();
  const given = { name, features: ["statuses"], price: 9.5, map_filter: { exclusion: false, values: ["osm"] } };
  const { id } = await operator.must("/panel/tariff/create", { tariff: given });
  expect((await operator.call("/panel/tariff/create", { tariff: { name } })).status.code).toBe(244);
  await operator.must("/panel/tariff/update", { tariff: { id, store_period: "30y" } });
  // Members that are not given stay as they are.
  const { value } = await operator.must("/panel/tariff/read", { tariff_id: id });
  expect(value).toMatchObject({ ...given, store_period: "30y" });
  expect((await operator.call("/panel/tariff/update", { tariff: { id: UNKNOWN_ID, price: 1 } })).status.code).toBe(201);
  for (const [member, value] of Object.entries({
    store_period: "1x",
    features: ["flying"],
    price: -1,
    device_limit: 1.5,
  })) {
    const reply = await operator.call("/panel/tariff/create", { tariff: { name: newName(), [member]: value } });
    expect(reply.errors[0].parameter).toMatch(new RegExp(`^tariff\\.${member}`));
  }
});

test("panel/user/create takes a login once, whatever its case and however many calls register it at once", async () => {
  const login = `${newName()}@example.com`;
  const create = (written: string) =>
    operator.call("/panel/user/create", {
      user: { login: written, activated: true, legal_type: "individual" },
      password: "secret123",
      time_zone: "UTC",
      locale: "de",
    });
  const replies = await Promise.all([login, login.toUpperCase(), login, login, login].map(create));
  expect(replies.filter(({ success }) => success)).toHaveLength(1);
  expect(new Set(replies.filter(({ success }) => !success).map(({ status }) => status.code))).toEqual(new Set([206]));
});

test.each([
  [{ password: "short" }, "password"],
  [{ password: "x".repeat(21) }, "password"],
  [{ time_zone: "Europe/Atlantis" }, "time_zone"],
  [{ locale: "english" }, "locale"],
  [{ default_tariff_id: UNKNOWN_ID }, "default_tariff_id"],
  [{ comment: "x".repeat(256) }, "comment"],
  [{ user: { login: "no-address", legal_type: "individual" } }, "user.login"],
  [{ user: { login: "a@example.com", legal_type: "club" } }, "user.legal_type"],
  [{ user: { login: "a@example.com", legal_type: "individual", phone: "123" } }, "user.phone"],
  [{ limits: { zones: -1 } }, "limits.zones"],
])("panel/user/create refuses %j by naming the parameter %s", async (wrong, parameter) => {
  const user = { login: `${newName()}@example.com`, legal_type: "individual" };
  const reply = await operator.call("/panel/user/create", {
    user,
    password: "secret123",
    time_zone: "UTC",
    locale: "de",
    ...wrong,
  });
  expect(reply).toMatchObject({ status: { code: 7 }, errors: [{ parameter }] });
});

test("panel/user/create without activation mails the user a link", async () => {
  const login = `${newName()}@example.com`;
  const user = { login, activated: false, first_name: "Bob", legal_type: "individual" };
  await operator.must("/panel/user/create", { user, password: "secret123", time_zone: "UTC", locale: "en" });
  const { list } = await operator.must("/panel/mail/list");
  const mail = list.find(({ to }: { to: string }) => to === login);
  expect(mail.text).toMatch(/\/activate\?hash=[0-9a-f]{32}/);
  expect(mail.text).toContain("Bob");
});

test("panel/tracker/source/update refuses a blocked device to its owner at once, and gives it back when unblocked", async () => {
  const [account, hash] = [await newAccount(), await operatorHash()];
  const device_id = newImei();
  const { id: tracker_id } = await account.newTracker({ device_id });
  const point = { time: new Date().toISOString(), lat: 1, lng: 1 };
  await must("/ingest/points", { device_id, points: [point] });
  await must("/panel/tracker/source/update", { hash, tracker_id, blocked: true });
  expect((await account.call("/tracker/settings/read", { tracker_id })).status.code).toBe(208);
  expect((await call("/ingest/points", { device_id, points: [point] })).status.code).toBe(208);
  expect((await account.must("/tracker/read", { tracker_id })).value.source.blocked).toBe(true);
  await must("/panel/tracker/source/update", { hash, tracker_id, blocked: false });
  await account.must("/tracker/settings/read", { tracker_id });
  await must("/ingest/points", { device_id, points: [point] });
  const unknown = { hash, tracker_id: UNKNOWN_ID, blocked: true };
  expect((await call("/panel/tracker/source/update", unknown)).status.code).toBe(201);
});

test("panel/user/update ends every session of a user it blocks at once, and user/auth answers 275", async () => {
  const account = await newAccount();
  const { login, password, id: user_id } = account;
  const { value: key } = await account.must("/api/key/create", { title: "ERP" });
  await operator.must("/panel/user/update", { user_id, block_status: "BLOCK_LOGIN" });
  expect((await account.call("/base/nothing")).status.code).toBe(4);
  expect((await call("/user/auth", { login, password })).status.code).toBe(275);
  expect((await call("/base/nothing", { hash: key.hash })).status.code).toBe(4);
  await operator.must("/panel/user/update", { user_id, block_status: "NOT_BLOCKED" });
  expect((await account.call("/base/nothing")).status.code).toBe(4);
  await must("/user/auth", { login, password });
  await must("/base/nothing", { hash: key.hash });
});

test("mailed links and codes end when the login or the password changes, and when the user is blocked", async () => {
  for (const end of [
    (user_id: number) => operator.must("/panel/user/update", { user_id, user: { login: newLogin() } }),
    (user_id: number) => operator.must("/panel/user/change_password", { user_id, password: "another123" }),
    async (user_id: number) => {
      await operator.must("/panel/user/update", { user_id, block_status: "BLOCK_LOGIN" });
      await operator.must("/panel/user/update", { user_id, block_status: "NOT_BLOCKED" });
    },
  ]) {
    const [account, invited] = [await newAccount(), await newInactiveUser()];
    await must("/user/restore_password", { login: account.login });
    const links = [await linkedHash(account.login), await linkedHash(invited.login)];
    await Promise.all([account.id, invited.id].map(end));
    expect((await call("/user/password/change", { hash: links[0], password: "another123" })).status.code).toBe(4);
    expect((await call("/user/activate", { hash: links[1] })).status.code).toBe(4);
  }
  // An unchanged login ends nothing.
  const invited = await newInactiveUser();
  const link = await linkedHash(invited.login);
  await operator.must("/panel/user/update", { user_id: invited.id, user: { login: invited.login } });
  await must("/user/activate", { hash: link });
});

test("an operator's session for a user ends with the operator's own, and lives a day at most", async () => {
  const [account, maker] = [await newAccount(), await must("/panel/account/auth", OPERATOR)];
  const { hash } = await must("/panel/user/session/create", { hash: maker.hash, user_id: account.id });
  const { list } = await account.must("/user/session/list", { iso_datetime: true });
  const delegated = list.find(({ kind }: Reply) => kind === "delegated");
  expect(Date.parse(delegated.expires) - Date.parse(delegated.created)).toBeLessThanOrEqual(DAY_MS);
  await must("/base/nothing", { hash });
  await must("/panel/account/logout", { hash: maker.hash });
  expect((await call("/base/nothing", { hash })).status.code).toBe(4);
});

test("panel/user/update shows in the user's next call, and leaves members that are not given", async () => {
  const account = await newAccount();
  const change = { user: { first_name: "Eve", phone: "15550100123" }, time_zone: "Asia/Tokyo", limits: { zones: 5 } };
  await operator.must("/panel/user/update", { user_id: account.id, ...change });
  const { user_info } = await account.must("/user/get_info", {}, { "FMS-ISO-DateTime": "true" });
  expect(user_info).toMatchObject({
    first_name: "Eve",
    last_name: "Lee",
    phone: "15550100123",
    time_zone: "Asia/Tokyo",
  });
  expect(user_info.creation_date).toContain("+09:00");
});

test("panel/user/update refuses a login that is taken, an unknown tariff and an unknown user", async () => {
  const [one, other] = [await newAccount(), await newAccount()];
  const update = (change: object) => operator.call("/panel/user/update", { user_id: one.id, ...change });
  expect((await update({ user: { login: other.login } })).status.code).toBe(206);
  expect((await update({ default_tariff_id: UNKNOWN_ID })).errors).toMatchObject([{ parameter: "default_tariff_id" }]);
  expect((await update({ user_id: UNKNOWN_ID })).status.code).toBe(201);
  expect((await update({ user: { phone: "1" } })).errors).toMatchObject([{ parameter: "user.phone" }]);
});

test("panel/account/logout ends the operator's session", async () => {
  const { hash } = await must("/panel/account/auth", OPERATOR);
  expect((await must("/panel/account/get_permissions", { hash })).permissions).toHaveProperty("tariffs");
  await must("/panel/account/logout", { hash });
  expect((await call("/panel/account/get_permissions", { hash })).status.code).toBe(4);
});

test("panel/tariff/read and list give tariffs in the order in which they were made", async () => {
  const name = `Fleet ${newName()}`;
  const tariff = { name, price: 9.5, store_period: "30d", features: ["app_tasks"], device_limit: 5 };
  const { id } = await operator.must("/panel/tariff/create", { tariff });
  const { value } = await operator.must("/panel/tariff/read", { tariff_id: id });
  expect(value).toMatchObject({ id, ...tariff, type: "monthly", has_reports: true, active: true });
  expect(await operator.must("/panel/tariff/list", { filter: name.toUpperCase() })).toMatchObject({
    list: [value],
    count: 1,
  });
  const { list } = await operator.must("/panel/tariff/list", { order_by: "name", ascending: false, limit: 2 });
  expect(list[0].name >= list[1].name).toBe(true);
  expect((await operator.must("/panel/tariff/list", { filter: name, device_type: "camera" })).count).toBe(0);
  expect((await operator.call("/panel/tariff/read", { tariff_id: UNKNOWN_ID })).status.code).toBe(201);
  expect((await operator.call("/panel/tariff/list", { limit: 1001 })).errors).toMatchObject([{ parameter: "limit" }]);
});

test("panel/user/read and list give the number of trackers, and never a password", async () => {
  const account = await newAccount({ user: { last_name: "Öz" } });
  await account.newTracker();
  const { value } = await operator.must("/panel/user/read", { user_id: account.id });
  expect(value).toMatchObject({
    id: account.id,
    login: account.login,
    last_name: "Öz",
    trackers_count: 1,
    activated: true,
  });
  expect(JSON.stringify(value)).not.toContain("scrypt");
  const listed = await operator.must("/panel/user/list", { filter: account.login.toUpperCase() });
  expect(listed).toMatchObject({ list: [value], count: 1 });
  await operator.must("/panel/user/update", { user_id: account.id, block_status: "BLOCK_LOGIN" });
  expect((await operator.must("/panel/user/list", { filter: account.login, hide_inactive: true })).count).toBe(0);
  expect((await operator.call("/panel/user/read", { user_id: UNKNOWN_ID })).status.code).toBe(201);
});

test("panel/user/change_password replaces the password and ends the sessions; API keys stay", async () => {
  const [account, hash] = [await newAccount(), await operatorHash()];
  const { login, id: user_id } = account;
  const { value: key } = await account.must("/api/key/create", { title: "ERP" });
  await must("/panel/user/change_password", { hash, user_id, password: "another123" });
  expect((await account.call("/base/nothing")).status.code).toBe(4);
  expect((await call("/user/auth", { login, password: account.password })).status.code).toBe(102);
  await must("/user/auth", { login, password: "another123" });
  await must("/base/nothing", { hash: key.hash });
  const unknown = { hash, user_id: UNKNOWN_ID, password: "another123" };
  expect((await call("/panel/user/change_password", unknown)).status.code).toBe(201);
  expect((await call("/panel/user/change_password", { ...unknown, password: "short" })).status.code).toBe(7);
});

test("an operator's session for a user acts as that user, but manages no keys and cannot be renewed", async () => {
  const [account, operator] = [await newAccount(), await operatorHash()];
  const { hash } = await must("/panel/user/session/create", { hash: operator, user_id: account.id });
  expect((await must("/user/get_info", { hash })).user_info.id).toBe(account.id);
  for (const path of ["/api/key/list", "/user/session/renew"]) {
    expect((await call(path, { hash })).status.code).toBe(4);
  }
  const unknown = { hash: operator, user_id: UNKNOWN_ID };
  expect((await call("/panel/user/session/create", unknown)).status.code).toBe(201);
});

test("panel/dealer/settings/service/update changes the given members, and null restores a default", async () => {
  const path = "/panel/dealer/settings/service";
  await operator.must(`${path}/update`, { promo_url: "https://example.com/about", login_footer: "Hi" });
  await operator.must(`${path}/update`, { login_footer: "Bye", allowed_maps: ["osm"] });
  const { value } = await operator.must(`${path}/read`);
  expect(value).toMatchObject({ promo_url: "https://example.com/about", login_footer: "Bye", allowed_maps: ["osm"] });
  const account = await newAccount();
  expect((await account.must("/user/get_info")).paas_settings).toMatchObject({ login_footer: "Bye" });
  await operator.must(`${path}/update`, { promo_url: null, login_footer: "", allowed_maps: null });
  expect((await operator.must(`${path}/read`)).value).toMatchObject({ promo_url: null, allowed_maps: null });
  const wrong = await operator.call(`${path}/update`, { default_user_time_zone: "Europe/Atlantis" });
  expect(wrong.errors).toMatchObject([{ parameter: "default_user_time_zone" }]);
});

test("panel/user/create without a tariff uses the default one, which must be an active tariff for trackers", async () => {
  const { id: tariff_id } = await operator.must("/panel/tariff/create", { tariff: { name: newName() } });
  const { id: retired } = await operator.must("/panel/tariff/create", { tariff: { name: newName(), active: false } });
  const defaults = { tariff_id, activation_bonus: 0, free_days: 14, free_days_device_limit: 3 };
  const set = (tracker: object) =>
    operator.call("/panel/tariff/defaults/update", { tracker: { ...defaults, ...tracker } });
  expect((await set({ tariff_id: UNKNOWN_ID })).status.code).toBe(239);
  expect((await set({ tariff_id: retired })).status.code).toBe(237);
  expect((await set({})).success).toBe(true);
  expect((await operator.must("/panel/tariff/defaults/read")).tracker).toEqual(defaults);
  const user = { login: `${newName()}@example.com`, activated: true, legal_type: "individual" };
  const { id } = await operator.must("/panel/user/create", {
    user,
    password: "secret123",
    time_zone: "UTC",
    locale: "de",
  });
  expect((await operator.must("/panel/user/read", { user_id: id })).value.default_tariff_id).toBe(tariff_id);
  await set({ tariff_id: null });
});
