import { afterAll, beforeAll, expect, test } from "vitest";
import { WORKERS } from "../../scripts/workers.ts";
import { DAY_MS, MINUTE_MS } from "../../shared/time/duration.ts";
import { type Accounts, accountsOn, bodyOf, type Reply, replyOf, UNKNOWN_ID } from "../tool/call/account.ts";
import { DECLARED } from "../tool/call/declared.ts";
import { effort } from "../tool/effort.ts";
import { SAMPLES, samplesOf } from "../tool/sample/index.ts";
import type { Sample } from "../tool/sample/sample.ts";
import { newWorld } from "../tool/sample/world.ts";
import { startNewSystem } from "../tool/system/system.ts";
import { waitUntil } from "../tool/wait.ts";

/** Operations that end the credential of their call: a second call with it answers 4. */
const UNREPEATABLE = [
  ...["/user/logout", "/panel/account/logout", "/user/session/delete", "/user/activate", "/user/auth/code/verify"],
  ...["/user/password/change", "/user/password/set"],
];
/** Tables that change without a call: outboxes and what comes out of them. */
const BACKGROUND = ["idempotency_key", "audit_outbox", "audit"];

let system: Awaited<ReturnType<typeof startNewSystem>>;
let accounts: Accounts;
let fleet: Awaited<ReturnType<typeof newWorld>>;

beforeAll(async () => {
  // Rows are counted.
  system = await startNewSystem();
  accounts = accountsOn(system);
  fleet = await newWorld(accounts);
});

afterAll(() => system?.stop());

/**
 * Operations that change something. Keys are kept by the gateway and by what all services share, so that a quarter of the
 * operations proves them; a campaign tries each one, with all its samples.
 */
const CHANGING = [...DECLARED.values()]
  .filter(({ path, reads }) => !reads && !UNREPEATABLE.includes(path))
  .filter((_, index) => index % effort({ few: 4, many: 1 }) === 0);

type KeyedSample = { name: string; path: string; parameters: Record<string, unknown>; key: string };

test("changing operations have one effect and one answer for two calls with one idempotency key", async () => {
  const samples: KeyedSample[] = [];
  const firsts: Reply[] = [];
  const wrong: Record<string, unknown> = {};
  for (const { path } of CHANGING) {
    for (const [index, sample] of samplesOf(path, ({ as }) => as !== "nobody").entries()) {
      const parameters = await parametersOf(sample);
      const keyed = { name: `${path} ${index}`, path, parameters, key: `key-${samples.length}-of-a-call` };
      const { reply } = await call(keyed);
      if (!reply.success) wrong[keyed.name] = reply;
      samples.push(keyed);
      firsts.push(reply);
    }
  }
  const before = await waitForQuiet();
  for (const [index, keyed] of samples.entries()) {
    const { reply, isReplayed } = await call(keyed);
    if (!isReplayed) wrong[keyed.name] = ["not replayed", reply];
    else if (JSON.stringify(reply) !== JSON.stringify(firsts[index])) wrong[keyed.name] = [firsts[index], reply];
  }
  expect(wrong).toEqual({});
  expect(await waitForQuiet()).toEqual(before);
  for (const keyed of samples) {
    const { reply } = await call({ ...keyed, parameters: { ...keyed.parameters, another: "parameter" } });
    const { status, errors } = reply;
    if (status?.code !== 7 || errors?.[0]?.parameter !== "Idempotency-Key") wrong[keyed.name] = reply;
  }
  expect(wrong).toEqual({});
});

test.each([
  ["7 characters", "a".repeat(7)],
  ["65 characters", "a".repeat(65)],
  ["a blank", "with a blank"],
  ["a control character", "control\tcharacter"],
  ["letters beyond ASCII", "schlüssel"],
])("an Idempotency-Key with %s is 7 that names the header", async (_, key) => {
  const parameters = { hash: fleet.account.hash, vehicle: { label: "Van" } };
  const { reply } = await call({ path: "/vehicle/create", parameters, key });
  expect([reply.status.code, reply.errors[0].parameter]).toEqual([7, "Idempotency-Key"]);
});

