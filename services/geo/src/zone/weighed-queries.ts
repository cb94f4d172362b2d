import { type Column, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "#shared/database/open.ts";
import { weighCandidates } from "#shared/database/weigh-candidates.ts";
import type { ListWindow } from "#shared/operation/list-answer.ts";

/** The order of a list: by id unless `by` is given; nulls come last in both directions. */
export type Order = { by?: Column | SQL; descending?: boolean };
/** A page of a list. `total` is the caller's expression for the number of all rows. */
export type PageRequest = Order & ListWindow & { condition: SQL | undefined; total?: SQL<number> };

type WeighedTable = SQLiteTable & { id: SQLiteColumn };

/** The rows of a page in their order, cut to the bytes of an answer by `weight`; `rank` is the value of `by`. */
export function selectWeighedIds(db: Database, table: WeighedTable, weight: SQL, request: PageRequest) {
  const { condition, by, limit = MAX_ROWS_PER_PAGE, offset, total } = request;
  const candidates = db
    .select({
      id: table.id,
      rank: sql`${by ?? sql`NULL`}`.as("rank"),
      bytes: weight.as("bytes"),
      total: (total ?? sql<null>`NULL`).as("total"),
    })
    .from(table)
    .where(condition)
    .orderBy(...orderTerms(request, table.id))
    .limit(Math.min(limit, MAX_ROWS_PER_PAGE))
    .offset(offset);
  return { ...weighCandidates(candidates.getSQL(), sql`candidate.bytes`), rank: sql<number>`weighed.rank` };
}

function orderTerms({ by, descending }: Order, id: Column): SQL[] {
  const direction = descending ? sql`DESC` : sql`ASC`;
  if (!by) return [sql`${id} ${direction}`];
  const ranked = [sql`${by} ${direction}`, sql`${id} ASC`];
  // Columns that are never null keep their plain order, which an index can serve.
  return "notNull" in by && by.notNull ? ranked : [sql`${by} IS NULL`, ...ranked];
}

/** Candidates for a page. */
export const MAX_ROWS_PER_PAGE = 5000;
