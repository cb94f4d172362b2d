import { type SQL, sql } from "drizzle-orm";
import type { ListWindow, Page } from "#shared/operation/list-answer.ts";

/**
 * Of the candidates, which have an `id` and a `total`, in their order: as many as weigh no more than some 4 MB, and one at least.
 * The weight is the bytes of a `candidate`, looked for once it is one. `found` is how many there were; rows are put in order by
 * `place`.
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

/** The rows of this part as a page; they may be fewer than were found, because they weigh too much. */
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
