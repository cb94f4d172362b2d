import { request } from "node:http";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Account, accountsOn, type Reply } from "../tool/call/account.ts";
import { startWatchedSystem } from "../tool/system/system.ts";
import { waitUntil } from "../tool/wait.ts";

// The tests pause the database of fleet: calls of vehicle/batch_convert then hold their turns until it goes on.
let system: Awaited<ReturnType<typeof startWatchedSystem>>;
let account: Account;
let other: Account;

beforeAll(async () => {
  // Calls that wait for the paused database hold their turns meanwhile.
  system = await startWatchedSystem({ STATEMENT_SECONDS: "60" });
  const { newAccount } = accountsOn(system);
  account = await newAccount();
  other = await newAccount();
});

afterEach(() => system.bringUp("fleet"));
afterAll(() => system?.stop());

/** A batch with a label of a tracker, which is looked up in the database. */
const batchOf = (label: string) => ({ fields: ["label", "tracker_label"], batch: `Van\t${label}` });
const convert = (label: string): Promise<Reply> => account.call("/vehicle/batch_convert", batchOf(label));

/** Waits until two calls with this label wait for the database. */
async function untilTwoRun(label: string) {
  const count = () => system.countWaiting("fleet", label);
  await waitUntil("two calls wait for the database", count, (waiting) => waiting === 2);
}

test("two expensive calls of an account run at a time, the others wait, and all are answered", async () => {
  await system.pause("fleet");
  const calls = Array.from({ length: 8 }, () => convert("Seagull"));
  await untilTwoRun("Seagull");
  // Neither cheap calls of the account nor expensive ones of another account wait for the turns.
  await account.must("/user/settings/read");
  await fetch(`${system.baseUrl}/zone/download`, { method: "POST", body: JSON.stringify({ hash: other.hash }) });
  expect(await system.countWaiting("fleet", "Seagull")).toBe(2);
  await system.bringUp("fleet");
  for (const answer of await Promise.all(calls)) expect(answer).toMatchObject({ success: true });
});

test("an expensive call gets 15 if no turn comes in time", async () => {
  await system.pause("fleet");
  const calls = [convert("Heron"), convert("Heron")];
  await untilTwoRun("Heron");
  expect(await convert("Crane")).toMatchObject({ success: false, status: { code: 15 } });
  await system.bringUp("fleet");
  for (const answer of await Promise.all(calls)) expect(answer).toMatchObject({ success: true });
});

test("callers who have disconnected return their turns at once, also those who waited for one", async () => {
  await system.pause("fleet");
  const callers = Array.from({ length: 5 }, () => connectAndConvert("Swallow"));
  await untilTwoRun("Swallow");
  for (const caller of callers) caller.socket?.resetAndDestroy();
  const calls = [convert("Gull"), convert("Gull")];
  await untilTwoRun("Gull");
  await system.bringUp("fleet");
  for (const answer of await Promise.all(calls)) expect(answer).toMatchObject({ success: true });
});

/** Makes a call whose connection the test can reset. */
function connectAndConvert(label: string) {
  const headers = { "Content-Type": "application/json" };
  const url = `${system.baseUrl}/vehicle/batch_convert`;
  const caller = request(url, { method: "POST", headers }).on("error", () => undefined);
  caller.end(JSON.stringify({ hash: account.hash, ...batchOf(label) }));
  return caller;
}