test.each(["a".repeat(8), `${"~!{}|".repeat(12)}abcd`])("an Idempotency-Key %s is accepted", async (key) => {
  const parameters = { hash: fleet.account.hash, vehicle: { label: "Van" } };
  expect((await call({ path: "/vehicle/create", parameters, key })).reply.success).toBe(true);
});

test("calls at once with one idempotency key have one effect: the others get the first answer, or 15", async () => {
  const account = await accounts.newAccount();
  const parameters = { hash: account.hash, vehicle: { label: "Van" } };
  const calls = await Promise.all(
    Array.from({ length: 12 }, () => call({ path: "/vehicle/create", parameters, key: "all-at-once" })),
  );
  const { list } = await account.must("/vehicle/list");
  expect(list).toHaveLength(1);
  const answered = calls.filter(({ reply }) => reply.success);
  for (const { reply } of answered) expect(reply.id).toBe(list[0].id);
  expect(answered.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1);
  for (const { reply } of calls) if (!reply.success) expect(reply.status.code).toBe(15);
});

test("a key of one credential or path says nothing about another's", async () => {
  const [one, other] = [await accounts.newAccount(), await accounts.newAccount()];
  const create = (hash: string, path = "/vehicle/create") =>
    call({ path, parameters: { hash, vehicle: { label: "Van" }, tag: { name: "Van", avatar: {} } }, key: "same-key" });
  const { reply } = await create(one.hash);
  expect((await create(other.hash)).isReplayed).toBe(false);
  const { value } = await one.must("/api/key/create", { title: "key" });
  const second = await create(value.hash);
  expect([second.isReplayed, second.reply.id === reply.id]).toEqual([false, false]);
});

test("a call that failed keeps nothing: with the same key it succeeds later, also with other parameters", async () => {
  const account = await accounts.newAccount();
  const key = "failed-first";
  const create = (label: string) =>
    call({ path: "/vehicle/create", parameters: { hash: account.hash, vehicle: { label } }, key });
  expect((await create("")).reply.status.code).toBe(7);
  expect(await create("Van")).toMatchObject({ reply: { success: true }, isReplayed: false });
});

test("a call that is refused behind a transaction that changed nothing keeps nothing", async () => {
  const account = await accounts.newAccount();
  const refused = [
    ["/vehicle/update", { vehicle: { id: UNKNOWN_ID, label: "Van" } }],
    ["/webhook/update", { webhook: { id: UNKNOWN_ID, label: "ERP" } }],
    ["/tag/delete", { tag_id: UNKNOWN_ID }],
    ["/zone/delete", { zone_id: UNKNOWN_ID }],
    ["/task/delete", { task_id: UNKNOWN_ID }],
    ["/subuser/delete", { subuser_id: UNKNOWN_ID }],
    ["/report/tracker/delete", { report_id: UNKNOWN_ID }],
  ] as const;
  for (const [path, parameters] of refused) {
    const again = () =>
      call({ path, parameters: { hash: account.hash, ...parameters }, key: `refused${path.replaceAll("/", "-")}` });
    const first = await again();
    expect(first.reply.success, path).toBe(false);
    expect(await again()).toEqual(first);
  }
});

test("an answer that the database's network lost is found again by a repeated call", async () => {
  const account = await accounts.newAccount();
  const parameters = { hash: account.hash, vehicle: { label: "Van" } };
  const create = () => call({ path: "/vehicle/create", parameters, key: "lost-answer" });
  await system.loseAnswers("fleet");
  expect((await create()).reply.status.code).toBe(14);
  await system.bringUp("fleet");
  const { list } = await account.must("/vehicle/list");
  expect(list).toHaveLength(1);
  expect(await create()).toEqual({ reply: { success: true, id: list[0].id }, isReplayed: true });
});

/** Operations that tell a lost answer by what they stored; the others run again or answer 15. */
const RECOVERABLE = ["/tracker/register", "/api/key/create", "/vehicle/service_task/batch/create", "/task/create"];

