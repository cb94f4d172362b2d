import { type Placeholder, type SQL, sql } from "drizzle-orm";
import type { RunnableQuery } from "drizzle-orm/runnable-query";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Principal } from "#shared/caller/principal.ts";
import { type Database, prepareOnce } from "#shared/database/open.ts";
import { orderBy, type Sortable } from "#shared/database/order.ts";
import { onlyRow } from "#shared/database/rows.ts";
import { callerOf, visibleTo, visibleToCaller } from "#shared/database/scope.ts";
import { read } from "#shared/database/steps.ts";
import { type ListWindow, type Page, pageAt } from "#shared/operation/list-answer.ts";
import { type Sized, sizeOf } from "../account-size/queries.ts";
import type { TextMatch } from "../text-index/queries.ts";
import type { ListSearch } from "./schema.ts";

type Rows<Row> = RunnableQuery<Row[], "sqlite"> & PromiseLike<Row[]> & { prepare(): Prepared<Row> };
type Prepared<Row> = { all(values: Record<string, unknown>): Promise<Row[]> };
type Order = ListWindow & Pick<ListSearch, "sort">;
type Caller = Pick<Principal, "account_id" | "scope">;

/** How the rows of a list are found, read, at most `size` at a time, and shown. */
type List<Row, Item> = {
  table: SQLiteTable & { id: SQLiteColumn; account_id: SQLiteColumn; tracker_id: SQLiteColumn };
  thing: Sized;
  size: number;
  sortable: Sortable;
  /** Indexes in whose order an account's rows can be walked, by what that order is sorted by. */
  walks: Record<string, string>;
  /** The tables besides its own that it is sorted by. */
  joins: SQL;
  /** The rows with these ids, sorted. */
  rowsOf(db: Database, ids: SQL, sort: ListSearch["sort"]): Rows<Row>;
  toItem(row: Row): Item;
};

/** What a filter finds: by the rows' own texts, and by what else SELECTs of the account's ids tell. */
export type Found = { texts: TextMatch; others?: SQL[] };

/** The first page with the count of all that are found, then page after page. */
export async function selectFiltered<Row, Item>(
  db: Database,
  list: List<Row, Item>,
  caller: Caller,
  search: ListSearch,
  found: Found | undefined,
) {
  const rowsOf = (part: ListWindow) => {
    const order = { ...search, ...part };
    const ids = found ? foundIds(list, caller, found, order) : idsOf(list, visibleTo(caller, list.table), order);
    return list.rowsOf(db, ids, search.sort);
  };
  const { rows, counted } = await read(db, {
    rows: rowsOf(search),
    counted: db.select({ count: countOf(list, caller, found).mapWith(Number) }).from(sql`(SELECT 1)`),
  });
  return { count: onlyRow(counted).count, page: pageFrom(list, search, rows, rowsOf) };
}

/** Those that the condition of a prepared statement picks, by id, page after page. */
export function pickedBy<Row, Item>(list: List<Row, Item>, condition: SQL) {
  const order = { sort: null, offset: sql.placeholder("offset") };
  const statement = prepareOnce((db) =>
    list.rowsOf(db, idsOf(list, visibleToCaller(list.table, condition), order), null).prepare(),
  );
  return async (db: Database, caller: Caller, values: Record<string, unknown>): Promise<Page<Item>> => {
    const rowsOf = ({ offset }: ListWindow) => statement(db).all({ ...callerOf(caller), ...values, offset });
    const first = { offset: 0 };
    return pageFrom(list, first, await rowsOf(first), rowsOf);
  };
}

function pageFrom<Row, Item>(
  { size, toItem }: List<Row, Item>,
  part: ListWindow,
  rows: Row[],
  rowsOf: (part: ListWindow) => PromiseLike<Row[]>,
): Page<Item> {
  return pageAt(rows, part, { size, read: async (rest) => await rowsOf(rest), toItem });
}

type Look = Pick<Order, "limit" | "sort"> & {
  offset: number | Placeholder;
  /** The index that must be used, or that none must: of what it is best for, the database knows nothing. */
  by?: SQL;
  /** Where it is 0 there is nothing to look for. */
  times?: SQL;
};

/** The ids of a page; the order's columns alone are sorted. */
function idsOf<Row>(
  { table, joins, sortable, size }: List<Row, unknown>,
  condition: SQL | undefined,
  { sort, limit = size, offset, by = sql``, times = sql`1` }: Look,
): SQL {
  const order = sql.join(orderBy(sort, sortable, table.id), sql`, `);
  return sql`SELECT ${table.id} FROM ${table} ${by} ${joins} WHERE ${condition}
    ORDER BY ${order} LIMIT ${times} * ${Math.min(limit, size)} OFFSET ${offset}`;
}

/**
 * Of many found the first are met soon in the order of an index, without sorting the others; few are sorted. A page is
 * some `things / found` times as long in the index, and sorting takes as many rows as are found.
 */
function foundIds<Row>(list: List<Row, unknown>, caller: Caller, found: Found, order: Order): SQL {
  const { table, thing, size, walks } = list;
  const ids = allIds(found);
  const sorted = (times?: SQL) =>
    idsOf(list, visibleTo(caller, table, sql`${table.id} IN (${ids})`), { ...order, by: sql`NOT INDEXED`, times });
  const [first = ""] = order.sort ?? [];
  const index = walks[first.slice(0, first.indexOf("="))];
  if (index === undefined) return sorted();
  const met = visibleTo(caller, table, sql`+${table.id} IN (${ids})`);
  const by = sql`INDEXED BY ${sql.identifier(index)}`;
  const walked = idsOf(list, met, { ...order, by, times: sql`(SELECT is_walked FROM way)` });
  const wanted = order.offset + Math.min(order.limit ?? size, size);
  const isWalked = sql`found * found * ${ENTRIES_A_ROW} > ${wanted} * ${sizeOf(caller, thing)}`;
  return sql`WITH way (is_walked) AS MATERIALIZED (SELECT ${isWalked} FROM (SELECT ${found.texts.count} AS found))
    SELECT id FROM (${walked}) UNION ALL SELECT id FROM (${sorted(sql`(SELECT NOT is_walked FROM way)`)})`;
}

function countOf<Row>({ table, thing }: List<Row, unknown>, caller: Caller, found: Found | undefined): SQL<number> {
  const isWhole = caller.scope === "all";
  if (!found) {
    if (isWhole) return sizeOf(caller, thing);
    return sql`(SELECT count(*) FROM ${table} WHERE ${visibleTo(caller, table)})`;
  }
  const { texts, others = [] } = found;
  if (!isWhole) {
    const visible = visibleTo(caller, table, sql`${table.id} IN (${allIds(found)})`);
    return sql`(SELECT count(*) FROM ${table} NOT INDEXED WHERE ${visible})`;
  }
  if (others.length === 0) return texts.count;
  // Nearly always these are none, and then the ids of the others are not looked at.
  return sql`${texts.count} + (SELECT count(*) FROM (${sql.join(others, sql` UNION `)}) WHERE id NOT IN (${texts.ids}))`;
}

function allIds({ texts, others = [] }: Found): SQL {
  return sql.join([texts.ids, ...others], sql` UNION ALL `);
}

/** To fetch and sort a row takes as long as to pass over so many entries of an index. */
const ENTRIES_A_ROW = 8;
