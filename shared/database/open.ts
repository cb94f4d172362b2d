import { type Client, createClient, type InStatement } from "@libsql/client/web";
import { LibSQLDatabase } from "drizzle-orm/libsql/driver-core";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { ApiError } from "../error/api-error.ts";
import { hop } from "../hops/hops.ts";
import { withinDeadline } from "./deadline.ts";
import { Session } from "./session.ts";
import { type Reach, StreamClient } from "./stream-client.ts";
import { WriteTurns } from "./write-turns.ts";

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
  const [turns, longestMs] = [new WriteTurns(Number(env.DB_WRITERS)), Number(env.STATEMENT_SECONDS) * 1000];
  const asker = askerOf(env);
  const run = <T>(isWrite: boolean, ask: (reach: Reach) => Promise<T>) =>
    withinDeadline(longestMs, (over) => {
      const asked = () => ask((request) => reach(request, env.DB_NETWORK ?? globalThis, over));
      return isWrite ? turns.take(asked, over) : asked();
    });
  const client = {
    execute: (statement: InStatement) => hop(() => run(writes(statement), (reach) => asker.execute(statement, reach))),
    batch(statements: InStatement[]) {
      // A transaction that takes the write lock late fails as busy under load, where one that waits for it gets it.
      const isWrite = statements.some(writes);
      return hop(() => run(isWrite, (reach) => asker.batch(statements, isWrite, reach)));
    },
  };
  // Drizzle asks its client for nothing else, as long as nobody opens an interactive transaction.
  const database = databaseOf(client as unknown as Client);
  databases.set(env.DB_URL, database);
  return database;
}
export type Database = LibSQLDatabase & { $client: Client };

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

/** Whether the service's database answers, which it has two seconds for. */
export async function databaseAnswers(env: DatabaseEnv) {
  return withinDeadline(HEALTHY_MS, (over) =>
    libraryAsker(env).execute("SELECT 1", (request) => reach(request, env.DB_NETWORK ?? globalThis, over)),
  )
    .then(() => true)
    .catch(() => false);
}

function writes(statement: InStatement) {
  return !/^\s*select\b/i.test(typeof statement === "string" ? statement : statement.sql);
}

/** Asks the database, reaching it by what it is given. */
type Asker = Pick<StreamClient, "execute" | "batch">;

function askerOf(env: DatabaseEnv): Asker {
  const kept = Number(env.DB_STREAMS);
  return kept > 0 ? new StreamClient({ url: env.DB_URL, token: env.DB_TOKEN }, kept) : libraryAsker(env);
}

/** With a client of its own for every statement or batch, for its state must not be shared between calls. */
function libraryAsker({ DB_URL, DB_TOKEN }: DatabaseEnv): Asker {
  const open = (fetch: Reach) => createClient({ url: DB_URL, authToken: DB_TOKEN || undefined, fetch });
  return {
    execute: (statement, reach) => open(reach).execute(statement),
    batch: (statements, isWrite, reach) => open(reach).batch(statements, isWrite ? "write" : "deferred"),
  };
}

/**
 * A server that cannot be reached is the caller's 14, not our bug. Once it is over, the connection is closed: the libSQL
 * server ends what it was doing for it.
 */
async function reach(request: Request, network: { fetch: typeof fetch }, over: AbortSignal) {
  const response = await network.fetch(request, { signal: over }).catch(() => {
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
const HEALTHY_MS = 2_000;
