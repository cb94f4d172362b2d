import { afterAll, beforeAll, expect, test } from "vitest";
import type { WorkerName } from "../../scripts/workers.ts";
import { type Account, type Accounts, accountsOn, UNKNOWN_ID } from "../tool/call/account.ts";
import { newTicket, upload } from "../tool/call/uploads.ts";
import { effort } from "../tool/effort.ts";
import { startWatchedSystem } from "../tool/system/system.ts";
import { waitUntil } from "../tool/wait.ts";

/** Calls among which one is sampled, practically always: one in 256 is. */
const MAX_CALLS = 10_000;
const PARALLEL_CALLS = 50;

type Line = Record<string, unknown> & { request_id: string };
let system: Awaited<ReturnType<typeof startWatchedSystem>>;
let accounts: Accounts;
let account: Account;

beforeAll(async () => {
  system = await startWatchedSystem();
  accounts = accountsOn(system);
  account = await accounts.newAccount();
});

afterAll(() => system?.stop());

test.each<[WorkerName, string, object, number]>([
  ["gateway", "/subuser/delete", { subuser_id: UNKNOWN_ID }, 201],
  ["fleet", "/vehicle/read", { vehicle_id: UNKNOWN_ID }, 201],
  ["tasks", "/task/read", { task_id: UNKNOWN_ID }, 201],
  ["geo", "/zone/read", { zone_id: "none" }, 7],
  ["files", "/data/spreadsheet/parse", {}, 233],
  ["reports", "/report/tracker/status", { report_id: UNKNOWN_ID }, 204],
])(
  "a call that %s refuses makes exactly one line, with the id of its reply",
  async (worker, path, parameters, code) => {
    const { id, reply } = await sendUnsampled(path, { hash: account.hash, ...parameters });
    expect(reply.status.code).toBe(code);
    expect(await linesOf(id)).toEqual([{ request_id: id, worker, code, path }]);
  },
);

test("a call without an answer of its Worker's database makes exactly one line, with the reason", async () => {
  await system.takeDown("geo");
  const { id, reply } = await sendUnsampled("/zone/list", { hash: account.hash });
  await system.bringUp("geo");
  expect(reply.status.code).toBe(14);
  const error = "Service or database unavailable, try again later";
  expect(await linesOf(id)).toEqual([expect.objectContaining({ worker: "geo", code: 14, path: "/zone/list", error })]);
});

test("the line of a failed call has neither its query nor its hash, and no part of its body", async () => {
  const query = `hash=${account.hash}&label=private-label`;
  const answer = await fetch(`${system.baseUrl}/vehicle/read?${query}&vehicle_id=none`);
  const [line] = await linesOf(answer.headers.get("X-Request-Id") ?? "");
  expect(line).toMatchObject({ worker: "fleet", path: "/vehicle/read", code: 7 });
  expect(JSON.stringify(line)).not.toMatch(new RegExp(`${account.hash}|private-label|\\?`));
  const logIn = await send("/user/auth", { login: account.login, password: "wrong-secret" });
  expect(await linesOf(logIn.id)).toMatchObject([{ worker: "gateway", code: 102 }]);
  const logs = JSON.stringify(await system.logs());
  for (const secret of [account.hash, account.login, "wrong-secret"]) expect(logs).not.toContain(secret);
});

test("an upload that is refused makes one line of the files service, without the token", async () => {
  const ticket = await newTicket(account);
  const wrong = { ...ticket, fields: { token: `${ticket.fields.token}x` } };
  await upload(wrong, new File(["bill"], "bill.txt"));
  const lines = await waitUntil(
    "the refused upload is logged",
    async () => (await linesOf("")).filter(({ path }) => String(path).startsWith("/file/upload")),
    ({ length }) => length > 0,
  );
  expect(lines).toMatchObject([{ worker: "files", code: 11, path: `/file/upload/${ticket.file_id}` }]);
  expect(JSON.stringify(await system.logs())).not.toContain(ticket.fields.token);
});

test("an id that the caller sends begins the id of the reply and of the log's lines", async () => {
  const headers = { "X-Request-Id": "order-4711", Authorization: `Bearer ${account.hash}` };
  const answer = await fetch(`${system.baseUrl}/vehicle/read`, { method: "POST", headers });
  const id = answer.headers.get("X-Request-Id") ?? "";
  expect(id).toMatch(/^order-4711\.[0-9a-f-]{36}$/);
  expect(await linesOf(id)).toMatchObject([{ worker: "fleet", code: 7 }]);
  for (const refused of ["two words", "x".repeat(65), "a\tb", 'quote"']) {
    const { headers: own } = await fetch(`${system.baseUrl}/base/nothing`, { headers: { "X-Request-Id": refused } });
    expect(own.get("X-Request-Id")).toMatch(/^[0-9a-f-]{36}$/);
  }
});

const SUCCESSFUL: [WorkerName, string][] = [
  ["fleet", "/vehicle/list"],
  ["tasks", "/task/count"],
  ["geo", "/zone/list"],
  ["files", "/file/stats/read"],
  ["reports", "/report/tracker/list"],
];

test.each(SUCCESSFUL.slice(0, effort({ few: 1, many: 5 })))(
  "one in 256 successful calls makes a line in the gateway and one in %s, all others none",
  async (worker, path) => {
    const ids = await callUntilSampled(path, { hash: account.hash });
    const sampled = ids.filter(isSampled);
    const lines = await linesOfAll(ids, 2 * sampled.length);
    expect(new Set(lines.map(({ request_id }) => request_id))).toEqual(new Set(sampled));
    const [id = ""] = sampled;
    const own = lines
      .filter(({ request_id }) => request_id === id)
      .toSorted((one) => (one.worker === "gateway" ? -1 : 1));
    expect(own).toMatchObject([
      { worker: "gateway", code: 0, path, ms: expect.any(Number), hops: expect.any(Number) },
      { worker, code: 0, path, ms: expect.any(Number), hops: expect.any(Number) },
    ]);
  },
);

