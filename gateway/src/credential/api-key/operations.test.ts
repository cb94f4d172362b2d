import { expect, test } from "vitest";
import { call, must, newAccount } from "#test/tool/call/account.ts";

test("an API key works like the session that made it, and api/key/delete ends it at once", async () => {
  const account = await newAccount();
  const { value } = await account.must("/api/key/create", { title: "ERP link" });
  expect(value).toEqual({
    hash: expect.stringMatching(/^[0-9a-f]{32}$/),
    create_date: expect.any(String),
    title: "ERP link",
  });
  const { user_info } = await must("/user/get_info", { hash: value.hash });
  expect(user_info.id).toBe(account.id);
  await account.must("/api/key/delete", { key: value.hash });
  expect((await call("/user/get_info", { hash: value.hash })).status.code).toBe(4);
});

test("api/key/create and api/key/list show which keys permit agents to change something", async () => {
  const account = await newAccount();
  const { value } = await account.must("/api/key/create", { title: "planner", agent_writes: true });
  expect(value.agent_writes).toBe(true);
  await account.must("/api/key/create", { title: "reader" });
  const { list } = await account.must("/api/key/list");
  expect(list.map((key: { agent_writes?: boolean }) => key.agent_writes)).toEqual([true, undefined]);
});

test("api/key/list lists keys in the order of their creation, and the keys outlive the logout", async () => {
  const account = await newAccount();
  const made = [];
  for (const title of ["one", "two"]) made.push((await account.must("/api/key/create", { title })).value);
  expect((await account.must("/api/key/list")).list).toEqual(made);
  await account.must("/user/logout");
  await must("/base/nothing", { hash: made[0].hash });
});

test("an account has at most twenty API keys, however many are created at once", async () => {
  const account = await newAccount();
  const created = await Promise.all(
    Array.from({ length: 30 }, (_, index) => account.call("/api/key/create", { title: `key ${index}` })),
  );
  expect(created.filter(({ success }) => success)).toHaveLength(20);
  expect(created.filter(({ status }) => status?.code === 268)).toHaveLength(10);
  expect((await account.must("/api/key/list")).list).toHaveLength(20);
});

test("an API key cannot manage API keys", async () => {
  const account = await newAccount();
  const { value } = await account.must("/api/key/create", { title: "ERP" });
  for (const [path, parameters] of [
    ["/api/key/create", { title: "x" }],
    ["/api/key/list", {}],
    ["/api/key/delete", { key: value.hash }],
  ] as const) {
    expect((await call(path, { hash: value.hash, ...parameters })).status.code).toBe(4);
  }
});

test("api/key/delete answers another account's key exactly as an unknown one, and the key stays", async () => {
  const [acme, rival] = [await newAccount(), await newAccount()];
  const { value } = await acme.must("/api/key/create", { title: "ERP" });
  const foreign = await rival.call("/api/key/delete", { key: value.hash });
  expect(foreign).toEqual(await rival.call("/api/key/delete", { key: "f".repeat(32) }));
  expect(foreign.status.code).toBe(201);
  await must("/base/nothing", { hash: value.hash });
});

test.each([
  ["", 7],
  ["x".repeat(256), 7],
  ["a\nb", 7],
  ["a\0b", 7],
  [null, 7],
  ["x".repeat(255), undefined],
  ["ключ é 🔑", undefined],
])("api/key/create with the title %j answers error %s", async (title, code) => {
  const account = await newAccount();
  const reply = await account.call("/api/key/create", { title });
  expect(reply.status?.code).toBe(code);
  if (code === 7) expect(reply.errors).toMatchObject([{ parameter: "title" }]);
  else expect(reply.value.title).toBe(title);
});
