import { expect, test } from "vitest";
import { call, must, newAccount, operatorHash } from "../../../test/account.ts";
import { mailedCode, newPendingLogin } from "../../../test/mailbox.ts";

const codeOf = async (path: string, parameters: object) => (await call(path, parameters)).status?.code;
/** Six digits, but not these. */
const wrongFor = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");

test("with the second step on, the password alone opens nothing but the step", async () => {
  const account = await newAccount();
  await account.must("/user/settings/update", { second_factor: "email" });
  const { login, password } = account;
  const reply = await must("/user/auth", { login, password });
  expect(reply).toEqual({
    ...{ success: true, type: "second_factor_required", factor_type: "email" },
    hash: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  for (const path of ["/user/get_info", "/base/nothing", "/user/logout", "/user/session/renew", "/api/key/list"]) {
    expect(await codeOf(path, { hash: reply.hash }), path).toBe(4);
  }
  expect(await codeOf("/user/auth", { login, password: "wrong-one" })).toBe(102);
});

test("the mailed code opens a session, once, however many try it at once", async () => {
  const { account, hash } = await newPendingLogin();
  const code = await mailedCode(account.login);
  const replies = await Promise.all(Array.from({ length: 10 }, () => call("/user/auth/code/verify", { hash, code })));
  const opened = replies.filter(({ success }) => success);
  expect(opened).toHaveLength(1);
  expect(replies.filter(({ status }) => status?.code === 4)).toHaveLength(9);
  await must("/user/session/renew", { hash: opened[0].hash });
});

test("nine wrong codes are 282 and leave the tenth try to the right one", async () => {
  const { account, hash } = await newPendingLogin();
  const code = await mailedCode(account.login);
  for (let tried = 0; tried < 9; tried++) {
    expect(await codeOf("/user/auth/code/verify", { hash, code: wrongFor(code) })).toBe(282);
  }
  await must("/user/auth/code/verify", { hash, code });
});

test("ten wrong codes end the log-in, also when they come at once with more", async () => {
  const { account, hash } = await newPendingLogin();
  const code = await mailedCode(account.login);
  const tries = Array.from({ length: 20 }, () => codeOf("/user/auth/code/verify", { hash, code: wrongFor(code) }));
  const codes = await Promise.all(tries);
  expect(codes.filter((one) => one === 282)).toHaveLength(10);
  expect(codes.filter((one) => one === 4)).toHaveLength(10);
  expect(await codeOf("/user/auth/code/verify", { hash, code })).toBe(4);
  const { login, password } = account;
  await must("/user/auth", { login, password });
});

test("thirty wrong codes for a user, in however many log-ins, are 105", async () => {
  const { account } = await newPendingLogin();
  const { login, password } = account;
  for (let begun = 0; begun < 3; begun++) {
    const { hash } = await must("/user/auth", { login, password });
    const code = await mailedCode(login);
    const tries = Array.from({ length: 10 }, () => codeOf("/user/auth/code/verify", { hash, code: wrongFor(code) }));
    expect(new Set(await Promise.all(tries))).toEqual(new Set([282]));
  }
  expect(await codeOf("/user/auth", { login, password })).toBe(105);
});

test("a user has ten log-ins that wait for a code at most, and no more mails", async () => {
  const { account } = await newPendingLogin();
  const { login, password } = account;
  const replies = await Promise.all(Array.from({ length: 12 }, () => call("/user/auth", { login, password })));
  expect(replies.filter(({ success }) => success)).toHaveLength(9);
  expect(replies.filter(({ status }) => status?.code === 105)).toHaveLength(3);
});

test("a new code is mailed once in five minutes, and the one before ends", async () => {
  const { account, hash } = await newPendingLogin();
  const first = await mailedCode(account.login);
  const replies = await Promise.all(Array.from({ length: 5 }, () => call("/user/auth/code/resend", { hash })));
  expect(replies.filter(({ success }) => success)).toHaveLength(1);
  const refused = replies.filter(({ success }) => !success);
  expect(refused[0]).toMatchObject({ status: { code: 264 }, timeout: "PT5M" });
  const second = await mailedCode(account.login);
  if (second !== first) expect(await codeOf("/user/auth/code/verify", { hash, code: first })).toBe(282);
  await must("/user/auth/code/verify", { hash, code: second });
});

test("a user blocked between the steps does not get in", async () => {
  const { account, hash } = await newPendingLogin();
  const code = await mailedCode(account.login);
  const block = { hash: await operatorHash(), user_id: account.id, block_status: "BLOCK_LOGIN" };
  await must("/panel/user/update", block);
  expect(await codeOf("/user/auth/code/verify", { hash, code })).toBe(275);
});

test("one log-in's code does not open another", async () => {
  const [one, other] = [await newPendingLogin(), await newPendingLogin()];
  const code = await mailedCode(one.account.login);
  if (code !== (await mailedCode(other.account.login))) {
    expect(await codeOf("/user/auth/code/verify", { hash: other.hash, code })).toBe(282);
  }
});

test("an API key neither turns the second step on nor off, and needs none", async () => {
  const { account } = await newPendingLogin();
  const { value } = await account.must("/api/key/create", { title: "ERP" });
  expect(await codeOf("/user/settings/update", { hash: value.hash, second_factor: "none" })).toBe(4);
  await must("/user/get_info", { hash: value.hash });
  await account.must("/user/settings/update", { second_factor: "none" });
  const { login, password } = account;
  expect(await must("/user/auth", { login, password })).toEqual({ success: true, hash: expect.any(String) });
});
