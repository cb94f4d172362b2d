import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createClient, type InStatement, type ResultSet } from "@libsql/client/web";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Databases, startDatabases } from "../../scripts/system/sqld.ts";
import { onlyRow } from "../database/rows.ts";
import { isBusy, isTaken } from "../error/failure.ts";
import { systemNow } from "../time/clock.ts";
import { executionOf, resultsOf, type StreamRequest, transactionOf } from "./pipeline.ts";
import { type Fetch, StreamClient } from "./stream-client.ts";

/** Requests that a proxy in front of the database received, and their answers; the proxy may answer itself. */
type Trip = { baton: string | null; types: string[]; encoding: string | undefined; status: number };
type Meddler = (body: string, response: ServerResponse) => boolean | Promise<boolean>;

const trips: Trip[] = [];
let meddle: Meddler = () => false;
let folder: string;
let databases: Databases;
let between: Server;
let url: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fleet-streams-"));
  databases = await start();
  between = createServer((request, response) => void forward(request, response)).listen(0, "127.0.0.1");
  await once(between, "listening");
  const address = between.address();
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  await newClient().batch(["CREATE TABLE thing (id INTEGER PRIMARY KEY, name TEXT UNIQUE)"], true, fetch);
});

afterAll(async () => {
  between.close().closeAllConnections();
  await databases.stop();
  await rm(folder, { recursive: true });
});

beforeEach(async () => {
  meddle = () => false;
  await newClient().execute("DELETE FROM thing", fetch);
  trips.length = 0;
});

test("StreamClient gives the values and rows that the libSQL library gives", async () => {
  const { url: direct, token } = databases.servers.fleet;
  const library = createClient({ url: direct, authToken: token });
  const [client, bytes] = [newClient(), new Uint8Array([0, 255, 7])];
  const statements: InStatement[] = [
    { sql: "SELECT ? AS a, ? AS b, ? AS a, ?, ?, ? AS day", args: ["ä\u{1f69a}", 1.5, 7, true, null, 5] },
    { sql: "SELECT typeof(?), typeof(?), -0.0, 9007199254740991, 1 AS length", args: [2, bytes] },
    { sql: 'SELECT ? AS "1", ? AS bytes', args: [bytes, Buffer.from(bytes)] },
    "SELECT 1",
    "SELECT 1 WHERE 0",
    "SELECT name FROM pragma_table_info('thing')",
  ];
  const one = await Promise.all(statements.map((statement) => client.execute(statement, fetch)));
  const whole = await client.batch(statements, false, fetch);
  const expected = await library.batch(statements);
  expect(one.map(toPlainResult)).toEqual(expected.map(toPlainResult));
  expect(whole.map(toPlainResult)).toEqual(expected.map(toPlainResult));
  for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY]) {
    await expect(client.execute({ sql: "SELECT ?", args: [wrong] }, fetch)).rejects.toThrow(RangeError);
  }
  await expect(client.execute("SELECT 9007199254740993", fetch)).rejects.toThrow(RangeError);
  // The server would refuse a malformed text together with the whole request.
  await expect(client.execute({ sql: "SELECT ?", args: ["\ud800"] }, fetch)).rejects.toThrow(RangeError);
  for (const wrong of [2n, new Date(5)]) {
    await expect(client.execute({ sql: "SELECT ?", args: [wrong] }, fetch)).rejects.toThrow(TypeError);
  }
  library.close();
});

test("StreamClient reuses one stream for requests in sequence; of twenty at once, all beyond its limit close theirs", async () => {
  const client = newClient(3);
  for (let count = 0; count < 5; count++) await client.execute("SELECT 1", fetch);
  expect(trips.map(({ baton, types }) => [baton !== null, types])).toEqual([
    [false, ["execute"]],
    ...Array.from({ length: 4 }, () => [true, ["execute"]]),
  ]);
  trips.length = 0;
  await Promise.all(Array.from({ length: 20 }, () => client.execute("SELECT 1", fetch)));
  expect(trips.filter(({ types }) => types.includes("close"))).toHaveLength(17);
  trips.length = 0;
  await Promise.all(Array.from({ length: 3 }, () => client.execute("SELECT 1", fetch)));
  expect(trips.every(({ baton }) => baton)).toBe(true);
});

