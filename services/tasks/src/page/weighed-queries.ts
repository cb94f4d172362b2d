import { type SQL, sql } from "drizzle-orm";
import type { ListWindow, Page } from "#shared/operation/list-answer.ts";

/**
 * Of the candidates, which have an `id` and a `total`, in their order: as many as weigh no more than some 4 MB, and one at least.
 * The weight is the bytes of a `candidate`, looked for once it is one. `found` is how many there were; rows are put in order by
 * `place`.
 */
export function weighedTable(candidates: SQL, weight: SQL) {
  const table = sql`(SELECT id, total, row_number() OVER () AS place, count(*) OVER () AS found,
    sum(weight) OVER (ROWS UNBOUNDED PRECEDING) - weight AS before
    FROM (SELECT candidate.*, ${weight} AS weight FROM (${candidates}) AS candidate)) AS weighed`;
  return { table, fits: sql`weighed.before < ${MOST_BYTES}`, ...COLUMNS };
}

const COLUMNS = {
  id: sql<number>`weighed.id`,
  total: sql<number | null>`weighed.total`,
  found: sql<number>`weighed.found`,
  place: sql<number>`weighed.place`,
};

type Reading<Row, Item> = { size: number; read(part: ListWindow): Promise<Row[]>; toItem(row: Row): Item };

/** The rows of this part as a page; they may be fewer than were found, because they weigh too much. */
export function weighedPage<Row extends { found: number }, Item>(
  rows: Row[],
  { limit, offset }: ListWindow,
  reading: Reading<Row, Item>,
): Page<Item> {
  const left = limit === undefined ? undefined : limit - rows.length;
  const rest = { limit: left, offset: offset + rows.length };
  const found = rows[0]?.found ?? 0;
  const goesOn = left !== 0 && (rows.length < found || found >= reading.size);
  const next = async () => weighedPage(await reading.read(rest), rest, reading);
  return { items: rows.map(reading.toItem), next: goesOn ? next : undefined };
}

const MOST_BYTES = 4_000_000;