test("calls with a wrong hash, which anybody may send without end, are sampled like successful ones", async () => {
  const ids = await callUntilSampled("/vehicle/list", { hash: "0".repeat(32) });
  const sampled = ids.filter(isSampled);
  const lines = await linesOfAll(ids, sampled.length);
  expect(lines.map(({ request_id }) => request_id).toSorted()).toEqual(sampled.toSorted());
});

test("a sampled call that needs a second service makes a line there, too, with the name of the method", async () => {
  const { id: tracker_id } = await account.newTracker();
  const path = "/tracker/settings/lbs/read";
  const ids = await callUntilSampled(path, { hash: account.hash, tracker_id });
  const sampled = ids.filter(isSampled);
  const lines = await linesOfAll(ids, 3 * sampled.length);
  const measured = { code: 0, ms: expect.any(Number), hops: expect.any(Number) };
  const expected = sampled.flatMap((request_id) => [
    { request_id, worker: "fleet", path: "trackersOf", ...measured },
    { request_id, worker: "gateway", path, ...measured },
    { request_id, worker: "geo", path, ...measured },
  ]);
  const keyOf = ({ request_id, worker }: Line) => `${request_id} ${worker}`;
  expect(lines.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))).toEqual(
    expected.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)),
  );
});

test("an unexpected error in a second service makes one line, in that service, with its reason and the call's id", async () => {
  const { id: tracker_id } = await account.newTracker({ label: "private-label" });
  await system.change("fleet", "ALTER TABLE tracker RENAME TO hidden_tracker");
  const { id, reply } = await sendUnsampled("/tracker/settings/lbs/read", { hash: account.hash, tracker_id });
  await system.change("fleet", "ALTER TABLE hidden_tracker RENAME TO tracker");
  expect(reply.status.code).toBe(6);
  const lines = await allLinesOf(id);
  const error = expect.stringMatching(/no such table: tracker\n\s+at /);
  expect(lines).toEqual([{ request_id: id, worker: "fleet", path: "trackersOf", code: 6, error }]);
  const text = JSON.stringify(lines);
  for (const secret of [account.hash, account.login, "private-label"]) expect(text).not.toContain(secret);
});

test("a failure of the last of three Workers makes one line, there, and the Workers before it none", async () => {
  const { id: tracker_id } = await account.newTracker();
  const hash = await accounts.operatorHash();
  await system.takeDown("geo");
  const { id, reply } = await sendUnsampled("/panel/tracker/source/update", { hash, tracker_id, blocked: true });
  await system.bringUp("geo");
  expect(reply.status.code).toBe(14);
  const error = "Service or database unavailable, try again later";
  expect(await allLinesOf(id)).toEqual([{ request_id: id, worker: "geo", path: "putDevices", code: 14, error }]);
});

test("a refusal by a second service makes one line, in the Worker of the operation", async () => {
  const hash = await accounts.operatorHash();
  const path = "/panel/tracker/source/update";
  const { id, reply } = await sendUnsampled(path, { hash, tracker_id: UNKNOWN_ID, blocked: true });
  expect(reply.status.code).toBe(201);
  expect(await allLinesOf(id)).toEqual([{ request_id: id, worker: "gateway", path, code: 201 }]);
});

/** All lines about an answered call: each Worker has written the line of a later call. */
async function allLinesOf(id: string): Promise<Line[]> {
  for (const path of ["/subuser/delete", "/vehicle/read", "/zone/read"]) {
    const later = await send(path, { hash: account.hash });
    await linesOf(later.id);
  }
  return linesOf(id);
}

async function send(path: string, parameters: object) {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(system.baseUrl + path, { method: "POST", headers, body: JSON.stringify(parameters) });
  return { id: answer.headers.get("X-Request-Id") ?? "", reply: JSON.parse(await answer.text()) };
}

/** Sends a call, and again as long as it is sampled: what other Workers do for it without a failure then makes lines, too. */
async function sendUnsampled(path: string, parameters: object) {
  for (;;) {
    const sent = await send(path, parameters);
    if (!isSampled(sent.id)) return sent;
  }
}

function isSampled(id: string): boolean {
  return id.endsWith("00");
}

/** Calls until a call is sampled; the ids of all calls. */
async function callUntilSampled(path: string, parameters: object): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < MAX_CALLS && !ids.some(isSampled)) {
    const calls = await Promise.all(Array.from({ length: PARALLEL_CALLS }, () => send(path, parameters)));
    ids.push(...calls.map(({ id }) => id));
  }
  return ids;
}

/** The lines about these calls, of which at least `count` have come. */
function linesOfAll(ids: string[], count: number): Promise<Line[]> {
  const read = async () => (await linesOf("")).filter(({ request_id }) => ids.includes(request_id));
  return waitUntil("the sampled calls are logged", read, (lines) => lines.length >= count);
}

/** The lines about calls whose ids contain `id`, as far as they have come. */
async function linesOf(id: string): Promise<Line[]> {
  const logs = await waitUntil(
    "the call is logged",
    () => system.logs(),
    (all) => id === "" || all.some(({ message }) => message.includes(id)),
  );
  const lines = logs.flatMap(({ message }): Line[] => (message.startsWith("{") ? [JSON.parse(message)] : []));
  return lines.filter(({ request_id }) => request_id?.includes(id));
}
