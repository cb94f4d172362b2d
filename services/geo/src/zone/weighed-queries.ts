import { type Column, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "#shared/database/open.ts";
import type { Page } from "#shared/operation/list-answer.ts";

/** By the id unless something else is named; nulls last in both directions. */
export type Order = { by?: Column | SQL; descending?: boolean };
/** What of a list is wanted from here on. */
export type PageRequest = Order & { condition: SQL | undefined; limit?: number; offset: number; total?: SQL<number> };

type WeighedTable = SQLiteTable & { id: SQLiteColumn };

/**
 * The ids of a page: as many as hold no more than 5 MB by their weight in bytes, and one at least. `found` is how many
 * there were to choose from, and `total` is whatever is asked for as that, for the first page alone. To be joined with what is shown, and put in order by `inOrder`.
 */
export function selectWeighedIds(db: Database, table: WeighedTable, weight: SQL, rest: PageRequest) {
  const { condition, by, limit = MAX_ROWS_PER_PAGE, offset, total } = rest;
  const candidates = db
    .select({
      id: table.id,
      rank: sql`${by ?? sql`NULL`}`.as("rank"),
      weight: weight.as("weight"),
      total: (total ?? UNKNOWN).as("total"),
    })
    .from(table)
    .where(condition)
    .orderBy(...orderTerms(rest, by, table.id))
    .limit(Math.min(limit, MAX_ROWS_PER_PAGE))
    .offset(offset)
    .as("candidates");
  const order = sql.join(orderTerms(rest, candidates.rank, candidates.id), sql`, `);
  const weighed = db
    .select({
      id: candidates.id,
      rank: candidates.rank,
      total: candidates.total,
      found: sql<number>`count(*) OVER ()`.as("found"),
      before:
        sql<number>`sum(${candidates.weight}) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) - ${candidates.weight}`.as(
          "before",
        ),
    })
    .from(candidates)
    .as("weighed");
  return {
    ids: weighed,
    fits: sql`${weighed.before} < ${MAX_BYTES_PER_PAGE}`,
    order: orderTerms(rest, weighed.rank, weighed.id),
  };
}

/** The page that these rows make, and how to get the rows behind it. */
export function pageOfRows<Row extends { found: number }, Item>(
  rows: Row[],
  rest: PageRequest,
  toItem: (row: Row) => Item,
  ask: (rest: PageRequest) => Promise<Row[]>,
): Page<Item> {
  const limit = rest.limit === undefined ? undefined : rest.limit - rows.length;
  const next = { ...rest, limit, offset: rest.offset + rows.length, total: undefined };
  const goesOn = limit !== 0 && mayHaveMore(rows);
  return {
    items: rows.map(toItem),
    next: goesOn ? async () => pageOfRows(await ask(next), next, toItem, ask) : undefined,
  };
}

/** Whether there may be more behind these rows of a page. */
export function mayHaveMore(rows: { found: number }[]) {
  const [first] = rows;
  return first !== undefined && (rows.length < first.found || first.found >= MAX_ROWS_PER_PAGE);
}

function orderTerms({ by, descending }: Order, rank: Column | SQL | SQL.Aliased | undefined, id: Column | SQL): SQL[] {
  const direction = descending ? sql`DESC` : sql`ASC`;
  if (!by || !rank) return [sql`${id} ${direction}`];
  const ranked = [sql`${rank} ${direction}`, sql`${id} ASC`];
  // What is never null is left alone, for its index to serve.
  return "notNull" in by && by.notNull ? ranked : [sql`${rank} IS NULL`, ...ranked];
}

const UNKNOWN = sql<null>`NULL`;
/** Rows to choose from. */
const MAX_ROWS_PER_PAGE = 5000;
const MAX_BYTES_PER_PAGE = 5_000_000;
