import { type Client, createClient, type InStatement, type ResultSet } from "@libsql/client/web";
import { LibSQLDatabase } from "drizzle-orm/libsql/driver-core";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { ApiError } from "../error/api-error.ts";
import { hop } from "../hops/hops.ts";
import { withinDeadline } from "../libsql/deadline.ts";
import { executionOf, resultsOf, type StreamRequest, transactionOf } from "../libsql/pipeline.ts";
import { ReadBatcher } from "../libsql/read-batcher.ts";
import { type Reach, StreamClient } from "../libsql/stream-client.ts";
import { retryWhileBusy, type SizedRequest, WriteQueue } from "../libsql/write-queue.ts";
import { systemNow } from "../time/clock.ts";
import { Session } from "./session.ts";

/** What every service is told of its own database. */
export type DatabaseEnv = {
  DB_URL: string;
  DB_TOKEN?: string;
  /** How many writes of an isolate are under way at a time. */
  DB_WRITERS: string;
  /** How many streams an isolate keeps open; with 0 every statement and every batch opens one of its own. */
  DB_STREAMS: string;
  /** How long a statement or a batch may take, the wait for its turn included. */
  STATEMENT_SECONDS: string;
  /** The private network that the server is in, where there is one; else it is reached over the Internet. */
  DB_NETWORK?: { fetch: typeof fetch };
};

/** One for the isolate, so that what is prepared stays prepared. */
export function openDatabase(env: DatabaseEnv): Database {
  const known = databases.get(env.DB_URL);
  if (known) return known;
  const hasStreams = Number(env.DB_STREAMS) > 0;
  const client = hasStreams ? newClient(env, streamTransport(env)) : newClient(env, libraryTransport(env));
  // Drizzle asks its client for nothing else, as long as nobody opens an interactive transaction.
  const database = databaseOf(client as unknown as Client);
  // The library sends one thing at a time.
  if (hasStreams) database.$batchedReads = databaseOf({ ...client, execute: client.batchedRead } as unknown as Client);
  databases.set(env.DB_URL, database);
  return database;
}
/** `$batchedReads`: the same, as `batchedReads` gives it. */
export type Database = LibSQLDatabase & { $client: Client; $batchedReads?: Database };

export function databaseOf(client: Client): Database {
  const database = new LibSQLDatabase("async", new SQLiteAsyncDialect(), new Session(client), undefined);
  return Object.assign(database, { $client: client });
}

/** A statement that is built once: on a hot path that takes longer than to run it. */
export function prepared<Statement>(build: (db: Database) => Statement): (db: Database) => Statement {
  const built = new WeakMap<Database, Statement>();
  return (db) => {
    const statement = built.get(db) ?? build(db);
    built.set(db, statement);
    return statement;
  };
}

/** For statements that find a row by its id, and change nothing: where many come at once, they go to the database together. */
export function batchedReads(db: Database): Database {
  return db.$batchedReads ?? db;
}

/** Whether the service's database answers, which it has two seconds for. */
export async function databaseAnswers(env: DatabaseEnv) {
  return withinNetworkDeadline(env, HEALTH_TIMEOUT_MS, (reach) => openLibrary(env, reach).execute("SELECT 1"))
    .then(() => true)
    .catch(() => false);
}

/** How a database is asked: what is sent for statements, and of each thing sent what reads its results, or throws. */
type Transport<Request extends SizedRequest> = {
  single(statement: InStatement): Request;
  transaction(statements: InStatement[], isWrite: boolean): Request;
  ask(requests: Request[], reach: Reach): Promise<(() => ResultSet[])[]>;
};

function newClient<Request extends SizedRequest>(env: DatabaseEnv, { single, transaction, ask }: Transport<Request>) {
  const longestMs = Number(env.STATEMENT_SECONDS) * 1000;
  const send = (requests: Request[], ms: number) => withinNetworkDeadline(env, ms, (reach) => ask(requests, reach));
  const turns = new WriteQueue(Number(env.DB_WRITERS), send);
  const together = new ReadBatcher(longestMs, send);
  const read = async (request: Request) => {
    const [results] = await send([request], longestMs);
    return results?.() ?? [];
  };
  const write = (request: Request) => {
    const until = systemNow() + longestMs;
    return retryWhileBusy(async () => (await turns.write(request, until))());
  };
  return {
    async execute(statement: InStatement) {
      const [result] = await hop(async () => (writes(statement) ? write : read)(single(statement)));
      return result;
    },
    async batchedRead(statement: InStatement) {
      if (writes(statement)) throw new TypeError("a look-up changes nothing");
      const [result] = await hop(async () => (await together.read(single(statement)))());
      return result;
    },
    batch: (statements: InStatement[]) =>
      hop(async () => {
        // A transaction that takes the write lock late fails as busy under load, where one that waits for it gets it.
        const isWrite = statements.some(writes);
        return (isWrite ? write : read)(transaction(statements, isWrite));
      }),
  };
}

function writes(statement: InStatement) {
  return !/^\s*select\b/i.test(typeof statement === "string" ? statement : statement.sql);
}

function streamTransport({ DB_URL, DB_TOKEN, DB_STREAMS }: DatabaseEnv): Transport<StreamRequest> {
  const client = new StreamClient({ url: DB_URL, token: DB_TOKEN }, Number(DB_STREAMS));
  return {
    single: executionOf,
    transaction: transactionOf,
    async ask(requests, reach) {
      const results = await client.ask(requests, reach);
      return results.map((result) => () => resultsOf(result));
    },
  };
}

type LibraryRequest = SizedRequest & { ask(client: Client): Promise<ResultSet[]> };

/** With a client of its own for every statement or batch, for its state must not be shared between calls. */
function libraryTransport(env: DatabaseEnv): Transport<LibraryRequest> {
  // The library sends one thing at a time.
  const size = Number.POSITIVE_INFINITY;
  return {
    single: (statement) => ({ size, ask: async (client) => [await client.execute(statement)] }),
    transaction: (statements, isWrite) => ({
      size,
      ask: (client) => client.batch(statements, isWrite ? "write" : "deferred"),
    }),
    ask: (requests, reach) =>
      Promise.all(
        requests.map(async ({ ask }) => {
          const results = await ask(openLibrary(env, reach));
          return () => results;
        }),
      ),
  };
}

function openLibrary({ DB_URL, DB_TOKEN }: DatabaseEnv, fetch: Reach) {
  return createClient({ url: DB_URL, authToken: DB_TOKEN || undefined, fetch });
}

function withinNetworkDeadline<T>(
  { DB_NETWORK }: DatabaseEnv,
  ms: number,
  ask: (reach: Reach) => Promise<T>,
): Promise<T> {
  const network = DB_NETWORK ?? globalThis;
  return withinDeadline(ms, (over) =>
    ask((input, init) => checkResponse(network.fetch(input, { ...init, signal: over }))),
  );
}

/**
 * A server that cannot be reached is the caller's 14, not our bug. Once it is over, the connection is closed: the libSQL
 * server ends what it was doing for it.
 */
async function checkResponse(asked: Promise<Response>) {
  const response = await asked.catch(() => {
    throw new ApiError(14);
  });
  // 429: all of its connections are in use.
  if (response.status >= 500 || response.status === 429) {
    await response.body?.cancel();
    throw new ApiError(14);
  }
  return response;
}

/** By URL: a Worker has one. */
const databases = new Map<string, Database>();
const HEALTH_TIMEOUT_MS = 2_000;
