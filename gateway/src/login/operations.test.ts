import { randomInt } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { systemNow } from "#shared/time/clock.ts";
import { call, must, newAccount, operator, operatorHash } from "#test/tool/call/account.ts";
import { expectImmediateChange } from "#test/tool/call/immediate-change.ts";
import { stack } from "#test/tool/system/stack.ts";

/** A random address, because failed log-ins are counted by address, too. */
const newAddress = () => ({ "CF-Connecting-IP": `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}` });
const codeOf = async (path: string, parameters: object, headers = {}) =>
  (await call(path, parameters, headers)).status?.code;

test("user/auth finds a user whatever the case of the login, and its hash is good", async () => {
  const { login, password } = await newAccount();
  const { hash } = await must("/user/auth", { login: login.toUpperCase(), password });
  expect(hash).toMatch(/^[0-9a-f]{32}$/);
  await must("/base/nothing", { hash });
});

test("user/auth with GET takes unescaped brackets in a password, forbids caching and logs no password", async () => {
  const { login, id } = await newAccount();
  const password = `[a]{b}-${randomInt(1e9)}`;
  await operator.must("/panel/user/change_password", { user_id: id, password });
  const reply = await getAsWritten(`/user/auth?login=${login}&password=${password}`);
  await must("/base/nothing", { hash: JSON.parse(reply.body).hash });
  expect(reply.headers).toMatchObject({ "cache-control": "no-store", "referrer-policy": "no-referrer" });
  const refused = await getAsWritten(`/user/auth?login=${login}&password=${password}x`);
  expect(JSON.parse(refused.body)).toMatchObject({ success: false, status: { code: 102 } });
  expect(JSON.stringify(await stack.logs())).not.toContain(password);
  const head = await fetch(`${stack.baseUrl}/user/auth?login=${login}&password=x`, { method: "HEAD" });
  expect(head.status).toBe(400);
});

/** Sends the target unchanged: `fetch` would escape some of its characters. */
async function getAsWritten(target: string) {
  const { hostname, port, pathname } = new URL(stack.baseUrl);
  const asked = request({ hostname, port, path: pathname + target }).end();
  const [answer]: [IncomingMessage] = (await once(asked, "response")) as [IncomingMessage]; // what the event is of
  return { headers: answer.headers, body: await text(answer) };
}

test("user/auth answers an unknown login exactly as a wrong password", async () => {
  const { login } = await newAccount();
  const wrong = await call("/user/auth", { login, password: "wrong-one" });
  expect(wrong).toEqual(await call("/user/auth", { login: `x${login}`, password: "wrong-one" }));
  expect(wrong.status.code).toBe(102);
});

test("user/auth works with an ended hash among its parameters", async () => {
  const { login, password } = await newAccount();
  await must("/user/auth", { login, password, hash: "0".repeat(32) });
});

test.each([
  ["password", ""],
  ["password", "x".repeat(41)],
  ["password", "a\tb"],
  ["password", null],
  ["login", 5],
  ["login", null],
  ["login", "a\0b"],
  ["login", "\ud800"],
])("user/auth refuses a %s of %j by naming the parameter", async (parameter, value) => {
  const reply = await call("/user/auth", { login: "nobody@example.com", password: "secret123", [parameter]: value });
  expect(reply).toMatchObject({ status: { code: 7 }, errors: [{ parameter }] });
});

test("user/auth with another dealer's id answers as to a wrong password", async () => {
  const { login, password } = await newAccount();
  await must("/user/auth", { login, password, dealer_id: 1 });
  expect(await codeOf("/user/auth", { login, password, dealer_id: 2 })).toBe(102);
});

test("user/auth answers 103 to a user who is not activated, and only with the right password", async () => {
  const login = `${systemNow()}-${randomInt(1e9)}@example.com`;
  const user = { login, activated: false, legal_type: "individual" };
  await operator.must("/panel/user/create", { user, password: "secret123", time_zone: "UTC", locale: "en" });
  expect(await codeOf("/user/auth", { login, password: "secret123" })).toBe(103);
  expect(await codeOf("/user/auth", { login, password: "secret124" })).toBe(102);
});

test("user/auth answers 105 from the 11th failed try in the window on, also to the right password and for an unknown login", async () => {
  const { login, password } = await newAccount();
  for (const tried of [login, `x${login}`]) {
    const codes: number[] = [];
    const address = newAddress();
    for (let attempt = 0; attempt < 11; attempt++) {
      codes.push(await codeOf("/user/auth", { login: tried, password: "wrong-one" }, address));
    }
    expect(codes).toEqual([...Array(10).fill(102), 105]);
    expect(await codeOf("/user/auth", { login: tried, password }, address)).toBe(105);
  }
  // Another address is still admitted with this login.
  await must("/user/auth", { login, password }, newAddress());
});

