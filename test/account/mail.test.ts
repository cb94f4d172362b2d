import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Accounts, accountsOn, type Reply } from "../tool/call/account.ts";
import { linkedHash, mailTo, newInactiveUser, newPendingLogin } from "../tool/call/mailbox.ts";
import { listenOnLoopback } from "../tool/listen.ts";
import { startSystem } from "../tool/system/system.ts";
import { waitUntil } from "../tool/wait.ts";

// The system posts its mail to this file's receiver, so no other test can share it.
let system: Awaited<ReturnType<typeof startSystem>>;
let accounts: Accounts;
let receiver: Awaited<ReturnType<typeof startReceiver>>;

beforeAll(async () => {
  receiver = await startReceiver();
  system = await startSystem({ MAIL_URL: receiver.url });
  accounts = accountsOn(system);
});

beforeEach(() => receiver.answerWith(202));

afterAll(async () => {
  await system?.stop();
  receiver?.stop();
});

test("a mail is posted at once, exactly once, with the text that panel/mail/list shows but for its hash", async () => {
  const { login } = await newInactiveUser(accounts, { locale: "de_DE" });
  await waitUntil("the mail was posted", () => receiver.to(login).length > 0);
  const [{ text = "", html = "" } = {}] = receiver.to(login);
  const hash = /[0-9a-f]{32}/.exec(text)?.[0] ?? "";
  const { subject, ...listed } = await mailTo(login, accounts);
  expect(receiver.to(login)).toEqual([{ to: login, subject, text, html }]);
  // A hash that opens an account is for the reader of the mail alone.
  expect(listed).toMatchObject({ text: text.replaceAll(hash, "…"), html: html.replaceAll(hash, "…") });
  await expectOver(login, 1);
});

test("a resent activation mail is there when the call is answered", async () => {
  const { login } = await newInactiveUser(accounts);
  await accounts.must("/user/resend_activation", { login });
  expect(receiver.to(login).some(({ text }) => text.includes("/activate?hash="))).toBe(true);
});

test.each([400, 404, 422, 499])(
  "a mail that the receiver refuses with %d is 209 and not tried again",
  async (status) => {
    const { login } = await newInactiveUser(accounts);
    await waitUntil("the mail was posted", () => receiver.to(login).length === 1);
    receiver.answerWith(status);
    expect((await accounts.call("/user/resend_activation", { login })).status.code).toBe(209);
    await expectOver(login, 2);
  },
);

test("a mail that could not be sent is kept and tried again, five seconds later at the earliest", async () => {
  const logins: string[] = [];
  for (const answer of [500, 503, 429, 408, 302, "nothing"] as const) {
    receiver.answerWith(answer);
    const { login } = await newInactiveUser(accounts);
    await waitUntil("the mail was posted", () => receiver.to(login).length === 1);
    logins.push(login);
  }
  receiver.answerWith(202);
  await system.moveClock(6);
  const sendAgain = async () => {
    await system.fireCron("gateway");
    return logins.every((login) => receiver.to(login).length === 2);
  };
  await waitUntil("the cron sent all mails again", sendAgain);
  for (const login of logins) {
    const hash = await linkedHash(login, accounts);
    expect(receiver.to(login).every(({ text }) => text.includes(hash))).toBe(true);
    await expectOver(login, 2);
  }
});

test("a restore mail and a code are posted, too; an unknown login gets none", async () => {
  const { account } = await newPendingLogin(accounts);
  await waitUntil("the code was posted", () => receiver.to(account.login).length === 1);
  await accounts.must("/user/restore_password", { login: account.login });
  await waitUntil("the restore mail was posted", () => receiver.to(account.login).length === 2);
  await accounts.must("/user/restore_password", { login: `x${account.login}` });
  expect(receiver.to(`x${account.login}`)).toEqual([]);
});

test("the log of refused mails holds no address, no link and no code", async () => {
  receiver.answerWith(400);
  const { login } = await newInactiveUser(accounts);
  await waitUntil("the mail was posted", () => receiver.to(login).length === 1);
  const log = JSON.stringify(await waitUntil("the refusal was logged", loggedRefusals, ({ length }) => length > 0));
  expect(log).not.toMatch(/@|activate\?|[0-9a-f]{32}/);
});

async function loggedRefusals() {
  return (await system.logs()).filter(({ message }) => /"mail":\d+,"outcome":"refused"/.test(message));
}

/** Expects that the cron, which sends due mail, sends the login no more than `count` mails in all. */
async function expectOver(login: string, count: number) {
  await system.fireCron("gateway");
  expect(receiver.to(login)).toHaveLength(count);
}

/** Starts the service to which a system posts its mail. */
async function startReceiver() {
  const mails: Reply[] = [];
  let answer: number | "nothing" = 202;
  const server = createServer(async (request, response) => {
    const given = answer;
    mails.push(await json(request));
    if (given === "nothing") return void response.destroy();
    response.writeHead(given, given === 302 ? { Location: "/elsewhere" } : {}).end();
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}/send`,
    to: (login: string): Reply[] => mails.filter(({ to }) => to === login),
    answerWith(status: number | "nothing") {
      answer = status;
    },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
