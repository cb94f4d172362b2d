import { type Client, createClient, type InStatement } from "@libsql/client/web";
import { and, eq, getTableColumns, isNull, or, type SQL, sql } from "drizzle-orm";
import type { LibSQLDatabase } from "drizzle-orm/libsql";
import { drizzle } from "drizzle-orm/libsql/web";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Principal, Scope } from "../caller/principal.ts";
import { ApiError, type ErrorCode, type Extra } from "../error/api-error.ts";
import { isTaken } from "../error/failure.ts";
import { WriteTurns } from "./write-turns.ts";

/** What every service is told of its own database. */
export type DatabaseEnv = {
  DB_URL: string;
  DB_TOKEN?: string;
  /** The private network that the server is in, where there is one; else it is reached over the Internet. */
  DB_NETWORK?: { fetch: typeof fetch };
};

/** A table of customers' data; `tracker_id` where a row is tied to a tracker. */
type Scoped = { account_id: SQLiteColumn; tracker_id?: SQLiteColumn };

/**
 * One for the isolate, so that what is prepared stays prepared; but a client of its own for every statement or batch,
 * for a client's state must not be shared between calls.
 */
export function openDatabase(env: DatabaseEnv): Database {
  const known = databases.get(env.DB_URL);
  if (known) return known;
  const turns = new WriteTurns();
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

/** What the principal may see: its account's rows, less those tied to a tracker hidden from it. */
export function visibleTo(
  { account_id, scope }: Pick<Principal, "account_id" | "scope">,
  table: Scoped,
  ...conditions: (SQL | undefined)[]
) {
  const { tracker_id } = table;
  const shown = tracker_id && scope !== "all" ? or(isNull(tracker_id), among(tracker_id, scope)) : undefined;
  return and(eq(table.account_id, account_id), shown, ...conditions);
}

/** `visibleTo` for a prepared statement: who calls is told by `callerOf` when it runs. */
export function visibleToCaller(table: Scoped, ...conditions: (SQL | undefined)[]) {
  const { tracker_id } = table;
  const scope = sql.placeholder("scope");
  const shown =
    tracker_id &&
    sql`(${scope} IS NULL OR ${tracker_id} IS NULL OR ${tracker_id} IN (SELECT value FROM json_each(${scope})))`;
  return and(eq(table.account_id, sql.placeholder("account_id")), shown, ...conditions);
}

/** The values of a prepared statement's `visibleToCaller`. */
export function callerOf({ account_id, scope }: Pick<Principal, "account_id" | "scope">) {
  return { account_id, scope: scope === "all" ? null : JSON.stringify(scope) };
}

/** One JSON parameter however many ids: no limit on the number of variables, one statement to prepare. */
export function among(column: SQLiteColumn | SQL, values: Exclude<Scope, "all"> | string[]) {
  return sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`;
}

/** For an insert: the row, if the condition holds in that moment. So what a row refers to is there when it is stored. */
export function rowIf<Table extends SQLiteTable>(table: Table, row: Table["$inferInsert"], condition: SQL | undefined) {
  const given: Record<string, unknown> = row;
  const values = Object.entries(getTableColumns(table)).map(([name, column]) =>
    sql.param(given[name] ?? null, column as SQLiteColumn),
  );
  return sql`SELECT ${sql.join(values, sql`, `)} WHERE ${condition ?? sql`TRUE`}`;
}

/** Turns the refusal of a unique index into the code that the caller knows. */
export function taken(code: ErrorCode, extra?: Extra) {
  return (thrown: unknown): never => {
    throw isTaken(thrown) ? new ApiError(code, extra) : thrown;
  };
}

/** The row of a statement that always gives one. */
export function only<Row>([row]: Row[]): Row {
  if (row === undefined) throw new Error("a row was expected");
  return row;
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
