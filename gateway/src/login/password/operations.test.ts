import { expect, test } from "vitest";
import { call, must, newAccount } from "#test/tool/call/account.ts";
import { linkedHash, newInactiveUser, newSubUser } from "#test/tool/call/mailbox.ts";

const NEW = "another-one";
const codeOf = async (path: string, parameters: object) => (await call(path, parameters)).status?.code;

async function newLink(user = {}) {
  const account = await newAccount({ user });
  await must("/user/restore_password", { login: account.login });
  return { account, link: await linkedHash(account.login) };
}

test("user/password/set ends every session of the user before it answers; API keys and other users' sessions stay", async () => {
  const [account, other] = [await newAccount(), await newAccount()];
  const { login, password } = account;
  const { value: key } = await account.must("/api/key/create", { title: "ERP" });
  const { hash: second } = await must("/user/auth", { login, password });
  await must("/base/nothing", { hash: second });
  await account.must("/user/password/set", { old_password: password, new_password: NEW });
  expect(await codeOf("/base/nothing", { hash: account.hash })).toBe(4);
  expect(await codeOf("/base/nothing", { hash: second })).toBe(4);
  expect(await codeOf("/user/auth", { login, password })).toBe(102);
  await must("/user/auth", { login, password: NEW });
  await must("/base/nothing", { hash: key.hash });
  await other.must("/base/nothing");
});

test("user/password/set takes the right old password and a different new one only", async () => {
  const { hash, password } = await newAccount();
  const set = (old_password: string, new_password: string) =>
    codeOf("/user/password/set", { hash, old_password, new_password });
  expect(await set("wrong-one", NEW)).toBe(248);
  expect(await set("wrong-one", "wrong-one")).toBe(248);
  expect(await set(password, password)).toBe(245);
  await must("/base/nothing", { hash });
});

test.each(["short", "x".repeat(21), "tab\tinside", null, 123456])(
  "user/password/set and user/password/change refuse the password %j by naming the parameter",
  async (given) => {
    const { account, link } = await newLink();
    const set = await account.call("/user/password/set", { old_password: account.password, new_password: given });
    expect(set).toMatchObject({ status: { code: 7 }, errors: [{ parameter: "new_password" }] });
    const change = await call("/user/password/change", { hash: link, password: given });
    expect(change).toMatchObject({ status: { code: 7 }, errors: [{ parameter: "password" }] });
  },
);

test("user/password/set takes passwords of 6 to 20 characters", async () => {
  const account = await newAccount();
  const short = "äöü 12";
  await account.must("/user/password/set", { old_password: account.password, new_password: short });
  const { hash } = await must("/user/auth", { login: account.login, password: short });
  await must("/user/password/set", { hash, old_password: short, new_password: "x".repeat(20) });
});

test("user/password/set answers 105 after ten wrong old passwords, to the right one too, and checks no more that come at once", async () => {
  const account = await newAccount();
  const set = (old_password: string) => account.call("/user/password/set", { old_password, new_password: NEW });
  const codes = await Promise.all(Array.from({ length: 12 }, async () => (await set("wrong-one")).status.code));
  expect(codes.filter((code) => code === 248)).toHaveLength(10);
  expect(codes.filter((code) => code === 15 || code === 105)).toHaveLength(2);
  expect((await set(account.password)).status.code).toBe(105);
});

test("user/password/set succeeds once when several changes come at once", async () => {
  const { hash, login, password } = await newAccount();
  const wanted = Array.from({ length: 5 }, (_, index) => `another-${index}`);
  const set = (new_password: string) => call("/user/password/set", { hash, old_password: password, new_password });
  const replies = await Promise.all(wanted.map(set));
  expect(replies.filter(({ success }) => success)).toHaveLength(1);
  for (const reply of replies.filter(({ success }) => !success)) expect([4, 248]).toContain(reply.status.code);
  const works = await Promise.all(wanted.map((tried) => call("/user/auth", { login, password: tried })));
  expect(works.map(({ success }) => success)).toEqual(replies.map(({ success }) => success));
});

test("a mailed password link sets a password once, and ends every session", async () => {
  const { account, link } = await newLink();
  for (const path of ["/user/get_info", "/api/key/list", "/user/activate", "/user/password/set"]) {
    expect(await codeOf(path, { hash: link }), path).toBe(4);
  }
  const change = () => call("/user/password/change", { hash: link, password: NEW });
  const replies = await Promise.all(Array.from({ length: 20 }, change));
  expect(replies.filter(({ success }) => success)).toHaveLength(1);
  expect(new Set(replies.filter(({ success }) => !success).map(({ status }) => status.code))).toEqual(new Set([4]));
  expect(await codeOf("/base/nothing", { hash: account.hash })).toBe(4);
  await must("/user/auth", { login: account.login, password: NEW });
});

test("user/password/set ends the password links that were mailed before", async () => {
  const { account, link } = await newLink();
  await account.must("/user/password/set", { old_password: account.password, new_password: NEW });
  expect(await codeOf("/user/password/change", { hash: link, password: "third-one" })).toBe(4);
});

test("user/password/change refuses every hash but that of a mailed password link", async () => {
  const { hash } = await newAccount();
  expect(await codeOf("/user/password/change", { hash, password: NEW })).toBe(4);
  expect(await codeOf("/user/password/change", { password: NEW })).toBe(3);
  const { login } = await newInactiveUser();
  expect(await codeOf("/user/password/change", { hash: await linkedHash(login), password: NEW })).toBe(4);
});

test("user/restore_password answers alike for known and unknown logins, and mails one link in five minutes", async () => {
  const { account, link } = await newLink();
  const [again, ...others] = await Promise.all(
    [account.login, `x${account.login}`, "nobody"].map((login) => call("/user/restore_password", { login })),
  );
  expect(again).toEqual({ success: true });
  expect(others).toEqual([again, again]);
  expect(await linkedHash(account.login)).toBe(link);
});

test("user/restore_password mails no link to a user who is not active and to a demo user", async () => {
  const inactive = await newInactiveUser();
  const activation = await linkedHash(inactive.login);
  await must("/user/restore_password", { login: inactive.login });
  expect(await linkedHash(inactive.login)).toBe(activation);
  const demo = await newAccount({ user: { demo: true } });
  await must("/user/restore_password", { login: demo.login });
  await expect(linkedHash(demo.login)).rejects.toThrow("no mail");
});

test("a sub-user sets and restores its own password, and its master's sessions stay", async () => {
  const account = await newAccount();
  const { hash, login, password } = await newSubUser(account);
  await must("/user/password/set", { hash, old_password: password, new_password: NEW });
  expect(await codeOf("/base/nothing", { hash })).toBe(4);
  await must("/user/restore_password", { login });
  await must("/user/password/change", { hash: await linkedHash(login), password: "third-one" });
  await must("/user/auth", { login, password: "third-one" });
  await account.must("/base/nothing");
});

test("user/password/set refuses to change a demo user's password", async () => {
  const demo = await newAccount({ user: { demo: true } });
  const set = { old_password: demo.password, new_password: NEW };
  expect((await demo.call("/user/password/set", set)).status.code).toBe(101);
});