test("StreamClient undoes a failed transaction, fails with the library's message, and goes on with its stream", async () => {
  const client = newClient();
  const insert = (name: string) => ({ sql: "INSERT INTO thing (name) VALUES (?)", args: [name] });
  await client.batch([insert("crane")], true, fetch);
  const thrown = await client
    .batch([insert("lorry"), insert("crane"), insert("van")], true, fetch)
    .catch((error) => error);
  expect([isTaken(thrown), thrown.message]).toEqual([true, expect.stringContaining("thing.name")]);
  await expect(client.execute("SELECT * FROM missing", fetch)).rejects.toThrow("no such table: missing");
  await expect(client.execute("SELEC 1", fetch)).rejects.toThrow("SQL_PARSE_ERROR");
  const { rows } = await client.execute("SELECT name FROM thing", fetch);
  expect(rows.flat()).toEqual(["crane"]);
  expect(new Set(trips.slice(1).map(({ baton }) => baton !== null))).toEqual(new Set([true]));
});

test("StreamClient answers each of several requests in one trip, and undoes each for itself", async () => {
  const client = newClient();
  const insert = (name: string) => ({ sql: "INSERT INTO thing (name) VALUES (?)", args: [name] });
  const results = await client.ask([
    transactionOf([insert("crane"), "SELECT 1 AS one"], true),
    transactionOf([insert("lorry"), insert("crane")], true),
    executionOf("INSERT INTO missing VALUES (1)"),
    executionOf("SELEC 1"),
    executionOf(insert("bus")),
    transactionOf([insert("lorry")], true),
  ]);
  const outcomes = results.map((result) => {
    try {
      return resultsOf(result).length;
    } catch (thrown) {
      return isTaken(thrown) ? "taken" : (thrown as Error).message;
    }
  });
  const [missing, wrong] = [expect.stringContaining("no such table"), expect.stringContaining("SQL_PARSE_ERROR")];
  expect(outcomes).toEqual([2, "taken", missing, wrong, 1, 1]);
  const { rows } = await client.execute("SELECT name FROM thing ORDER BY name", fetch);
  expect(rows.flat()).toEqual(["bus", "crane", "lorry"]);
  // All of this took one trip, and the stream stays open.
  expect(trips.map(({ baton, types }) => [baton !== null, types.length])).toEqual([
    [false, 6],
    [true, 1],
  ]);
});

test.each([
  ["a statement", (client: TestClient) => client.execute("DELETE FROM thing", fetch)],
  ["a transaction", (client: TestClient) => client.batch(["DELETE FROM thing"], true, fetch)],
  ["several", async (client: TestClient) => (await client.ask(ONE_AND_ONE)).map(resultsOf)],
])(
  "StreamClient closes the stream of %s that was refused the lock: the server may hold the lock for it",
  async (_, ask) => {
    const client = newClient();
    const lock = { message: "database is locked", code: "SQLITE_BUSY" };
    const none = { message: "cannot rollback - no transaction is active", code: "SQLITE_UNKNOWN" };
    const ran = { step_results: [null, null, null, null], step_errors: [lock, null, null, none] };
    const baton = await batonOf();
    let asked = 0;
    meddle = (body, response) => {
      if (asked++ > 0) return false;
      const isBatch = body.includes('"batch"');
      const result = isBatch
        ? { type: "ok", response: { type: "batch", result: ran } }
        : { type: "error", error: lock };
      return answer(response, 200, { baton, results: [result, result] });
    };
    expect(isBusy(await ask(client).catch((error) => error))).toBe(true);
    await client.execute("SELECT 1", fetch);
    expect(trips.slice(1).map(({ baton: sent, types }) => [sent, types])).toEqual([
      [baton, ["close"]],
      [null, ["execute"]],
    ]);
  },
);

test.each([
  ["expired", { message: "The stream has expired due to inactivity", code: "STREAM_EXPIRED" }],
  ["unknown to the server", "Received an invalid baton"],
])("StreamClient writes once, over a new stream, when the stream of a write is %s", async (_, refusal) => {
  const client = newClient();
  await client.execute("SELECT 1", fetch);
  let refused = 0;
  meddle = (_, response) => refused++ === 0 && answer(response, 400, refusal);
  const twice = ["INSERT INTO thing (name) VALUES ('once')", "INSERT INTO thing (name) VALUES ('too')"];
  await client.ask([transactionOf(["DELETE FROM thing"], true), ...twice.map(executionOf)]);
  const { rows } = await client.execute("SELECT name FROM thing", fetch);
  expect(rows).toEqual([["once"], ["too"]]);
  expect(trips.map(({ status, baton }) => [status, baton !== null])).toEqual([
    [200, false],
    [400, true],
    [200, false],
    [200, true],
  ]);
});

