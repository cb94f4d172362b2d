import type { InStatement, InValue } from "@libsql/client/web";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { SQLiteRemoteSession, SqliteRemoteDatabase } from "drizzle-orm/sqlite-proxy";
import { ApiError } from "../error/api-error.ts";
import { isBusy } from "../error/failure.ts";
import { hop } from "../hops/hops.ts";
import { withinDeadline } from "../libsql/deadline.ts";
import { executionOf, resultsOf, type StatementRows, type StreamRequest, transactionOf } from "../libsql/pipeline.ts";
import { RequestQueue } from "../libsql/request-queue.ts";
import { type Fetch, StreamClient } from "../libsql/stream-client.ts";
import { systemNow } from "../time/clock.ts";

/** Settings of a service's own database. */
export type DatabaseEnv = {
  DB_URL: string;
  DB_TOKEN?: string;
  /** Maximum number of concurrent writes of an isolate. */
  DB_WRITERS: string;
  /** Maximum number of streams that an isolate keeps open; with 0 every statement or batch opens its own. */
  DB_STREAMS: string;
  /** Time limit of a statement or batch, including its wait in the write queue. */
  STATEMENT_SECONDS: string;
  /** Binding of the private network in which the server is; absent: the Internet. */
  DB_NETWORK?: { fetch: typeof fetch };
};

/** Opens the database once per isolate, so that prepared statements stay prepared. */
export function openDatabase(env: DatabaseEnv): Database {
  const known = databases.get(env.DB_URL);
  if (known) return known;
  const client = newClient(env);
  const database = databaseOf(client);
  database.$batchedReads = databaseOf({ ...client, execute: client.batchedRead });
  databases.set(env.DB_URL, database);
  return database;
}
/**
 * `$client` sends statements; `$dialect` remembers names of columns, also for a database of a single call; `$batchedReads` is
 * the database that `batchedReads` returns.
 */
export type Database = SqliteRemoteDatabase & {
  $client: DatabaseClient;
  $dialect: SQLiteAsyncDialect;
  $batchedReads?: Database;
};
/** Runs a statement, or several in one transaction. */
export type DatabaseClient = {
  execute(statement: InStatement): Promise<StatementRows>;
  batch(statements: InStatement[]): Promise<StatementRows[]>;
};

/**
 * Drizzle over the client. Only statements of drizzle's builders name their columns; see `selectObjects` for others. A
 * database of a single call takes the `$dialect` of the one behind it.
 */
export function databaseOf(client: DatabaseClient, { $dialect = new SQLiteAsyncDialect() } = {}): Database {
  const session = new SQLiteRemoteSession<Record<string, never>, Record<string, never>>(
    async (text, values, method) => answerOf(method, await client.execute(toStatement(text, values))),
    $dialect,
    undefined,
    async (queries) => {
      const results = await client.batch(queries.map(({ sql, params }) => toStatement(sql, params)));
      return results.map((result, index) => answerOf(queries[index]?.method, result));
    },
  );
  return Object.assign(new SqliteRemoteDatabase("async", $dialect, session, undefined), { $client: client, $dialect });
}

function toStatement(text: string, values: unknown[]): InStatement {
  return { sql: text, args: values as InValue[] }; // drizzle's encoders make nothing else
}

/** Drizzle expects one row for `get`, and else a list. */
function answerOf(method: string | undefined, { rows }: StatementRows): { rows: unknown[] } {
  return { rows: method === "get" ? (rows[0] as unknown[]) : rows }; // undefined when there is none
}

/** Builds a statement once per database: on hot paths, building takes longer than running. */
export function prepareOnce<Statement>(build: (db: Database) => Statement): (db: Database) => Statement {
  const statements = new WeakMap<Database, Statement>();
  return (db) => {
    const statement = statements.get(db) ?? build(db);
    statements.set(db, statement);
    return statement;
  };
}

/** A view of the database for reads of single rows by id: concurrent reads are sent as one request. */
export function batchedReads(db: Database): Database {
  return db.$batchedReads ?? db;
}

