import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { call, must, newAccount, operator, type Reply, UNKNOWN_ID } from "#test/tool/call/account.ts";

const codeOf = async (path: string, parameters: object) => (await call(path, parameters)).status?.code;

test("user/session/list shows where each session was made, which one is the caller's, and API keys by title", async () => {
  const account = await newAccount();
  const { login, password } = account;
  const host = `10.9.${randomInt(256)}.${randomInt(256)}`;
  const { hash } = await must("/user/auth", { login, password }, { "CF-Connecting-IP": host, "User-Agent": "Phone/1" });
  await account.must("/api/key/create", { title: "ERP" });
  await operator.must("/panel/user/session/create", { user_id: account.id });
  const { list } = await must("/user/session/list", { hash });
  expect(list.map(({ kind, title, current }: Reply) => [kind, title, current])).toEqual([
    ["session", undefined, false],
    ["session", undefined, true],
    ["api_key", "ERP", false],
    ["delegated", undefined, false],
  ]);
  expect(list[1]).toMatchObject({ host, user_agent: "Phone/1" });
  expect(list[2].expires).toBeNull();
  expect(new Set(list.map(({ id }: Reply) => id)).size).toBe(4);
  expect(JSON.stringify(list)).not.toContain(hash);
});

test("user/session/list shows the categories of notifications of a session that has a push token, without the token", async () => {
  const account = await newAccount();
  const token = { application: "vendor_android_viewer", token: "secret-token", category_filter: "history_rule" };
  await account.must("/user/session/push_token/bind", token);
  const { list } = await account.must("/user/session/list");
  const push = { application: "vendor_android_viewer", category_filter: "history_rule" };
  expect(list).toMatchObject([{ current: true, push }]);
  expect(JSON.stringify(list)).not.toContain("secret-token");
  await account.must("/user/session/push_token/delete");
  expect((await account.must("/user/session/list")).list[0]).not.toHaveProperty("push");
});

test("user/session/delete ends a session at once, whoever made it, and leaves the others", async () => {
  const account = await newAccount();
  const { login, password } = account;
  const own = await must("/user/auth", { login, password });
  const made = await operator.must("/panel/user/session/create", { user_id: account.id });
  const { list } = await account.must("/user/session/list");
  for (const { id, current } of list) if (!current) await account.must("/user/session/delete", { session_id: id });
  for (const { hash } of [own, made]) expect(await codeOf("/base/nothing", { hash })).toBe(4);
  expect((await account.must("/user/session/list")).list).toHaveLength(1);
});

test("user/session/delete answers 201 to a key, a foreign session and an unknown one; only a log-in's session may call it", async () => {
  const [account, other] = [await newAccount(), await newAccount()];
  const { value: key } = await account.must("/api/key/create", { title: "ERP" });
  const { list } = await account.must("/user/session/list");
  const [foreign] = (await other.must("/user/session/list")).list;
  const idOfKey = list.find(({ kind }: Reply) => kind === "api_key").id;
  for (const session_id of [idOfKey, foreign.id, UNKNOWN_ID]) {
    expect((await account.call("/user/session/delete", { session_id })).status.code).toBe(201);
  }
  await must("/base/nothing", { hash: key.hash });
  await other.must("/base/nothing");
  const made = await operator.must("/panel/user/session/create", { user_id: account.id });
  for (const hash of [key.hash, made.hash]) {
    expect(await codeOf("/user/session/list", { hash })).toBe(4);
    expect(await codeOf("/user/session/delete", { hash, session_id: list[0].id })).toBe(4);
  }
});
