import { type Column, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "#shared/database/open.ts";
import type { Page } from "#shared/operation/list-answer.ts";

/** The order of a list: by id unless `by` is given; nulls come last in both directions. */
export type Order = { by?: Column | SQL; descending?: boolean };
/** A page of a list. */
export type PageRequest = Order & { condition: SQL | undefined; limit?: number; offset: number; total?: SQL<number> };

type WeighedTable = SQLiteTable & { id: SQLiteColumn };

/**
 * Ids of a page, at least one and at most 5 MB by their weight. `candidates` is the number of candidates; `total` is the
 * caller's expression, for the first page only. Join the rows to `ids`, filter by `fits`, and sort by `order`.
 */
export function selectWeighedIds(db: Database, table: WeighedTable, weight: SQL, request: PageRequest) {
  const { condition, by, limit = MAX_ROWS_PER_PAGE, offset, total } = request;
  const candidates = db
    .select({
      id: table.id,
      rank: sql`${by ?? sql`NULL`}`.as("rank"),
      weight: weight.as("weight"),
      total: (total ?? UNKNOWN).as("total"),
    })
    .from(table)
    .where(condition)
    .orderBy(...orderTerms(request, by, table.id))
    .limit(Math.min(limit, MAX_ROWS_PER_PAGE))
    .offset(offset)
    .as("candidates");
  const order = sql.join(orderTerms(request, candidates.rank, candidates.id), sql`, `);
  const weighed = db
    .select({
      id: candidates.id,
      rank: candidates.rank,
      total: candidates.total,
      candidates: sql<number>`count(*) OVER ()`.as("candidates"),
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
    order: orderTerms(request, weighed.rank, weighed.id),
  };
}

/** The page of these rows; `next` reads the following page. */
export function pageOfRows<Row extends { candidates: number }, Item>(
  rows: Row[],
  request: PageRequest,
  toItem: (row: Row) => Item,
  select: (request: PageRequest) => Promise<Row[]>,
): Page<Item> {
  const limit = request.limit === undefined ? undefined : request.limit - rows.length;
  const next = { ...request, limit, offset: request.offset + rows.length, total: undefined };
  const hasNext = limit !== 0 && mayHaveMore(rows);
  return {
    items: rows.map(toItem),
    next: hasNext ? async () => pageOfRows(await select(next), next, toItem, select) : undefined,
  };
}

/** Whether more rows may follow this page. */
export function mayHaveMore(rows: { candidates: number }[]) {
  const [first] = rows;
  return first !== undefined && (rows.length < first.candidates || first.candidates >= MAX_ROWS_PER_PAGE);
}

function orderTerms({ by, descending }: Order, rank: Column | SQL | SQL.Aliased | undefined, id: Column | SQL): SQL[] {
  const direction = descending ? sql`DESC` : sql`ASC`;
  if (!by || !rank) return [sql`${id} ${direction}`];
  const ranked = [sql`${rank} ${direction}`, sql`${id} ASC`];
  // Columns that are never null keep their plain order, which an index can serve.
  return "notNull" in by && by.notNull ? ranked : [sql`${rank} IS NULL`, ...ranked];
}

const UNKNOWN = sql<null>`NULL`;
/** Candidates for a page. */
const MAX_ROWS_PER_PAGE = 5000;
const MAX_BYTES_PER_PAGE = 5_000_000;