test("StreamClient gives good answers at once after the server restarted, although its streams are lost", async () => {
  const client = newClient(3);
  await Promise.all(Array.from({ length: 3 }, () => client.execute("SELECT 1", fetch)));
  await databases.stop();
  databases = await start();
  trips.length = 0;
  const written = Array.from({ length: 3 }, (_, index) =>
    client.execute({ sql: "INSERT INTO thing (name) VALUES (?) RETURNING id", args: [`after ${index}`] }, fetch),
  );
  for (const { rows } of await Promise.all(written)) expect(rows).toHaveLength(1);
  expect(trips.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 400, 400, 400]);
});

test.each<[string, Meddler, object]>([
  [
    "another refusal",
    (_, response) => answer(response, 400, "Received a baton that has already been used"),
    { message: /HTTP 400/ },
  ],
  ["an answer that breaks off", (_, response) => cutOff(response), { code: 14 }],
  [
    "an answer to less than was asked",
    (_, response) => answer(response, 200, { baton: null, results: [] }),
    { code: 14 },
  ],
  ["an answer that is none", (_, response) => answer(response, 200, "<html>"), { code: 14 }],
  ["a connection that ends", (_, response) => Boolean(response.socket?.destroy()), { message: /fetch failed/ }],
])(
  "StreamClient sends nothing again after %s, and does not use that stream any more",
  async (_, misbehave, expected) => {
    const client = newClient(1);
    await client.execute("SELECT 1", fetch);
    trips.length = 0;
    meddle = misbehave;
    const { message = /./, ...members } = expected as { message?: RegExp };
    const thrown = await client.execute("INSERT INTO thing (name) VALUES ('never')", fetch).catch((error) => error);
    expect(thrown).toMatchObject(members);
    expect(thrown.message).toMatch(message);
    expect(trips).toHaveLength(1);
    meddle = () => false;
    await client.execute("SELECT 1", fetch);
    await client.execute("SELECT 1", fetch);
    // The failed request's slot is free again.
    expect(trips.slice(1).map(({ baton, types }) => [baton !== null, types])).toEqual([
      [false, ["execute"]],
      [true, ["execute"]],
    ]);
    expect((await client.execute("SELECT count(*) AS count FROM thing WHERE name = 'never'", fetch)).rows).toEqual([
      [0],
    ]);
  },
);

test("StreamClient closes the stream of an aborted call, and the server undoes what it had begun", async () => {
  const client = newClient(1);
  await client.execute("SELECT 1", fetch);
  const endless =
    "WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number) SELECT count(*) FROM number";
  const over = AbortSignal.timeout(300);
  const ended: Fetch = (input, init) => fetch(input, { ...init, signal: over });
  const statements = ["DELETE FROM thing", "INSERT INTO thing (name) VALUES ('begun')", endless];
  await expect(client.batch(statements, true, ended)).rejects.toThrow();
  // The lock is free, which the server would leave with a writer for five seconds.
  const written = await client.batch(["INSERT INTO thing (name) VALUES ('next') RETURNING id"], true, (input, init) =>
    fetch(input, { ...init, signal: AbortSignal.timeout(4000) }),
  );
  expect(written[0]?.rows).toHaveLength(1);
  const { rows } = await client.execute("SELECT 1 FROM thing WHERE name = 'begun'", fetch);
  expect(rows).toHaveLength(0);
});

test("StreamClient closes a stream that is left in a transaction", async () => {
  const client = newClient();
  const result = { cols: [], rows: [] };
  const failed = { message: "interrupted", code: "SQLITE_INTERRUPT" };
  const ran = { step_results: [result, null, null, null], step_errors: [null, failed, null, failed] };
  const baton = await batonOf();
  let asked = 0;
  meddle = (_, response) =>
    asked++ === 0 &&
    answer(response, 200, { baton, results: [{ type: "ok", response: { type: "batch", result: ran } }] });
  await expect(client.batch(["DELETE FROM thing"], true, fetch)).rejects.toThrow("interrupted");
  await client.execute("SELECT 1", fetch);
  expect(trips.slice(1).map(({ baton: sent, types }) => [sent, types])).toEqual([
    [baton, ["close"]],
    [null, ["execute"]],
  ]);
});

