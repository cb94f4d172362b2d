import { type SQL, sql } from "drizzle-orm";

/**
 * Cuts `candidates` (columns `id` and `total`, in order) to about 4 MB, but at least one row. `weight` is an expression
 * for the bytes of the row `candidate`. The column `candidates` is their number; sort the rows by `ordinal`.
 */
export function weighCandidates(candidates: SQL, weight: SQL) {
  const table = sql`(SELECT *, row_number() OVER () AS ordinal, count(*) OVER () AS candidates,
    sum(weight) OVER (ROWS UNBOUNDED PRECEDING) - weight AS before
    FROM (SELECT candidate.*, ${weight} AS weight FROM (${candidates}) AS candidate)) AS weighed`;
  return { table, fits: sql`weighed.before < ${MAX_BYTES_PER_PAGE}`, ...WEIGHED_COLUMNS };
}

const WEIGHED_COLUMNS = {
  id: sql<number>`weighed.id`,
  total: sql<number | null>`weighed.total`,
  candidates: sql<number>`weighed.candidates`,
  ordinal: sql<number>`weighed.ordinal`,
};
const MAX_BYTES_PER_PAGE = 4_000_000;
