import { count, type SQL, sql } from "drizzle-orm";
import type { RunnableQuery } from "drizzle-orm/runnable-query";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "#shared/database/open.ts";
import { only } from "#shared/database/rows.ts";
import { read } from "#shared/database/steps.ts";
import { type Page, type Part, pageAt } from "#shared/operation/list-answer.ts";
import type { ListSearch } from "./schema.ts";

/** A row that knows how many there are on all pages, where it was asked for. */
type Row = { total: number | null };
type Rows<R> = RunnableQuery<R[], "sqlite"> & PromiseLike<R[]>;
type Order = Part & Pick<ListSearch, "sort">;

/** How the rows of a list are read, at most `size` at a time, and shown. */
type List<R extends Row, Item> = {
  table: SQLiteTable;
  size: number;
  rowsOf(db: Database, condition: SQL | undefined, order: Order, total: SQL<number | null>): Rows<R>;
  toItem(row: R): Item;
};

/** The first page with the count of all that the condition picks, then page after page. */
export async function selectFiltered<R extends Row, Item>(
  db: Database,
  list: List<R, Item>,
  condition: SQL | undefined,
  search: ListSearch,
) {
  const { rows, total } = search.filter
    ? await selectFound(db, list, condition, search)
    : await selectAll(db, list, condition, search);
  return { count: total, page: pageFrom(db, list, condition, search, rows) };
}

/** Those that the condition picks, by id, page after page. */
export async function selectWhere<R extends Row, Item>(
  db: Database,
  list: List<R, Item>,
  condition: SQL | undefined,
): Promise<Page<Item>> {
  const order = { sort: null, offset: 0 };
  return pageFrom(db, list, condition, order, await list.rowsOf(db, condition, order, UNKNOWN));
}

/** An index counts them without looking at their rows. */
async function selectAll<R extends Row>(
  db: Database,
  list: List<R, unknown>,
  condition: SQL | undefined,
  order: Order,
) {
  const { rows, counted } = await read(db, {
    rows: list.rowsOf(db, condition, order, UNKNOWN),
    counted: countOf(db, list, condition),
  });
  return { rows, total: only(counted).count };
}

/** In one look through the account: each row of the first page knows how many there are. */
async function selectFound<R extends Row>(
  db: Database,
  list: List<R, unknown>,
  condition: SQL | undefined,
  order: Order,
) {
  const rows = await list.rowsOf(db, condition, order, sql`count(*) OVER ()`);
  // Behind the end, or of a page of none, there is no row that could tell.
  const total = rows[0]?.total ?? only(await countOf(db, list, condition)).count;
  return { rows, total };
}

function countOf(db: Database, { table }: Pick<List<Row, unknown>, "table">, condition: SQL | undefined) {
  return db.select({ count: count() }).from(table).where(condition);
}

function pageFrom<R extends Row, Item>(
  db: Database,
  { size, rowsOf, toItem }: List<R, Item>,
  condition: SQL | undefined,
  order: Order,
  rows: R[],
): Page<Item> {
  return pageAt(rows, order, {
    size,
    read: async (part: Part) => await rowsOf(db, condition, { ...order, ...part }, UNKNOWN),
    toItem,
  });
}

const UNKNOWN = sql<null>`NULL`;
