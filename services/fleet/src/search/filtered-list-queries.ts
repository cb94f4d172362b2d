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
import { type CountedKind, sizeOf } from "./account-size-queries.ts";
import type { ListSearch } from "./list-search.ts";
import type { TextMatch } from "./text-index-queries.ts";

type RowsQuery<Row> = RunnableQuery<Row[], "sqlite"> & PromiseLike<Row[]> & { prepare(): PreparedQuery<Row> };
type PreparedQuery<Row> = { all(values: Record<string, unknown>): Promise<Row[]> };
type Order = ListWindow & Pick<ListSearch, "sort">;
type Caller = Pick<Principal, "account_id" | "scope">;

/** A list: how its rows are found, sorted, read in pages of at most `size`, and converted. */
type List<Row extends object, Item> = {
  table: SQLiteTable & { id: SQLiteColumn; account_id: SQLiteColumn; tracker_id: SQLiteColumn };
  kind: CountedKind;
  size: number;
  sortable: Sortable;
  /** Indexes that hold an account's rows in sorted order, by the name of the sort column. */
  sortIndexes: Record<string, string>;
  /** Joins of the other tables that have sort columns. */
  joins: SQL;
  /** The query for the rows with these ids, sorted. */
  rowsOf(db: Database, ids: SQL, sort: ListSearch["sort"]): RowsQuery<Row>;
  toItem(row: Row): Item;
};

/**
 * The matches of a filter: the rows' own texts, and further ids selected by `otherIds`, for instance by the label of a
 * department.
 */
export type ListFilter = { texts: TextMatch; otherIds?: SQL[] };

/** The first page with the number of all matching rows; further pages on demand. */
export async function selectFiltered<Row extends object, Item>(
  db: Database,
  list: List<Row, Item>,
  caller: Caller,
  search: ListSearch,
  filter: ListFilter | undefined,
) {
  const rowsOf = (window: ListWindow) => {
    const order = { ...search, ...window };
    const ids = filter ? filteredIds(list, caller, filter, order) : idsOf(list, visibleTo(caller, list.table), order);
    return list.rowsOf(db, ids, search.sort);
  };
  const { rows, counted } = await read(db, {
    rows: rowsOf(search),
    counted: db.select({ count: countOf(list, caller, filter).mapWith(Number) }).from(sql`(SELECT 1)`),
  });
  return { count: onlyRow(counted).count, page: pageFrom(list, search, rows, rowsOf) };
}

/** Prepares a query for the rows that match the condition, by id, in pages. */
export function preparePages<Row extends object, Item>(list: List<Row, Item>, condition: SQL) {
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

function pageFrom<Row extends object, Item>(
  { size, toItem }: List<Row, Item>,
  window: ListWindow,
  rows: Row[],
  rowsOf: (part: ListWindow) => PromiseLike<Row[]>,
): Page<Item> {
  return pageAt(rows, window, { size, read: async (rest) => await rowsOf(rest), toItem });
}

type PageOptions = Pick<Order, "limit" | "sort"> & {
  offset: number | Placeholder;
  /** Forces or forbids an index: the database has no statistics to choose by. */
  indexHint?: SQL;
  /** The limit of the page is multiplied by it: 0 skips this query at run time. */
  factor?: SQL;
};

/** The query for the ids of a page. Sorting ids alone is cheaper than sorting whole rows. */
function idsOf<Row extends object>(
  { table, joins, sortable, size }: List<Row, unknown>,
  condition: SQL | undefined,
  { sort, limit = size, offset, indexHint = sql``, factor = sql`1` }: PageOptions,
): SQL {
  const order = sql.join(orderBy(sort, sortable, table.id), sql`, `);
  return sql`SELECT ${table.id} FROM ${table} ${indexHint} ${joins} WHERE ${condition}
    ORDER BY ${order} LIMIT ${factor} * ${Math.min(limit, size)} OFFSET ${offset}`;
}

/**
 * Chooses between two ways in SQL. With many matches, walking an index in sorted order soon meets a page of them, after
 * some `things / found` entries per row; with few matches, sorting all of them is cheaper.
 */
function filteredIds<Row extends object>(
  list: List<Row, unknown>,
  caller: Caller,
  filter: ListFilter,
  order: Order,
): SQL {
  const { table, kind, size, sortIndexes } = list;
  const ids = matchingIds(filter);
  const sortedIds = (factor?: SQL) =>
    idsOf(list, visibleTo(caller, table, sql`${table.id} IN (${ids})`), {
      ...order,
      indexHint: sql`NOT INDEXED`,
      factor,
    });
  const [first = ""] = order.sort ?? [];
  const index = sortIndexes[first.slice(0, first.indexOf("="))];
  if (index === undefined) return sortedIds();
  const indexCondition = visibleTo(caller, table, sql`+${table.id} IN (${ids})`);
  const indexHint = sql`INDEXED BY ${sql.identifier(index)}`;
  const indexedIds = idsOf(list, indexCondition, { ...order, indexHint, factor: sql`(SELECT uses_index FROM choice)` });
  const neededRows = order.offset + Math.min(order.limit ?? size, size);
  const usesIndex = sql`found * found * ${INDEX_ENTRIES_PER_ROW} > ${neededRows} * ${sizeOf(caller, kind)}`;
  return sql`WITH choice (uses_index) AS MATERIALIZED (SELECT ${usesIndex} FROM (SELECT ${filter.texts.count} AS found))
    SELECT id FROM (${indexedIds}) UNION ALL SELECT id FROM (${sortedIds(sql`(SELECT NOT uses_index FROM choice)`)})`;
}

function countOf<Row extends object>(
  { table, kind }: List<Row, unknown>,
  caller: Caller,
  filter: ListFilter | undefined,
): SQL<number> {
  const isWhole = caller.scope === "all";
  if (!filter) {
    if (isWhole) return sizeOf(caller, kind);
    return sql`(SELECT count(*) FROM ${table} WHERE ${visibleTo(caller, table)})`;
  }
  const { texts, otherIds = [] } = filter;
  if (!isWhole) {
    const visible = visibleTo(caller, table, sql`${table.id} IN (${matchingIds(filter)})`);
    return sql`(SELECT count(*) FROM ${table} NOT INDEXED WHERE ${visible})`;
  }
  if (otherIds.length === 0) return texts.count;
  // The further matches are nearly always none, and then the ids found by text are not read.
  return sql`${texts.count} + (SELECT count(*) FROM (${sql.join(otherIds, sql` UNION `)}) WHERE id NOT IN (${texts.ids}))`;
}

function matchingIds({ texts, otherIds = [] }: ListFilter): SQL {
  return sql.join([texts.ids, ...otherIds], sql` UNION ALL `);
}

/** Fetching and sorting a row takes as long as passing so many entries of an index. */
const INDEX_ENTRIES_PER_ROW = 8;
