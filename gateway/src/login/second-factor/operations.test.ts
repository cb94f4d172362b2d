import { TOTP } from "otpauth";
import { expect, test, vi } from "vitest";
import { mapConcurrently } from "#shared/background/map-concurrently.ts";
import { systemNow, writeLocal } from "#shared/time/clock.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import { type Account, call, must, newAccount, operator, operatorHash, type Reply } from "#test/tool/call/account.ts";
import { mailedCode, newPendingLogin, newSubUser } from "#test/tool/call/mailbox.ts";
import { stack } from "#test/tool/system/stack.ts";

const codeOf = async (path: string, parameters: object) => (await call(path, parameters)).status?.code;
/** A code of six digits that differs from `code`. */
const wrongFor = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");

test("user/auth with the second step on answers a hash that opens nothing but the second step", async () => {
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

test("user/auth/code/verify opens one session with the mailed code, however many calls try it at once", async () => {
  const { account, hash } = await newPendingLogin();
  const code = await mailedCode(account.login);
  const replies = await Promise.all(Array.from({ length: 10 }, () => call("/user/auth/code/verify", { hash, code })));
  const opened = replies.filter(({ success }) => success);
  expect(opened).toHaveLength(1);
  expect(replies.filter(({ status }) => status?.code === 4)).toHaveLength(9);
  await must("/user/session/renew", { hash: opened[0].hash });
});

test("user/auth/code/verify answers 282 to nine wrong codes and takes the right one as the tenth", async () => {
  const { account, hash } = await newPendingLogin();
  const code = await mailedCode(account.login);
  for (let tried = 0; tried < 9; tried++) {
    expect(await codeOf("/user/auth/code/verify", { hash, code: wrongFor(code) })).toBe(282);
  }
  await must("/user/auth/code/verify", { hash, code });
});

test("user/auth/code/verify ends the log-in after ten wrong codes, also when more come at once", async () => {
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

test("user/auth/code/verify answers 105 after thirty wrong codes of a user, in however many log-ins", async () => {
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

test("a user has at most ten log-ins that wait for a code, and gets no mail for more", async () => {
  const { account } = await newPendingLogin();
  const { login, password } = account;
  const replies = await mapConcurrently(Array(12).fill({ login, password }), (given) => call("/user/auth", given), 6);
  expect(replies.filter(({ success }) => success)).toHaveLength(9);
  expect(replies.filter(({ status }) => status?.code === 105)).toHaveLength(3);
});

test("user/auth/code/resend mails a new code once in five minutes, and the code before ends", async () => {
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

test("user/auth/code/verify refuses a user who was blocked between the steps", async () => {
  const { account, hash } = await newPendingLogin();
  const code = await mailedCode(account.login);
  const block = { hash: await operatorHash(), user_id: account.id, block_status: "BLOCK_LOGIN" };
  await must("/panel/user/update", block);
  expect(await codeOf("/user/auth/code/verify", { hash, code })).toBe(4);
});

test("user/auth/code/verify refuses the code of another log-in", async () => {
  const [one, other] = [await newPendingLogin(), await newPendingLogin()];
  const code = await mailedCode(one.account.login);
  if (code !== (await mailedCode(other.account.login))) {
    expect(await codeOf("/user/auth/code/verify", { hash: other.hash, code })).toBe(282);
  }
});

test("an API key neither turns the second step on nor off, and needs no second step", async () => {
  const { account } = await newPendingLogin();
  const { value } = await account.must("/api/key/create", { title: "ERP" });
  expect(await codeOf("/user/settings/update", { hash: value.hash, second_factor: "none" })).toBe(4);
  await must("/user/get_info", { hash: value.hash });
  await account.must("/user/settings/update", { second_factor: "none", password: account.password });
  const { login, password } = account;
  expect(await must("/user/auth", { login, password })).toEqual({ success: true, hash: expect.any(String) });
});

/** The authenticator's code now, or `steps` half minutes later. */
const shown = (secret: string, steps = 0) => new TOTP({ secret }).generate({ timestamp: systemNow() + steps * 30_000 });
/** Waits until five seconds of the half minute are left: a code must not expire before the call. */
const earlyInTheHalfMinute = () => vi.waitUntil(() => TOTP.remaining() > 5000, { timeout: 120_000, interval: 200 });

/** A user whose log-in takes a TOTP code; the code of the half minute before is used. */
async function newTimed(account: Pick<Account, "hash" | "login" | "password">) {
  const { hash, login, password } = account;
  const { secret, uri } = await must("/user/settings/second_factor/totp/create", { hash });
  await earlyInTheHalfMinute();
  await must("/user/settings/update", { hash, second_factor: "totp", code: shown(secret, -1) });
  const begin = async (): Promise<string> => (await must("/user/auth", { login, password })).hash;
  return { secret, uri, begin };
}

test("an authenticator's codes are turned on by one of them and then asked for at log-in, each code once", async () => {
  const account = await newAccount();
  const path = "/user/settings/update";
  expect((await account.call(path, { second_factor: "totp", code: "123456" })).status.code).toBe(201);
  const { secret, uri } = await account.must("/user/settings/second_factor/totp/create");
  const { searchParams, pathname } = new URL(uri);
  const { paas_settings } = await account.must("/user/get_info");
  expect(Object.fromEntries(searchParams)).toMatchObject({ secret, issuer: paas_settings.service_title });
  expect(decodeURIComponent(pathname)).toContain(account.login);
  expect((await account.call(path, { second_factor: "totp" })).errors).toMatchObject([{ parameter: "code" }]);
  await earlyInTheHalfMinute();
  for (const wrong of [wrongFor(shown(secret)), shown(secret, -2), shown(secret, 2), ""]) {
    expect((await account.call(path, { second_factor: "totp", code: wrong })).status.code, wrong).toBe(282);
  }
  const { login, password } = account;
  expect(await must("/user/auth", { login, password })).toEqual({ success: true, hash: expect.any(String) });
  await account.must(path, { second_factor: "totp", code: shown(secret, -1) });

  // Settings may be sent back unchanged, with second_factor in them.
  const { settings } = await account.must("/user/settings/read");
  expect(settings.second_factor).toBe("totp");
  await account.must(path, settings);
  expect((await account.call("/user/settings/second_factor/totp/create")).status.code).toBe(265);

  const begun = await must("/user/auth", { login, password });
  expect(begun).toEqual({
    ...{ success: true, type: "second_factor_required", factor_type: "totp" },
    hash: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  const { hash } = begun;
  expect(await codeOf("/user/auth/code/resend", { hash })).toBe(230);
  expect(await codeOf("/user/auth/code/verify", { hash, code: shown(secret, -1) })).toBe(282);
  expect(await codeOf("/user/auth/code/verify", { hash, code: wrongFor(shown(secret)) })).toBe(282);
  const opened = await must("/user/auth/code/verify", { hash, code: shown(secret) });
  await must("/user/session/renew", { hash: opened.hash });

  // An open session alone cannot turn the second step off: it takes the password or a code.
  for (const wrong of [{}, { password: "wrong-one" }, { code: wrongFor(shown(secret, 1)) }]) {
    expect((await account.call(path, { second_factor: "none", ...wrong })).status.code).toBe(102);
    expect((await account.call(path, { second_factor: "email", ...wrong })).status.code).toBe(102);
  }
  await account.must(path, { second_factor: "none", code: shown(secret, 1) });
  await must("/user/session/renew", { hash: (await must("/user/auth", { login, password })).hash });
  const { secret: other } = await account.must("/user/settings/second_factor/totp/create");
  expect(other).not.toBe(secret);
});

test("an authenticator's code opens one session, however many log-ins of the user try it at once", async () => {
  const { secret, begin } = await newTimed(await newAccount());
  const hashes = await Promise.all(Array.from({ length: 8 }, begin));
  const code = shown(secret);
  const codes = await Promise.all(hashes.map((hash) => codeOf("/user/auth/code/verify", { hash, code })));
  expect(codes.filter((one) => one === undefined)).toHaveLength(1);
  expect(codes.filter((one) => one === 282)).toHaveLength(7);
  // The code of the next half minute is unused.
  const waiting = hashes.find((_, index) => codes[index] === 282);
  await must("/user/auth/code/verify", { hash: waiting, code: shown(secret, 1) });
});

test("an authenticator's code turns the second step on once, however many calls try it at once", async () => {
  const account = await newAccount();
  const { secret } = await account.must("/user/settings/second_factor/totp/create");
  await earlyInTheHalfMinute();
  const parameters = { second_factor: "totp", code: shown(secret) };
  await Promise.all(Array.from({ length: 6 }, () => account.call("/user/settings/update", parameters)));
  const { login, password } = account;
  const { hash } = await must("/user/auth", { login, password });
  expect(await codeOf("/user/auth/code/verify", { hash, code: parameters.code })).toBe(282);
  await must("/user/auth/code/verify", { hash, code: shown(secret, 1) });
});

test("an authenticator's codes have the same limits on wrong tries as mailed ones", async () => {
  const account = await newAccount();
  const { secret, begin } = await newTimed(account);
  for (let begun = 0; begun < 3; begun++) {
    const hash = await begin();
    const tries = Array.from({ length: 12 }, () =>
      codeOf("/user/auth/code/verify", { hash, code: wrongFor(shown(secret)) }),
    );
    const codes = await Promise.all(tries);
    expect(codes.filter((one) => one === 282)).toHaveLength(10);
    expect(await codeOf("/user/auth/code/verify", { hash, code: shown(secret) })).toBe(4);
  }
  const { login, password } = account;
  expect(await codeOf("/user/auth", { login, password })).toBe(105);
});

test("a sub-user has an authenticator of its own; the master resets a sub-user's, an operator a master's", async () => {
  const account = await newAccount();
  const subUser = await newSubUser(account);
  const codes = await newTimed(subUser);
  const { hash } = await must("/user/auth/code/verify", { hash: await codes.begin(), code: shown(codes.secret) });
  await must("/user/session/renew", { hash });
  await account.must("/subuser/update", { user: { id: subUser.id, second_factor: "none" } });
  const { login, password } = subUser;
  expect(await must("/user/auth", { login, password })).not.toHaveProperty("type");

  const { begin } = await newTimed(account);
  await begin();
  await operator.must("/panel/user/update", { user_id: account.id, second_factor: "none" });
  expect(await must("/user/auth", { login: account.login, password: account.password })).not.toHaveProperty("type");
});

test("an authenticator's key and codes are in no log", async () => {
  const account = await newAccount();
  const { secret, uri, begin } = await newTimed(account);
  const code = shown(secret);
  await must("/user/auth/code/verify", { hash: await begin(), code });
  const [from, to] = [-1, 1].map((days) => writeLocal(systemNow() + days * DAY_MS, "Europe/Berlin"));
  const { list } = await account.must("/user/audit/log/list", { from, to });
  expect(list.map(({ action }: Reply) => action)).toEqual(expect.arrayContaining(["totp_create", "settings_update"]));
  const logged = JSON.stringify([list, await stack.logs()]);
  for (const hidden of [secret, uri, `"${code}"`]) expect(logged).not.toContain(hidden);
});
