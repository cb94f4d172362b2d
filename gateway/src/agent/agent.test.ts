import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { countTokens } from "gpt-tokenizer";
import { beforeAll, expect, test } from "vitest";
import { systemNow } from "#shared/time/clock.ts";
import { type Account, accountsOn, newAccount, type Reply, UNKNOWN_ID } from "#test/tool/call/account.ts";
import { newSubUser } from "#test/tool/call/mailbox.ts";
import { DAY, daysAgo, RANGE } from "#test/tool/sample/range.ts";
import type { World } from "#test/tool/sample/sample.ts";
import { newWorld } from "#test/tool/sample/world.ts";
import { stack } from "#test/tool/system/stack.ts";
import { waitUntil } from "#test/tool/wait.ts";
import { TOOLS } from "./tools.ts";

const ADDRESS = new URL("/mcp", stack.baseUrl);
const REVISIONS = [
  ["of 2026", { mode: { pin: "2026-07-28" } }],
  ["of 2025", { mode: "legacy" }],
] as const;
const TOMORROW = { from: daysAgo(-1), to: daysAgo(-2) };
/** A text that no call has used as its idempotency key. */
const newKey = () => crypto.randomUUID();

let account: Account;
let world: World;
let reader: Agent;
let writer: Agent;

beforeAll(async () => {
  ({ account, world } = await newWorld(accountsOn(stack)));
  reader = await connectWithKey(account);
  writer = await connectWithKey(account, { agent_writes: true });
});

type Agent = Awaited<ReturnType<typeof connect>>;

type Negotiation = { mode: "auto" | "legacy" | { pin: string } };

async function connect(hash: string, negotiation: Negotiation = { mode: "auto" }) {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: negotiation });
  await client.connect(
    new StreamableHTTPClientTransport(ADDRESS, { requestInit: { headers: { Authorization: `Bearer ${hash}` } } }),
  );
  /** The answer of a tool and its text. */
  const ask = async (name: string, input: object = {}) => {
    const result = await client.callTool({ name, arguments: { ...input } });
    const [content] = result.content as { text: string }[];
    const text = content?.text ?? "";
    return { isError: result.isError === true, text, answer: JSON.parse(text) as Reply };
  };
  const must = async (name: string, input: object = {}) => {
    const { isError, answer, text } = await ask(name, input);
    expect(isError, `${name}: ${text}`).toBe(false);
    return answer;
  };
  const refused = async (name: string, input: object = {}) => {
    const { isError, answer } = await ask(name, input);
    expect(isError).toBe(true);
    return answer;
  };
  return { client, ask, must, refused };
}

async function connectWithKey({ must }: Pick<Account, "must">, options: object = {}, negotiation?: Negotiation) {
  const { value } = await must("/api/key/create", { title: `agent ${newKey()}`, ...options });
  return connect(value.hash, negotiation);
}

/** Arguments with which each tool succeeds. */
function inputsOf({ tracker_id, tracker_label, zone_id, report_id }: World): Record<string, object> {
  const range = { from: RANGE.from, to: RANGE.to };
  return {
    now: {},
    find: { text: "Van" },
    where_is: { labels: [tracker_label] },
    trips: { tracker_id, ...range },
    zone_visits: { zone_id, ...DAY },
    who_was_here: { lat: 40, lng: 8, ...DAY },
    events: range,
    tasks: { statuses: ["unassigned", "assigned"] },
    create_task: { label: "Deliver", lat: 40, lng: 8, ...TOMORROW, idempotency_key: newKey() },
    checkins: { ...range },
    try_rule: { rule: { type: "inoutzone", name: "Depot", zone_ids: [zone_id] }, tracker_ids: [tracker_id], ...DAY },
    run_report: { plugin_id: 4, tracker_ids: [tracker_id], ...range },
    read_report: { report_id },
    search_operations: { words: "vehicle list" },
    call_operation: { path: "/vehicle/list", parameters: { limit: 1 } },
  };
}

test.each(REVISIONS)("a client %s lists every tool and calls it", async (_, negotiation) => {
  const { client, must } = await connectWithKey(account, { agent_writes: true }, negotiation);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
  for (const [name, input] of Object.entries(inputsOf(world))) await must(name, input);
});

