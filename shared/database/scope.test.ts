import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient } from "@libsql/client/node";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { databaseOfClient } from "#test/tool/database/library.ts";
import type { Scope } from "../caller/principal.ts";
import { ApiError } from "../error/api-error.ts";
import { isTaken, takenColumns } from "../error/failure.ts";
import { type Database, prepareOnce } from "./open.ts";
import { onlyRow, throwIfTaken } from "./rows.ts";
import { among, callerOf, visibleTo, visibleToCaller } from "./scope.ts";

const thing = sqliteTable("thing", {
  id: integer().primaryKey(),
  account_id: integer().notNull(),
  tracker_id: integer(),
  name: text().unique(),
});
/** The rows of `thing`, as a table whose rows belong to no tracker. */
const plain = { account_id: thing.account_id };

let folder: string;
let client: Client;
let db: Database;

beforeAll(async () => {
  // A batch of this client would leave a database in memory behind for a new one.
  folder = await mkdtemp(join(tmpdir(), "fleet-database-"));
  client = createClient({ url: `file:${join(folder, "things.db")}` });
  db = databaseOfClient(client);
  await db.run("CREATE TABLE thing (id INTEGER PRIMARY KEY, account_id INTEGER, tracker_id INTEGER, name TEXT UNIQUE)");
  await db.insert(thing).values([
    { id: 1, account_id: 1, tracker_id: 71, name: "on 71" },
    { id: 2, account_id: 1, tracker_id: 72, name: "on 72" },
    { id: 3, account_id: 1, tracker_id: null, name: "on none" },
    { id: 4, account_id: 2, tracker_id: 71, name: "another account's, on 71" },
    { id: 5, account_id: 2, tracker_id: null, name: "another account's, on none" },
  ]);
});

afterAll(async () => {
  client.close();
  await rm(folder, { recursive: true, force: true });
});

const selectSeen = prepareOnce((db) => db.select({ id: thing.id }).from(thing).where(visibleToCaller(thing)).prepare());

test.each<[Scope, number[]]>([
  ["all", [1, 2, 3]],
  [[71], [1, 3]],
  [
    [71, 72],
    [1, 2, 3],
  ],
  [[73], [3]],
  [[], [3]],
])(
  "visibleTo gives a caller of the trackers %j the account's rows on these alone (%j), prepared or not",
  async (scope, ids) => {
    const principal = { account_id: 1, scope };
    const built = await db.select({ id: thing.id }).from(thing).where(visibleTo(principal, thing));
    expect(idsOf(built)).toEqual(ids);
    expect(idsOf(await selectSeen(db).all(callerOf(principal)))).toEqual(ids);
  },
);

test("visibleTo shows rows without a tracker to everyone in the account, and to no other account", async () => {
  const seenIn = async (account_id: number) =>
    idsOf(
      await db
        .select({ id: thing.id })
        .from(thing)
        .where(visibleTo({ account_id, scope: [] }, plain)),
    );
  expect(await seenIn(1)).toEqual([1, 2, 3]);
  expect(await seenIn(2)).toEqual([4, 5]);
  expect(await seenIn(3)).toEqual([]);
});

test("visibleTo with further conditions narrows what is visible and cannot widen it", async () => {
  const anything = among(thing.id, [1, 2, 3, 4, 5]);
  const seen = await db
    .select({ id: thing.id })
    .from(thing)
    .where(visibleTo({ account_id: 1, scope: [72] }, thing, anything, undefined));
  expect(idsOf(seen)).toEqual([2, 3]);
});

test("an update through visibleTo changes no row that is not visible", async () => {
  const wanted = visibleTo({ account_id: 1, scope: [71] }, thing, among(thing.id, [2, 4]));
  expect(await db.update(thing).set({ tracker_id: 99 }).where(wanted).returning()).toEqual([]);
});

test("among sends a list of thousands of values as one parameter, and text in it stays text", async () => {
  const many = Array.from({ length: 40_000 }, (_, index) => index + 3);
  const found = await db.select({ id: thing.id }).from(thing).where(among(thing.id, many));
  expect(idsOf(found)).toEqual([3, 4, 5]);
  const named = await db
    .select({ id: thing.id })
    .from(thing)
    .where(among(thing.name, ["on none", "x') OR 1=1 --", '"']));
  expect(idsOf(named)).toEqual([3]);
});

test("throwIfTaken turns a unique index's refusal into the given code, in a statement and in a batch", async () => {
  const repeat = db.insert(thing).values({ account_id: 1, name: "on 71" });
  await expect(repeat.catch(throwIfTaken(247, { why: "twice" }))).rejects.toMatchObject({
    code: 247,
    extra: { why: "twice" },
  });
  await expect(db.batch([repeat]).catch(throwIfTaken(206))).rejects.toMatchObject({ code: 206 });
  const refusal: unknown = await repeat.catch((thrown) => thrown);
  expect(isTaken(refusal)).toBe(true);
  expect(takenColumns(refusal)).toBe("thing.name");
});

test("throwIfTaken passes any other failure on as it is", async () => {
  const [noTable, notUnique] = [db.run("SELECT * FROM nothing"), db.run("INSERT INTO thing (id) VALUES ('x')")];
  for (const failing of [noTable, notUnique]) {
    const thrown: unknown = await failing.catch(throwIfTaken(247)).catch((passed) => passed);
    expect(thrown).toBeInstanceOf(Error);
    expect(thrown).not.toBeInstanceOf(ApiError);
    expect([isTaken(thrown), takenColumns(thrown)]).toEqual([false, ""]);
  }
  expect(isTaken(undefined)).toBe(false);
});

test("onlyRow throws when a statement gives no row", () => {
  expect(onlyRow([5, 6])).toBe(5);
  expect(() => onlyRow([])).toThrow();
});

function idsOf(rows: { id: number }[]) {
  return rows.map(({ id }) => id).sort();
}
