import { lte, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startDatabaseOf } from "#test/tool/database/server.ts";
import { type Database, openDatabase } from "./open.ts";
import { selectObjects } from "./rows.ts";
import { demandSearchable, searchSizeTable } from "./search-size.ts";
import { read } from "./steps.ts";

const size = searchSizeTable();
const SEARCHED = {
  tasks: { table: "task", columns: ["label_folded", "description_folded", "address_folded", "external_id_folded"] },
  geo: { table: "place", columns: ["searched", "searched_fields"] },
  fleet: { table: "service_task", columns: ["description_folded", "comment_folded"] },
} as const;

const databases: Awaited<ReturnType<typeof startDatabaseOf>>[] = [];
const dbs = new Map<string, Database>();
beforeAll(async () => {
  for (const worker of ["tasks", "geo", "fleet"] as const) {
    const database = await startDatabaseOf(worker);
    databases.push(database);
    dbs.set(worker, openDatabase(database.env));
  }
});
afterAll(() => Promise.all(databases.map((database) => database.stop())));

test.each(Object.entries(SEARCHED))(
  "the search size of %s follows how much of each account is searched",
  async (worker, searched) => {
    const db = dbs.get(worker) as Database;
    const sizes = () => db.select().from(size).where(lte(size.account_id, 2)).orderBy(size.account_id).all();
    await insert(db, searched, 1, "ä".repeat(100));
    await insert(db, searched, 1, "b");
    await insert(db, searched, 2, "c");
    const columns = searched.columns.length;
    const second = { account_id: 2, things: 1, bytes: columns };
    expect(await sizes()).toEqual([{ account_id: 1, things: 2, bytes: 201 * columns }, second]);
    const first = sql.raw(searched.columns[0]);
    await db.run(sql`UPDATE ${sql.raw(searched.table)} SET ${first} = 'four' WHERE account_id = 1`);
    expect(await sizes()).toEqual([{ account_id: 1, things: 2, bytes: 8 + 201 * (columns - 1) }, second]);
    await db.run(sql`DELETE FROM ${sql.raw(searched.table)} WHERE account_id = 1`);
    // Nothing is left of an account that has nothing.
    expect(await sizes()).toEqual([second]);
  },
);

test("demandSearchable allows many texts in a small account, few in a large one, and one in any", async () => {
  const db = dbs.get("tasks") as Database;
  const one = db.select({ one: sql<number>`1` }).from(sql`(SELECT 1)`);
  const search = (account_id: number, texts: number) =>
    read(db, { searchable: demandSearchable(size, { account_id }, texts), one });
  await db.insert(size).values([
    { account_id: 7, things: 100_000, bytes: 500_000 },
    { account_id: 8, things: 100_000, bytes: 500_001 },
    { account_id: 9, things: 1_000_000, bytes: 3_000_000_000 },
  ]);
  await search(7, 200);
  await search(8, 199);
  await search(9, 1);
  await search(10, 200);
  const refused = { code: 7, extra: { errors: [{ parameter: "conditions" }] } };
  await expect(search(8, 200)).rejects.toMatchObject(refused);
  await expect(search(9, 2)).rejects.toMatchObject(refused);
});

/** Inserts a row with `text` in each searched column and a placeholder in the other required ones. */
async function insert(
  db: Database,
  { table, columns }: (typeof SEARCHED)[keyof typeof SEARCHED],
  account_id: number,
  text: string,
) {
  const all = await selectObjects<{ name: string; notnull: number; type: string }>(
    db,
    sql`SELECT * FROM pragma_table_info(${table})`,
  );
  const values: Record<string, string | number> = { account_id };
  for (const { name, notnull } of all) if (notnull && name !== "id" && name !== "account_id") values[name] = 0;
  for (const name of columns) values[name] = text;
  const names = sql.raw(Object.keys(values).join('", "'));
  await db.run(
    sql`INSERT INTO ${sql.raw(table)} (${sql.raw('"')}${names}${sql.raw('"')}) VALUES (${sql.join(
      Object.values(values).map((value) => sql`${value}`),
      sql`, `,
    )})`,
  );
}
