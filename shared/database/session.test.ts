import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient, type ResultSet } from "@libsql/client";
import { and, asc, count, eq, getTableColumns, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql";
import { alias, blob, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { IndexedResult } from "../libsql/indexed-result.ts";
import { type Database, databaseOf } from "./open.ts";

const owner = sqliteTable("owner", { id: integer().primaryKey(), name: text() });
const thing = sqliteTable("thing", {
  id: integer().primaryKey(),
  owner_id: integer(),
  label: text().notNull(),
  is_open: integer({ mode: "boolean" }),
  made: integer({ mode: "timestamp_ms" }),
  facts: text({ mode: "json" }),
  data: blob({ mode: "buffer" }),
});
const other = alias(owner, "other");

let folder: string;
let client: Client;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fleet-session-"));
  client = createClient({ url: `file:${join(folder, "things.db")}` });
  await client.executeMultiple(`
    CREATE TABLE owner (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE thing (id INTEGER PRIMARY KEY, owner_id INTEGER, label TEXT NOT NULL, is_open INTEGER, made INTEGER, facts TEXT, data BLOB);
    INSERT INTO owner VALUES (1, 'Ann'), (2, NULL);
    INSERT INTO thing VALUES (1, 1, 'crane', 1, 1000, '{"a":[1]}', x'00ff'), (2, 2, 'lorry', 0, NULL, NULL, NULL), (3, NULL, 'van', NULL, 5, '7', x''), (4, 9, 'bus', 1, 0, NULL, NULL)`);
});

afterAll(async () => {
  client.close();
  await rm(folder, { recursive: true });
});

const QUERIES: Record<string, (db: Database) => PromiseLike<unknown>> = {
  "whole rows": (db) => db.select().from(thing).orderBy(thing.id),
  "rows that joins may not have": (db) =>
    db.select().from(thing).leftJoin(owner, eq(owner.id, thing.owner_id)).orderBy(thing.id),
  "two joins of one table": (db) =>
    db
      .select()
      .from(thing)
      .leftJoin(owner, eq(owner.id, thing.owner_id))
      .leftJoin(other, and(eq(other.id, thing.owner_id), eq(other.id, 2)))
      .orderBy(thing.id),
  "members of several tables, and expressions": (db) =>
    db
      .select({
        thing: { id: thing.id, owner: owner.name },
        owner: getTableColumns(owner),
        twice: sql<number>`${thing.id} * 2`,
        upper: sql`upper(${thing.label})`.mapWith((text: string) => `${text}!`),
        named: sql<string>`${thing.label} || ''`.as("named"),
      })
      .from(thing)
      .leftJoin(owner, eq(owner.id, thing.owner_id))
      .orderBy(asc(thing.label)),
  "a row of a subquery": (db) => {
    const found = db
      .select({ id: thing.id, label: sql<string>`lower(${thing.label})`.as("low") })
      .from(thing)
      .as("found");
    return db.select({ label: found.label, found_id: found.id, n: count() }).from(found).groupBy(found.id);
  },
  "the first row": (db) => db.select().from(thing).where(eq(thing.id, 3)).get(),
  "no row": (db) =>
    db
      .select()
      .from(thing)
      .where(eq(thing.id, 99))
      .get()
      .then((row) => row ?? "none"),
  "a prepared one": (db) =>
    db
      .select({ thing, owner })
      .from(thing)
      .leftJoin(owner, eq(owner.id, thing.owner_id))
      .where(eq(thing.id, sql.placeholder("id")))
      .prepare()
      .get({ id: 4 }),
  "rows by names": (db) => db.all(sql`SELECT id, label, 1 AS one FROM thing ORDER BY id`),
  "what was written": (db) => db.update(thing).set({ label: "crane" }).where(eq(thing.id, 1)).returning(),
  "a batch": (db) =>
    db.batch([
      db.select({ thing, owner }).from(thing).leftJoin(owner, eq(owner.id, thing.owner_id)).orderBy(thing.id),
      db.select({ count: count() }).from(thing),
      db.select({ id: thing.id }).from(thing).where(eq(thing.id, 99)),
    ]),
};

test.each(Object.entries(QUERIES))("rows of %s are read as drizzle reads them", async (_, ask) => {
  expect(await ask(databaseOf(withOwnRows(client)))).toStrictEqual(await ask(drizzle({ client })));
});

/** Answers results as a server's are made. */
function withOwnRows(library: Client): Client {
  const own = ({ columns, columnTypes, rows, rowsAffected, lastInsertRowid }: ResultSet) => {
    const values = rows.map((row) => Array.from(row));
    return new IndexedResult({ columns, columnTypes, rowsAffected, lastInsertRowid, values });
  };
  const asker = {
    execute: async (statement: Parameters<Client["batch"]>[0][number]) =>
      own(await library.execute(statement as string)),
    batch: async (statements: Parameters<Client["batch"]>[0]) => (await library.batch(statements)).map(own),
  };
  // Drizzle asks its client for nothing else.
  return asker as unknown as Client;
}