test("the descriptions of all tools stay under 6,000 tokens, and there are at most 20 tools", async () => {
  const { tools } = await reader.client.listTools();
  expect(tools.length).toBeLessThanOrEqual(20);
  expect(countTokens(JSON.stringify(tools) + reader.client.getInstructions())).toBeLessThan(6_000);
});

test("a call of an unknown tool is an error with our code 112 and its text", async () => {
  await expect(reader.client.callTool({ name: "drop_tables", arguments: {} })).rejects.toThrow(
    'There is no tool "drop_tables" (112: Wrong method: unknown action)',
  );
});

test.each([
  ["trips", { tracker_id: 1, from: DAY.from }, "to"],
  ["trips", { tracker_id: "one", ...DAY }, "tracker_id"],
  ["trips", { tracker_id: 1, ...DAY, cursor: "next" }, "cursor"],
  ["trips", { tracker_id: 1, from: "yesterday", to: DAY.to }, "from"],
  ["who_was_here", { lat: 91, lng: 0, ...DAY }, "lat"],
  ["call_operation", { path: "vehicle list" }, "path"],
  ["search_operations", { path: "/no/such" }, "path"],
  ["search_operations", {}, "words"],
])("the tool %s with the wrong arguments %j answers 7 that names %s", async (name, input, parameter) => {
  const { status, errors } = await reader.refused(name, input);
  expect(status).toEqual({ code: 7, description: "Invalid parameters" });
  expect(errors.map((one: Reply) => one.parameter)).toContain(parameter);
});

test("a tool refuses arguments that it does not have, so that a misspelt one is noticed", async () => {
  expect((await reader.refused("events", { ...DAY, trackers: [1] })).status.code).toBe(7);
});

test("a tool answers another account's ids like unknown ones", async () => {
  const stranger = await connectWithKey(await newAccount());
  const foreign = await stranger.refused("trips", { tracker_id: world.tracker_id, ...DAY });
  expect(foreign).toEqual(await stranger.refused("trips", { tracker_id: UNKNOWN_ID, ...DAY }));
  expect(foreign.status.code).toBe(201);
  expect(await stranger.must("where_is", { tracker_ids: [world.tracker_id] })).toEqual({ list: [] });
});

test("an API key reads only: create_task, and call_operation with a changing operation, answer 13", async () => {
  const { count } = await account.must("/task/list", { limit: 0 });
  expect((await reader.refused("create_task", inputsOf(world).create_task)).status.code).toBe(13);
  const parameters = { vehicle: { label: "Van of an agent" } };
  const change = { path: "/vehicle/create", parameters, idempotency_key: newKey() };
  expect((await reader.refused("call_operation", change)).status).toEqual({
    code: 13,
    description: "Operation not permitted",
  });
  expect(await account.must("/task/list", { limit: 0 })).toMatchObject({ count });
  expect(await account.must("/vehicle/list", { filter: "van of an agent" })).toMatchObject({ count: 0 });
});

test("a session reads only, too", async () => {
  const { refused, must } = await connect(account.hash);
  expect((await must("now")).may_write).toBe(false);
  expect((await refused("create_task", inputsOf(world).create_task)).status.code).toBe(13);
});

test("a change with a permitted API key takes effect, and appears in the audit log under the title of the key", async () => {
  const title = `planner ${newKey()}`;
  const agent = await connectWithKey(account, { title, agent_writes: true });
  const change = { path: "/vehicle/create", parameters: { vehicle: { label: title } }, idempotency_key: newKey() };
  const { text } = await agent.must("call_operation", change);
  expect(JSON.parse(text)).toMatchObject({ success: true, id: expect.any(Number) });
  const entry = await waitUntil("the entry of the change", async () => {
    await accountsOn(stack).fireCron("fleet");
    const { list } = await account.must("/user/audit/log/list", { ...RANGE, limit: 100 });
    return list.find(({ user_agent }: Reply) => user_agent === `agent with the API key ${title}`);
  });
  expect(entry).toMatchObject({ entry_category: "vehicle", action: "create" });
});

test("call_operation refuses a changing operation without an idempotency key", async () => {
  const { status, errors } = await writer.refused("call_operation", { path: "/vehicle/create", parameters: {} });
  expect([status.code, errors[0].parameter]).toEqual([7, "idempotency_key"]);
});

