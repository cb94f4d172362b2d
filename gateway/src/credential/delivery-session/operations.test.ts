import { expect, test } from "vitest";
import { call, must, newAccount } from "#test/tool/call/account.ts";
import { newSubUser } from "#test/tool/call/mailbox.ts";

const [CREATE, READ] = ["/user/session/delivery/create", "/user/session/delivery/read"];

test("a delivery session is shown again by read, outlives the log-in and opens no other operation", async () => {
  const account = await newAccount();
  expect((await account.call(READ)).status.code).toBe(201);
  const { value } = await account.must(CREATE);
  expect(value).toMatch(/^[0-9a-f]{32}$/);
  await account.must("/user/logout");
  const { login, password } = account;
  const { hash } = await must("/user/auth", { login, password });
  expect((await must(READ, { hash })).value).toBe(value);
  for (const path of ["/base/nothing", "/user/get_info", "/user/logout", "/api/key/list", READ, "/tracker/list"]) {
    expect((await call(path, { hash: value })).status.code, path).toBe(4);
  }
});

test("a user has one delivery session, however many are made at once, and a new one ends those before at once", async () => {
  const account = await newAccount();
  const made = await Promise.all(Array.from({ length: 8 }, () => account.must(CREATE)));
  const { value } = await account.must(READ);
  expect(made.map((one) => one.value)).toContain(value);
  // dealer/get_ui_config answers any hash that is alive.
  const known = await Promise.all(made.map((one) => call("/dealer/get_ui_config", { hash: one.value })));
  expect(known.filter(({ success }) => success)).toHaveLength(1);
  const next = await account.must(CREATE);
  expect((await call("/dealer/get_ui_config", { hash: value })).status.code).toBe(4);
  await must("/dealer/get_ui_config", { hash: next.value });
});

test("only the master makes a delivery session, and sub-users with the right may read it", async () => {
  const account = await newAccount();
  const subUser = await newSubUser(account);
  const { value } = await account.must(CREATE);
  expect((await call(CREATE, { hash: subUser.hash })).status.code).toBe(13);
  expect((await call(READ, { hash: subUser.hash })).status.code).toBe(13);
  const group = { label: "Desk", privileges: { rights: ["delivery_session_create"] } };
  const { id } = await account.must("/subuser/security_group/create", { group });
  await account.must("/subuser/security_group/assign", { group_id: id, subuser_ids: [subUser.id] });
  expect((await must(READ, { hash: subUser.hash })).value).toBe(value);
  expect((await call(CREATE, { hash: subUser.hash })).status.code).toBe(13);
});

test("a demo user cannot replace its delivery session", async () => {
  const demo = await newAccount({ user: { demo: true } });
  const { value } = await demo.must(CREATE);
  expect((await demo.call(CREATE)).status.code).toBe(101);
  expect((await demo.must(READ)).value).toBe(value);
});

test("a delivery session cannot be made when no tariff of the account has the feature (236)", async () => {
  const account = await newAccount({ plan: { features: ["checkin"] } });
  expect((await account.call(CREATE)).status.code).toBe(236);
});
