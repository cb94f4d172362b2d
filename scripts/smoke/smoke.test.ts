import { execFile } from "node:child_process";
import { randomInt } from "node:crypto";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Accounts, accountsOn, type Reply } from "#test/tool/call/account.ts";
import { OPERATOR } from "#test/tool/system/operator.ts";
import { startNewSystem } from "#test/tool/system/system.ts";
import { waitUntil } from "#test/tool/wait.ts";
import { ROOT, WORKERS } from "../workers.ts";
import { runSmoke } from "./run-smoke.ts";

const CREDENTIALS = { SMOKE_LOGIN: OPERATOR.login, SMOKE_PASSWORD: OPERATOR.password };
const STEPS = [
  ...["sign in the operator", "create an account", "sign in", "register a tracker", "open the socket", "send points"],
  ...["receive an event", "read the track", "upload a photo", "download the photo", "make a check-in", "make a report"],
  "remove everything",
];
/** Tables with the ids of what was removed, and with entries of the operator. */
const MEMORIES = ["removed_user", "audit"];

let system: Awaited<ReturnType<typeof startNewSystem>>;
let accounts: Accounts;

beforeAll(async () => {
  // Rows are counted: no other test may have left some to be removed.
  system = await startNewSystem();
  accounts = accountsOn(system);
});

afterAll(() => system?.stop());

test("smoke tries every step of an installation, prints its duration and leaves nothing behind", async () => {
  await runProgram(); // makes the tariff of smoke tests, which stays
  const before = await sweepUntilUnchanged();
  const { code, stdout, stderr } = await runProgram();
  expect([code, stderr]).toEqual([0, ""]);
  const lines: string[] = stdout.trimEnd().split("\n");
  expect(lines.map((line) => /^(.+?) +\d+ ms$/.exec(line)?.[1])).toEqual(STEPS);
  await waitUntil("nothing of the account is left", sweepAndCount, (after) => isSame(after, before));
});

test("smoke names the step that failed with its code and request id, and removes its account nevertheless", async () => {
  await runProgram();
  const before = await listVisible();
  await system.takeDown("tasks");
  const broken = await runProgram();
  await system.bringUp("tasks");
  expect(broken.code).toBe(1);
  expect(broken.stderr).toMatch(
    /^The smoke test failed to upload a photo: \/checkin\/image\/create answered 14 \(Service or database unavailable, try again later\), request id [\w-]{20,}\.\n$/,
  );
  expect(broken.stdout).toMatch(/upload a photo +\d+ ms\nremove everything +\d+ ms\n$/);
  expect(await listVisible()).toEqual(before);
});

test("smoke removes its account when it is interrupted", async () => {
  await runProgram();
  const before = await listVisible();
  const interruption = new AbortController();
  const print = (line: string) => {
    if (line.startsWith("register a tracker")) interruption.abort(new Error("interrupted"));
  };
  const failures = await runSmoke(system.origin, OPERATOR, print, interruption.signal);
  expect(failures).toEqual([expect.stringMatching(/\(interrupted\)\.$/)]);
  expect(await listVisible()).toEqual(before);
});

test("smoke removes accounts that killed smoke tests have left, an hour after they were made", async () => {
  const [old, fresh] = [await newLeftover(), await newLeftover()];
  await system.change("gateway", "UPDATE user SET creation_date = creation_date - 3700000 WHERE id = ?", old.user_id);
  expect((await runProgram()).code).toBe(0);
  expect((await accounts.operator.call("/panel/user/read", old)).status.code).toBe(201);
  await accounts.operator.must("/panel/user/corrupt", fresh);
});

test("smoke refuses a wrong password with the code of the API, and makes nothing", async () => {
  const before = await listVisible();
  const { code, stdout, stderr } = await runProgram({ SMOKE_PASSWORD: "wrong" });
  expect(stdout).toMatch(/^sign in the operator +\d+ ms\n$/);
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining("sign in the operator: /panel/account/auth answered 102"),
  ]);
  expect(await listVisible()).toEqual(before);
});

test.each([
  [["fleet.example.com"], {}, /^Name the address of the installation/],
  [["http://127.0.0.1:1"], { SMOKE_LOGIN: "" }, /^SMOKE_LOGIN and SMOKE_PASSWORD are not set/],
  [["http://127.0.0.1:1"], {}, /sign in the operator: \/panel\/account\/auth was not answered \(.+\)\.\n$/],
])("smoke with the arguments %j and %j says in one sentence what is wrong", async (args, environment, sentence) => {
  const { code, stderr } = await runProgram(environment, args);
  expect([code, stderr.trimEnd().split("\n").length]).toEqual([1, 1]);
  expect(stderr).toMatch(sentence);
});

async function runProgram(environment: Record<string, string> = {}, args = [system.origin]) {
  const command = ["scripts/run.mjs", "smoke", ...args];
  const env = { PATH: process.env.PATH, ...CREDENTIALS, ...environment };
  return promisify(execFile)(process.execPath, command, { cwd: ROOT, env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

/** A user whose login is one of smoke tests. */
async function newLeftover() {
  const login = `smoke-${randomInt(1e12)}@smoke-test.invalid`;
  const user = { login, activated: true, legal_type: "individual" };
  const settings = { password: "secret123", time_zone: "UTC", locale: "en_US" };
  const { id: user_id } = await accounts.operator.must("/panel/user/create", { user, ...settings });
  return { user_id, login };
}

/** Accounts, trackers and tariffs, as an operator sees them. */
async function listVisible(): Promise<Reply[]> {
  const paths = ["/panel/user/list", "/panel/tracker/list", "/panel/tariff/list"];
  return Promise.all(paths.map(async (path) => (await accounts.operator.must(path)).list));
}

/** The number of rows of each table after another sweep of each Worker, and the keys of uploaded files. */
async function sweepAndCount() {
  for (const worker of WORKERS) await system.fireCron(worker);
  const rows = await Promise.all(
    WORKERS.map(async (worker) =>
      Object.entries(await system.rowCountsOf(worker))
        .filter(([table]) => !MEMORIES.includes(table))
        .map(([table, count]) => `${worker} ${table} ${count}`),
    ),
  );
  return [...rows.flat(), ...(await system.objects("upload/"))];
}

/** The numbers after a sweep that changed none: other tests of this file leave things that go by and by. */
async function sweepUntilUnchanged() {
  let last = await sweepAndCount();
  await waitUntil("a sweep changes nothing", async () => {
    const before = last;
    last = await sweepAndCount();
    return isSame(last, before);
  });
  return last;
}

function isSame(some: string[], others: string[]) {
  return JSON.stringify(some) === JSON.stringify(others);
}