test("call_operation refuses what the credential may not call, and files, with the codes of the API", async () => {
  expect((await writer.refused("call_operation", { path: "/no/such/thing" })).status.code).toBe(111);
  expect((await writer.refused("call_operation", { path: "/api/key/list" })).status.code).toBe(4);
  expect((await writer.refused("call_operation", { path: "/panel/user/list" })).status.code).toBe(4);
  const download = { tracker_id: world.tracker_id, ...DAY, format: "kml" };
  const file = await writer.refused("call_operation", { path: "/track/download", parameters: download });
  expect(file.errors[0].parameter).toBe("path");
});

test("a sub-user's agent sees the trackers that its sub-user sees", async () => {
  const { hash } = await newSubUser(account);
  const { must } = await connect(hash);
  expect((await must("now")).trackers).toBe(0);
  expect(await must("where_is", {})).toEqual({ list: [] });
  expect((await must("find", { text: world.tracker_label, kinds: ["tracker"] })).list).toEqual([]);
});

test("long answers are cut below 6,000 tokens, and their cursor reads on without a gap", async () => {
  const fleet = await newAccount();
  const { id } = await fleet.must("/vehicle/create", { vehicle: { label: `車両 ${"長".repeat(80)}` } });
  await stack.copyRow("fleet", {
    table: "vehicle",
    where: { id },
    count: 119,
    changed: { id: "NULL", label: "label || n" },
  });
  const { ask } = await connectWithKey(fleet);
  let text = "";
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = await ask("call_operation", { path: "/vehicle/list", cursor });
    expect(countTokens(page.text)).toBeLessThan(6_000);
    text += page.answer.text;
    cursor = page.answer.cursor;
    pages++;
  } while (cursor);
  expect(pages).toBeGreaterThan(3);
  expect(JSON.parse(text).list).toHaveLength(120);
});

test("where_is shows trackers in pages, each with its address and state", async () => {
  const fleet = await newAccount();
  const trackers = await Promise.all(
    Array.from({ length: 12 }, async (_, index) => {
      const { id, source } = await fleet.newTracker({ label: `Van ${index}` });
      await accountsOn(stack).feed(source.device_id, [{ time: systemNow(), lat: 52.52, lng: 13.4, speed: 0 }]);
      return id;
    }),
  );
  const { must } = await connectWithKey(fleet);
  const first = await must("where_is");
  const second = await must("where_is", { cursor: first.cursor });
  expect(second.cursor).toBeUndefined();
  expect([...first.list, ...second.list].map((one: Reply) => one.tracker_id)).toEqual(
    trackers.toSorted((a, b) => a - b),
  );
  expect(first.list[0]).toMatchObject({ lat: 52.52, lng: 13.4, address: expect.stringContaining("Berlin") });
});

test("read_report shows a report's lines once it is ready", async () => {
  const { report_id } = await reader.must("run_report", inputsOf(world).run_report);
  const report = await waitUntil("the report", async () => {
    const answer = await reader.must("read_report", { report_id });
    return answer.list ? answer : undefined;
  });
  expect(report).toMatchObject({ title: expect.any(String), list: expect.arrayContaining([expect.any(Array)]) });
});

test.each([
  ["without a credential", undefined, 3],
  ["with an ended credential", "0".repeat(32), 4],
])("a request %s is answered 401 and told where the access is described", async (_, hash, code) => {
  const answer = await post({ jsonrpc: "2.0", id: 1, method: "tools/list" }, hash);
  expect(answer.status).toBe(401);
  expect(await answer.json()).toMatchObject({ success: false, status: { code } });
  const address = /resource_metadata="([^"]+)"/.exec(answer.headers.get("WWW-Authenticate") ?? "")?.[1];
  const metadata = await fetch(String(address));
  expect(await metadata.json()).toMatchObject({ resource: ADDRESS.href, bearer_methods_supported: ["header"] });
});

function post(message: object, hash: string | undefined) {
  const headers = {
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    ...(hash ? { Authorization: `Bearer ${hash}` } : {}),
  };
  return fetch(ADDRESS, { method: "POST", headers, body: JSON.stringify(message) });
}