test("StreamClient asks for answers that are not compressed", async () => {
  await newClient().execute("SELECT 1", fetch);
  expect(trips.map(({ encoding }) => encoding)).toEqual(["identity"]);
});

test("StreamClient opens a new stream instead of one that rested for eight seconds", async () => {
  let now = 1_000_000;
  const client = newClient(4, () => now);
  await client.execute("SELECT 1", fetch);
  now += 7_900;
  await client.execute("SELECT 1", fetch);
  now += 8_001;
  await client.execute("SELECT 1", fetch);
  expect(trips.map(({ baton }) => baton !== null)).toEqual([false, true, false]);
});

function start() {
  const others = ["GATEWAY", "TASKS", "GEO", "FILES", "REPORTS"].map((name) => [`${name}_DB_URL`, "http://unused"]);
  return startDatabases(folder, Object.fromEntries(others));
}

const ONE_AND_ONE = [executionOf("SELECT 1"), executionOf("DELETE FROM thing")];

type TestClient = ReturnType<typeof newClient>;

/** Asks for one thing at a time. */
function newClient(most = 4, now: () => number = systemNow) {
  const client = new StreamClient({ url, token: databases.servers.fleet.token }, most, now);
  const ask = async (request: StreamRequest, fetch: Fetch) => resultsOf(onlyRow(await client.ask([request], fetch)));
  return {
    ask: (requests: StreamRequest[]) => client.ask(requests, fetch),
    execute: async (statement: InStatement, fetch: Fetch) => onlyRow(await ask(executionOf(statement), fetch)),
    batch: async (statements: InStatement[], isWrite: boolean, fetch: Fetch) =>
      ask(transactionOf(statements, isWrite), fetch),
  };
}

/** The baton of a stream of the server's that nobody has used. */
async function batonOf(): Promise<string> {
  const { url: direct, token } = databases.servers.fleet;
  const headers = { Authorization: `Bearer ${token}` };
  const asked = await fetch(`${direct}/v2/pipeline`, { method: "POST", headers, body: '{"baton":null,"requests":[]}' });
  return ((await asked.json()) as { baton: string }).baton;
}

/** Columns and values of a result, wherever they come from; bytes as numbers. */
function toPlainResult({ columns, rows }: Pick<ResultSet, "columns"> & { rows: ArrayLike<unknown>[] }) {
  const toPlain = (value: unknown) =>
    value instanceof ArrayBuffer || value instanceof Uint8Array ? [...new Uint8Array(value)] : value;
  return { columns, rows: rows.map((row) => Array.from(row, toPlain)) };
}

async function forward(request: IncomingMessage, response: ServerResponse) {
  const body = await text(request);
  const trip: Trip = { baton: null, types: [], encoding: request.headers["accept-encoding"], status: 0 };
  const { baton, requests } = JSON.parse(body);
  trips.push(Object.assign(trip, { baton, types: requests.map(({ type }: { type: string }) => type) }));
  response.once("finish", () => Object.assign(trip, { status: response.statusCode }));
  if (await meddle(body, response)) return;
  const closed = new AbortController();
  response.once("close", () => response.writableEnded || closed.abort());
  const { url: direct, token } = databases.servers.fleet;
  const headers = { Authorization: `Bearer ${token}` };
  const asked = { method: "POST", headers, body, signal: closed.signal };
  const answered = await fetch(`${direct}/v2/pipeline`, asked).then(
    async (whole) => ({ status: whole.status, text: await whole.text() }),
    () => undefined,
  );
  if (answered) response.writeHead(answered.status).end(answered.text);
}

function answer(response: ServerResponse, status: number, body: unknown) {
  response.writeHead(status).end(typeof body === "string" ? body : JSON.stringify(body));
  return true;
}

function cutOff(response: ServerResponse) {
  response.writeHead(200, { "Content-Length": "1000" }).write('{"baton":', () => response.socket?.destroy());
  return true;
}
