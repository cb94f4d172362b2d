import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient } from "@libsql/client/node";
import { asc, eq, sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { afterAll, beforeAll, beforeEach, expect, expectTypeOf, test } from "vitest";
import { databaseOfClient } from "#test/tool/database/library.ts";
import { ApiError } from "../error/api-error.ts";
import type { Database } from "./open.ts";
import { throwIfTaken } from "./rows.ts";
import { demand, demandChange, outdatedError, read, retryOutdated, write } from "./steps.ts";

const thing = sqliteTable("thing", {
  id: integer().primaryKey(),
  name: text().notNull().unique(),
  revision: integer().notNull().default(0),
});

let folder: string;
let client: Client;
let db: Database;

beforeAll(async () => {
  // A batch of this client would leave a database in memory behind for a new one.
  folder = await mkdtemp(join(tmpdir(), "fleet-steps-"));
  client = createClient({ url: `file:${join(folder, "things.db")}` });
  db = databaseOfClient(client);
  await db.run("CREATE TABLE thing (id INTEGER PRIMARY KEY, name TEXT UNIQUE, revision INTEGER NOT NULL DEFAULT 0)");
});

beforeEach(async () => {
  await db.delete(thing);
  await db.insert(thing).values([{ name: "a" }, { name: "b" }, { name: "c" }]);
});

afterAll(async () => {
  client.close();
  await rm(folder, { recursive: true, force: true });
});

const isThere = (name: string) => sql`EXISTS (SELECT 1 FROM ${thing} WHERE ${thing.name} = ${name})`;
const names = () => db.select({ name: thing.name }).from(thing).orderBy(asc(thing.id));

test("write names results like their steps, whatever the order; demands and lists have none", async () => {
  const results = await write(db, {
    free: demand(sql`NOT ${isThere("d")}`, () => new ApiError(247)),
    made: db.insert(thing).values({ name: "d" }).returning({ id: thing.id }),
    others: [db.insert(thing).values({ name: "e" }), db.delete(thing).where(eq(thing.name, "b"))],
    nothing: undefined,
    always: demand(undefined, () => new ApiError(6)),
    shown: names(),
  });
  expect(results).toEqual({
    made: [{ id: expect.any(Number) }],
    shown: [{ name: "a" }, { name: "c" }, { name: "d" }, { name: "e" }],
  });
  expectTypeOf(results.shown).toEqualTypeOf<{ name: string }[]>();
  expectTypeOf<keyof typeof results>().toEqualTypeOf<"made" | "shown">();
});

test("write throws the error of a demand that fails, and stores nothing of the transaction", async () => {
  const refused = write(db, {
    made: db.insert(thing).values({ name: "d" }),
    known: demand(isThere("nobody"), () => new ApiError(204)),
    later: db.insert(thing).values({ name: "e" }),
  });
  await expect(refused).rejects.toMatchObject({ code: 204 });
  expect((await read(db, { names: names() })).names).toEqual([{ name: "a" }, { name: "b" }, { name: "c" }]);
});

test("read throws the error of the first demand that fails, and a condition of null fails", async () => {
  const refused = read(db, {
    holds: demand(isThere("a"), () => new ApiError(6)),
    unknown: demand(sql`NULL`, () => new ApiError(201)),
    never: demand(sql`FALSE`, () => new ApiError(204)),
  });
  await expect(refused).rejects.toMatchObject({ code: 201 });
});

test("demandChange tests the statement in front of it", async () => {
  const rename = (from: string, to: string) => db.update(thing).set({ name: to }).where(eq(thing.name, from));
  await write(db, { renamed: rename("c", "f"), found: demandChange(() => new ApiError(201)) });
  const refused = write(db, { renamed: rename("c", "g"), found: demandChange(() => new ApiError(201)) });
  await expect(refused).rejects.toMatchObject({ code: 201 });
});

test("write and read pass other failures on as they are, also from the condition of a demand", async () => {
  const repeat = db.insert(thing).values({ name: "a" });
  const holds = demand(isThere("a"), () => new ApiError(6));
  await expect(write(db, { holds, repeat }).catch(throwIfTaken(206))).rejects.toMatchObject({ code: 206 });
  const broken = demand(sql`EXISTS (SELECT 1 FROM nowhere)`, () => new ApiError(201));
  await expect(read(db, { broken })).rejects.toThrow("no such table");
});

test("retryOutdated repeats a decision on outdated rows a few times, then answers 14", async () => {
  let read = 0;
  const current = retryOutdated(async () => {
    if (++read < 3) throw outdatedError();
    return read;
  });
  await expect(current).resolves.toBe(3);
  const never = retryOutdated(async () => {
    read++;
    throw outdatedError();
  });
  await expect(never).rejects.toMatchObject({ code: 14 });
  expect(read).toBe(6);
  await expect(retryOutdated(() => Promise.reject(new ApiError(201)))).rejects.toMatchObject({ code: 201 });
});
