import { type Client, createClient, type InStatement } from "@libsql/client/web";
import { sql } from "drizzle-orm";
import type { LibSQLDatabase } from "drizzle-orm/libsql";
import { drizzle } from "drizzle-orm/libsql/web";
import { ApiError } from "../error/api-error.ts";
import { WriteTurns } from "./write-turns.ts";

/** What every service is told of its own database. */
export type DatabaseEnv = {
  DB_URL: string;
  DB_TOKEN?: string;
  /** How many writes of an isolate are under way at a time. */
  DB_WRITERS: string;
  /** The private network that the server is in, where there is one; else it is reached over the Internet. */
  DB_NETWORK?: { fetch: typeof fetch };
};

/**
 * One for the isolate, so that what is prepared stays prepared; but a client of its own for every statement or batch,
 * for a client's state must not be shared between calls.
 */
export function openDatabase(env: DatabaseEnv): Database {
  const known = databases.get(env.DB_URL);
  if (known) return known;
  const turns = new WriteTurns(Number(env.DB_WRITERS));
  const client = {
    execute: (statement: InStatement) =>
      writes(statement) ? turns.take(() => openClient(env).execute(statement)) : openClient(env).execute(statement),
    // A transaction that takes the write lock late fails as busy under load, where one that waits for it gets it.
    batch: (statements: InStatement[]) =>
      statements.some(writes)
        ? turns.take(() => openClient(env).batch(statements, "write"))
        : openClient(env).batch(statements, "deferred"),
  };
  // Drizzle asks its client for nothing else, as long as nobody opens an interactive transaction.
  const database = drizzle({ client: client as unknown as Client });
  databases.set(env.DB_URL, database);
  return database;
}
export type Database = LibSQLDatabase & { $client: Client };

/** A statement that is built once: on a hot path that takes longer than to run it. */
export function prepared<Statement>(build: (db: Database) => Statement): (db: Database) => Statement {
  const built = new WeakMap<Database, Statement>();
  return (db) => {
    const statement = built.get(db) ?? build(db);
    built.set(db, statement);
    return statement;
  };
}

/** Whether the service's database answers. */
export async function databaseAnswers(env: DatabaseEnv) {
  return openDatabase(env)
    .run(sql`SELECT 1`)
    .then(() => true)
    .catch(() => false);
}

function writes(statement: InStatement) {
  return !/^\s*select\b/i.test(typeof statement === "string" ? statement : statement.sql);
}

function openClient(env: DatabaseEnv) {
  return createClient({
    url: env.DB_URL,
    authToken: env.DB_TOKEN || undefined,
    fetch: (request: Request) => reach(request, env.DB_NETWORK ?? globalThis),
  });
}

/** A server that cannot be reached is the caller's 14, not our bug. */
async function reach(request: Request, network: { fetch: typeof fetch }) {
  const response = await network.fetch(request).catch(() => {
    throw new ApiError(14);
  });
  if (response.status >= 500) {
    await response.body?.cancel();
    throw new ApiError(14);
  }
  return response;
}

/** By URL: a Worker has one. */
const databases = new Map<string, Database>();
