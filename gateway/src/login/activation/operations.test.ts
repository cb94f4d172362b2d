import { expect, test } from "vitest";
import { call, must, newAccount, type Reply, UNKNOWN_ID } from "#test/tool/call/account.ts";
import { linkedHash, mailTo, newInactiveUser } from "#test/tool/call/mailbox.ts";
import { stack } from "#test/tool/system/stack.ts";

const codeOf = async (path: string, parameters: object) => (await call(path, parameters)).status?.code;

test("user/activate with the mailed link activates the user, verifies the address and ends the link's hash", async () => {
  const { login, password } = await newInactiveUser();
  const hash = await linkedHash(login);
  expect(await codeOf("/user/auth", { login, password })).toBe(103);
  await must("/user/activate", { hash });
  const { hash: session } = await must("/user/auth", { login, password });
  expect((await must("/user/get_info", { hash: session })).user_info.verified).toBe(true);
  for (const path of ["/user/activate", "/api/key/list"]) expect(await codeOf(path, { hash })).toBe(4);
});

test("user/activate succeeds for exactly one of twenty calls with one link at once", async () => {
  const { login } = await newInactiveUser();
  const hash = await linkedHash(login);
  const replies = await Promise.all(Array.from({ length: 20 }, () => call("/user/activate", { hash })));
  expect(replies.filter(({ success }) => success)).toHaveLength(1);
  expect(new Set(replies.filter(({ success }) => !success).map(({ status }) => status.code))).toEqual(new Set([4]));
});

test("the activation link's hash is good for making and listing API keys, and for nothing else", async () => {
  const { login, id } = await newInactiveUser();
  const hash = await linkedHash(login);
  const { value } = await must("/api/key/create", { hash, title: "ERP" });
  expect((await must("/api/key/list", { hash })).list).toHaveLength(1);
  for (const path of ["/user/get_info", "/vehicle/list", "/user/logout", "/user/password/change", "/base/nothing"]) {
    expect(await codeOf(path, { hash, password: "secret124" }), path).toBe(4);
  }
  await must("/user/activate", { hash });
  expect((await must("/user/get_info", { hash: value.hash })).user_info.id).toBe(id);
});

test("user/activate refuses every hash but the mailed one", async () => {
  const account = await newAccount();
  const { value } = await account.must("/api/key/create", { title: "ERP" });
  expect(await codeOf("/user/activate", { hash: account.hash })).toBe(4);
  expect(await codeOf("/user/activate", { hash: value.hash })).toBe(4);
  expect(await codeOf("/user/activate", {})).toBe(3);
});

test("user/resend_activation mails a second link at once and a third after five minutes; either activates, and both end", async () => {
  const { login } = await newInactiveUser();
  const first = await linkedHash(login);
  await must("/user/resend_activation", { login: login.toUpperCase() });
  const second = await linkedHash(login);
  expect(second).not.toBe(first);
  const refused: Reply = await call("/user/resend_activation", { login });
  expect(refused).toMatchObject({ status: { code: 264 }, timeout: "PT5M" });
  expect(refused.remainder).toMatch(/^PT4M(5\d|4\d)(\.\d{1,3})?S$/);
  await must("/user/activate", { hash: first });
  expect(await codeOf("/user/activate", { hash: second })).toBe(4);
});

test("an API key that is made with the mailed link is good once the user is activated", async () => {
  const hash = await linkedHash((await newInactiveUser()).login);
  const { value: key } = await must("/api/key/create", { hash, title: "ERP" });
  expect(await codeOf("/vehicle/list", { hash: key.hash })).toBe(4);
  await must("/user/activate", { hash });
  await must("/vehicle/list", { hash: key.hash });
});

test("user/resend_activation sends one mail when twenty calls come at once", async () => {
  const { login } = await newInactiveUser();
  const replies = await Promise.all(Array.from({ length: 20 }, () => call("/user/resend_activation", { login })));
  expect(replies.filter(({ success }) => success)).toHaveLength(1);
  expect(replies.filter(({ status }) => status?.code === 264)).toHaveLength(19);
});

test("user/resend_activation answers 201 to an unknown login and 265 to an active user", async () => {
  const { login } = await newAccount();
  expect(await codeOf("/user/resend_activation", { login: `x${login}` })).toBe(201);
  expect(await codeOf("/user/resend_activation", { login })).toBe(265);
  const unverified = await newAccount({ user: { verified: false } });
  await must("/user/resend_activation", { login: unverified.login });
  await must("/user/activate", { hash: await linkedHash(unverified.login) });
  expect(await codeOf("/user/resend_activation", { login: unverified.login })).toBe(265);
});

test.each([5, null, "x".repeat(256), { id: UNKNOWN_ID }])(
  "user/resend_activation refuses the login %j by naming the parameter",
  async (login) => {
    expect(await call("/user/resend_activation", { login })).toMatchObject({
      status: { code: 7 },
      errors: [{ parameter: "login" }],
    });
  },
);

test("the activation mail and its page are in the user's language, and the page loads nothing from other hosts", async () => {
  const { login } = await newInactiveUser(undefined, { locale: "de_AT", user: { first_name: "Eva" } });
  const mail = await mailTo(login);
  expect(mail.text).toContain("Hallo Eva,");
  expect(mail.html).toContain("Hallo Eva,");
  const page = await open(await linkedHash(login));
  expect(page.text).toContain("Aktivieren");
  expect(page.text).toContain('"user/activate"');
  expect(page.text).not.toMatch(/src=|<link|href="(?!\/")/);
  expect(page.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
  expect(page.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
  expect(page.headers.get("Referrer-Policy")).toBe("no-referrer");
});

test("the activation page does not use up the link, and says so when the link's hash has ended", async () => {
  const { login } = await newInactiveUser();
  const hash = await linkedHash(login);
  await open(hash);
  await must("/user/activate", { hash });
  for (const ended of [hash, "0".repeat(32), "<script>"]) {
    const { text } = await open(ended);
    expect(text).toContain("This link has ended");
    expect(text).not.toContain("<form");
    expect(text).not.toContain(ended);
  }
});

async function open(hash: string) {
  const answer = await fetch(`${stack.baseUrl}/activate?hash=${encodeURIComponent(hash)}`);
  expect(answer.status).toBe(200);
  return { text: await answer.text(), headers: answer.headers };
}