/** Whether the service's database answers within two seconds, over a stream of its own. */
export async function databaseAnswers(env: DatabaseEnv) {
  const client = new StreamClient(serverOf(env), 0);
  return withinNetworkDeadline(env, HEALTH_TIMEOUT_MS, (fetch) => client.ask([executionOf("SELECT 1")], fetch))
    .then(([result]) => resultsOf(result).length === 1)
    .catch(() => false);
}

function newClient(env: DatabaseEnv) {
  const longestMs = Number(env.STATEMENT_SECONDS) * 1000;
  const streams = new StreamClient(serverOf(env), Number(env.DB_STREAMS));
  const send = (requests: StreamRequest[], ms: number) =>
    withinNetworkDeadline(env, ms, (fetch) => streams.ask(requests, fetch));
  const writeQueue = new RequestQueue({ kind: "strict", most: Number(env.DB_WRITERS), gapMs: GAP_MS }, send);
  const readQueue = new RequestQueue({ kind: "relaxed", most: MAX_BATCHED_READS, gapMs: GAP_MS }, send);
  const read = async (request: StreamRequest) => {
    const [result] = await send([request], longestMs);
    return resultsOf(result);
  };
  const write = (request: StreamRequest) => {
    const until = systemNow() + longestMs;
    return retryWhileBusy(async () => resultsOf(await writeQueue.ask(request, until)));
  };
  const readBatched = async (request: StreamRequest) =>
    resultsOf(await readQueue.ask(request, systemNow() + longestMs));
  return {
    execute: (statement: InStatement) =>
      hop(async () => onlyResult(await (writes(statement) ? write : read)(executionOf(statement)))),
    async batchedRead(statement: InStatement) {
      if (writes(statement)) throw new TypeError("a batched read changes nothing");
      return hop(async () => onlyResult(await readBatched(executionOf(statement))));
    },
    batch: (statements: InStatement[]) =>
      hop(async () => {
        // A transaction that takes the write lock late can fail as busy; one that begins with it waits.
        const isWrite = statements.some(writes);
        return (isWrite ? write : read)(transactionOf(statements, isWrite));
      }),
  };
}

/** Even two writers can block each other for as long as the server's lock wait; such a write had no effect. */
export async function retryWhileBusy<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (thrown) {
      if (!isBusy(thrown) || attempt === ATTEMPTS) throw thrown;
    }
  }
}

function serverOf({ DB_URL, DB_TOKEN }: DatabaseEnv) {
  return { url: DB_URL, token: DB_TOKEN };
}

function onlyResult([result]: StatementRows[]): StatementRows {
  if (!result) throw new Error("the database left out a statement");
  return result;
}

function writes(statement: InStatement) {
  return !/^\s*select\b/i.test(typeof statement === "string" ? statement : statement.sql);
}

function withinNetworkDeadline<T>(
  { DB_NETWORK }: DatabaseEnv,
  ms: number,
  ask: (fetch: Fetch) => Promise<T>,
): Promise<T> {
  const network = DB_NETWORK ?? globalThis;
  return withinDeadline(ms, (over) =>
    ask((input, init) => checkResponse(network.fetch(input, { ...init, signal: over }))),
  );
}

/** An unreachable server is code 14, not 6. Closing the connection makes the server end the statement. */
async function checkResponse(asked: Promise<Response>) {
  const response = await asked.catch(() => {
    throw new ApiError(14);
  });
  // 429: all connections of the server are in use.
  if (response.status >= 500 || response.status === 429) {
    await response.body?.cancel();
    throw new ApiError(14);
  }
  return response;
}

/** By URL; a Worker usually has one database. */
const databases = new Map<string, Database>();
const HEALTH_TIMEOUT_MS = 2_000;
const ATTEMPTS = 3;
/** Requests that follow each other closely are sent together; writes arrive when the server has finished earlier ones. */
const GAP_MS = 6;
/** While so many batched reads are under way, further ones wait for an answer, and share a request. */
const MAX_BATCHED_READS = 4;
