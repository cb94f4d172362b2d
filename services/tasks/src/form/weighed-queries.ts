import { type SQL, sql } from "drizzle-orm";
import type { ListWindow, Page } from "#shared/operation/list-answer.ts";

/**
 * Cuts `candidates` (columns `id` and `total`, in order) to about 4 MB, but at least one row. `weight` is an expression
 * for the bytes of the row `candidate`. `found` counts all candidates; sort the rows by `ordinal`.
 */
export function weighCandidates(candidates: SQL, weight: SQL) {
  const table = sql`(SELECT id, total, row_number() OVER () AS place, count(*) OVER () AS found,
    sum(weight) OVER (ROWS UNBOUNDED PRECEDING) - weight AS before
    FROM (SELECT candidate.*, ${weight} AS weight FROM (${candidates}) AS candidate)) AS weighed`;
  return { table, fits: sql`weighed.before < ${MAX_BYTES_PER_PAGE}`, ...WEIGHED_COLUMNS };
}

const WEIGHED_COLUMNS = {
  id: sql<number>`weighed.id`,
  total: sql<number | null>`weighed.total`,
  found: sql<number>`weighed.found`,
  ordinal: sql<number>`weighed.place`,
};

type PageSource<Row, Item> = { size: number; read(window: ListWindow): Promise<Row[]>; toItem(row: Row): Item };

/** Turns the rows of this window into a page; the next page goes on where the bytes ran out. */
export function toWeighedPage<Row extends { found: number }, Item>(
  rows: Row[],
  { limit, offset }: ListWindow,
  source: PageSource<Row, Item>,
): Page<Item> {
  const left = limit === undefined ? undefined : limit - rows.length;
  const rest = { limit: left, offset: offset + rows.length };
  const found = rows[0]?.found ?? 0;
  const hasNext = left !== 0 && (rows.length < found || found >= source.size);
  const next = async () => toWeighedPage(await source.read(rest), rest, source);
  return { items: rows.map(source.toItem), next: hasNext ? next : undefined };
}

const MAX_BYTES_PER_PAGE = 4_000_000;
