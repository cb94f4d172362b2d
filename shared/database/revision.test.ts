import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient } from "@libsql/client/node";
import { and, eq, sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { databaseOfClient } from "#test/tool/database/library.ts";
import type { Database } from "./open.ts";
import { revisionColumn } from "./revision.ts";
import { demand, outdatedError, retryOutdated, write } from "./steps.ts";

const thing = sqliteTable("thing", {
  id: integer().primaryKey(),
  revision: revisionColumn(),
  name: text().notNull(),
});

let folder: string;
let client: Client;
let db: Database;

beforeAll(async () => {
  // A batch of this client would leave a database in memory behind for a new one.
  folder = await mkdtemp(join(tmpdir(), "fleet-revision-"));
  client = createClient({ url: `file:${join(folder, "things.db")}` });
  db = databaseOfClient(client);
  await db.run("CREATE TABLE thing (id INTEGER PRIMARY KEY, revision INTEGER NOT NULL DEFAULT 0, name TEXT)");
});

afterAll(async () => {
  client.close();
  await rm(folder, { recursive: true, force: true });
});

test("a row begins with revision 0, and every update raises it", async () => {
  const [made] = await db.insert(thing).values({ name: "a" }).returning();
  expect(made).toMatchObject({ revision: 0 });
  for (const revision of [1, 2]) {
    const [changed] = await db
      .update(thing)
      .set({ name: "b" })
      .where(eq(thing.id, Number(made?.id)))
      .returning();
    expect(changed).toMatchObject({ revision });
  }
});

test("writers that use onCurrent each decide on what the writer before them stored", async () => {
  const [made] = await db.insert(thing).values({ name: "" }).returning();
  const id = Number(made?.id);
  const append = (letter: string) =>
    retryOutdated(async () => {
      const [found] = await db.select().from(thing).where(eq(thing.id, id));
      const isCurrent = and(eq(thing.id, id), eq(thing.revision, Number(found?.revision)));
      await write(db, {
        current: demand(sql`EXISTS (SELECT 1 FROM ${thing} WHERE ${isCurrent})`, outdatedError),
        update: db
          .update(thing)
          .set({ name: `${found?.name}${letter}` })
          .where(eq(thing.id, id)),
      });
    });
  await Promise.all([append("x"), append("y"), append("z")]);
  const [ended] = await db.select().from(thing).where(eq(thing.id, id));
  expect([...String(ended?.name)].sort().join("")).toBe("xyz");
  expect(ended?.revision).toBe(3);
});