test("user/auth answers 105 to the 101st failed try from anywhere, but not at an address from which the login succeeded before", async () => {
  const { login, password } = await newAccount();
  const home = newAddress();
  await must("/user/auth", { login, password }, home);
  const tryFrom = (headers: object) => codeOf("/user/auth", { login, password: "wrong-one" }, headers);
  const codes = await Promise.all(Array.from({ length: 105 }, () => tryFrom(newAddress())));
  expect(codes.filter((code) => code === 102)).toHaveLength(100);
  expect(await codeOf("/user/auth", { login, password }, newAddress())).toBe(105);
  expect(await tryFrom(home)).toBe(102);
  await must("/user/auth", { login, password }, home);
});

test("user/auth opens no session when the password changes during the call", async () => {
  for (let round = 0; round < 4; round++) {
    const { login, password, id } = await newAccount();
    const change = { hash: await operatorHash(), user_id: id, password: "another123" };
    const tries = Array.from({ length: 8 }, () => call("/user/auth", { login, password }));
    const [replies] = await Promise.all([Promise.all(tries), must("/panel/user/change_password", change)]);
    for (const { success, hash, status } of replies) {
      expect(success ? await codeOf("/base/nothing", { hash }) : status.code).toBe(success ? 4 : 102);
    }
  }
});

test("user/auth checks no more wrong passwords that come at once than in a row", async () => {
  const { login, password } = await newAccount();
  const address = newAddress();
  const tries = Array.from({ length: 20 }, () => codeOf("/user/auth", { login, password: "wrong-one" }, address));
  const codes = await Promise.all(tries);
  expect(codes.filter((code) => code === 102)).toHaveLength(10);
  expect(await codeOf("/user/auth", { login, password }, address)).toBe(105);
});

test("user/auth answers 104 to the 101st live session, also when many log in at once, until a logout ends one", async () => {
  const { id, login, password, hash } = await newAccount();
  await stack.addSessions(id, 93);
  const logins = await Promise.all(Array.from({ length: 10 }, () => codeOf("/user/auth", { login, password })));
  expect(logins.toSorted()).toEqual([...Array(4).fill(104), ...Array(6).fill(undefined)]);
  await must("/user/logout", { hash });
  await must("/user/auth", { login, password });
});

test("user/auth answers 104 before it checks the password, so that a wrong one is no failure; 105 and a wrong dealer come first", async () => {
  const { id, login, password, hash } = await newAccount();
  const [address, guesser] = [newAddress(), newAddress()];
  for (let wrong = 0; wrong < 10; wrong++) await codeOf("/user/auth", { login, password: "wrong-one" }, guesser);
  await stack.addSessions(id, 99);
  for (let wrong = 0; wrong < 11; wrong++) {
    expect(await codeOf("/user/auth", { login, password: "wrong-one" }, address)).toBe(104);
  }
  expect(await codeOf("/user/auth", { login, password }, guesser)).toBe(105);
  expect(await codeOf("/user/auth", { login, password, dealer_id: 2 }, address)).toBe(102);
  await must("/user/logout", { hash });
  await must("/user/auth", { login, password }, address);
});

test("user/logout ends the hash on every connection before it answers", async () => {
  const { hash } = await newAccount();
  await must("/user/logout", { hash });
  const codes = await Promise.all(Array.from({ length: 20 }, () => codeOf("/base/nothing", { hash })));
  expect(new Set(codes)).toEqual(new Set([4]));
});

test("user/logout lets no call through that began after its answer, while others are under way", async () => {
  const { hash } = await newAccount();
  const passes = async () => (await codeOf("/base/nothing", { hash })) === undefined;
  await expectImmediateChange(passes, () => must("/user/logout", { hash }));
});

test("a delegated session ends by its own logout, and by that alone", async () => {
  const { hash, id } = await newAccount();
  const delegated = await operator.must("/panel/user/session/create", { user_id: id });
  expect(await codeOf("/user/session/renew", { hash: delegated.hash })).toBe(4);
  await must("/user/logout", { hash: delegated.hash });
  expect(await codeOf("/base/nothing", { hash: delegated.hash })).toBe(4);
  await must("/base/nothing", { hash });
});

test("user/session/renew and user/logout refuse an API key (4)", async () => {
  const account = await newAccount();
  const { value } = await account.must("/api/key/create", { title: "ERP" });
  await account.must("/user/session/renew");
  expect(await codeOf("/user/session/renew", { hash: value.hash })).toBe(4);
  expect(await codeOf("/user/logout", { hash: value.hash })).toBe(4);
});