test.each(RECOVERABLE)("the answer of %s that was lost with its process is the first one again", async (path) => {
  const [sample] = SAMPLES[path] ?? [];
  if (!sample) throw new Error("a sample was expected");
  const parameters = await parametersOf(sample);
  const key = `lost${path.replaceAll("/", "-")}`;
  const first = await call({ path, parameters, key });
  expect(first.reply.success).toBe(true);
  await forgetAnswers();
  expect(await call({ path, parameters, key })).toEqual({ reply: first.reply, isReplayed: true });
});

test("a call whose answer is not stored yet is 15 for a minute: the first one may still be running", async () => {
  const [sample] = SAMPLES["/tracker/register"] ?? [];
  if (!sample) throw new Error("a sample was expected");
  const parameters = await parametersOf(sample);
  const again = () => call({ path: "/tracker/register", parameters, key: "still-running" });
  await again();
  await forgetAnswers(0);
  expect((await again()).reply.status.code).toBe(15);
});

test("sweeps delete keys after a day, and a repeated call then is a new one", async () => {
  const account = await accounts.newAccount();
  const parameters = { hash: account.hash, vehicle: { label: "Van" } };
  const create = () => call({ path: "/vehicle/create", parameters, key: "after-a-day" });
  const { reply } = await create();
  for (const worker of WORKERS) {
    await system.change(worker, "UPDATE idempotency_key SET created = created - ?", DAY_MS);
    await system.fireCron(worker);
    expect(await system.rowsOf(worker, "idempotency_key")).toEqual([]);
  }
  const second = await create();
  expect([second.isReplayed, second.reply.id === reply.id]).toEqual([false, false]);

  await system.change("fleet", "UPDATE idempotency_key SET created = created - ?", DAY_MS);
  const createYounger = () => call({ path: "/vehicle/create", parameters, key: "of-today" });
  await createYounger();
  await system.fireCron("fleet");
  expect(await system.rowsOf("fleet", "idempotency_key")).toHaveLength(1);
  expect([(await createYounger()).isReplayed, (await create()).isReplayed]).toEqual([true, false]);
});

/** Makes all keys as old as `ms` and without answers, as if their processes had died before storing them. */
async function forgetAnswers(ms = 2 * MINUTE_MS) {
  // An answer that is stored a moment after the reply would come back.
  await waitForQuiet();
  for (const worker of WORKERS) {
    await system.change(worker, "UPDATE idempotency_key SET answer = NULL, created = created - ?", ms);
  }
}

async function parametersOf({ as, before, parameters }: Sample): Promise<Record<string, unknown>> {
  const { account, world } = fleet;
  const hashes = { nobody: undefined, operator: await accounts.operatorHash(), master: account.hash };
  const usedUp = await before?.(account, accounts);
  return { hash: hashes[as ?? "master"], ...parameters(world, account), ...usedUp };
}

async function call({ path, parameters, key }: Omit<KeyedSample, "name">) {
  const { headers, body } = bodyOf(parameters, { "Idempotency-Key": key });
  const answer = await fetch(system.baseUrl + path, { method: "POST", headers, body, redirect: "manual" });
  const text = answer.status === 302 ? '{"success":true}' : await answer.text();
  return { reply: replyOf(text), isReplayed: answer.headers.get("Idempotency-Replayed") === "true" };
}

/** The number of rows of each table, once outboxes are empty and nothing changes any more. */
function waitForQuiet(): Promise<Record<string, number>> {
  let last = "";
  return waitUntil(
    "the number of rows stays",
    async () => {
      for (const worker of WORKERS) await system.fireCron(worker);
      return countRows();
    },
    (counts) => {
      const isSame = JSON.stringify(counts) === last;
      last = JSON.stringify(counts);
      return isSame;
    },
  );
}

async function countRows(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const worker of WORKERS) {
    for (const [table, rows] of Object.entries(await system.rowCountsOf(worker))) {
      if (!BACKGROUND.includes(table)) counts[`${worker} ${table}`] = rows;
    }
  }
  // Events by type, so that a second effect names its operation.
  for (const { type } of await system.rowsOf("gateway", "event")) {
    counts[`event ${type}`] = (counts[`event ${type}`] ?? 0) + 1;
  }
  return counts;
}
