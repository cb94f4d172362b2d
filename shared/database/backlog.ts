import { type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "./open.ts";
import { selectObjects } from "./rows.ts";

/** The size of a queue. */
export type Backlog = {
  queue: string;
  /** Counted up to a maximum. */
  waiting: number;
  /** Row id of the first waiting row; it changes when that row is done. Null when the queue is empty. */
  first: number | null;
};

/** Tables that are queues, by name; `waits` is the condition of waiting rows, by default all. */
export type Queues = Record<string, { table: SQLiteTable; waits?: SQL }>;

/** Sizes of queues, each counted up to 100,000; an index must serve each condition. */
export function selectBacklogs(db: Database, queues: Queues): Promise<Backlog[]> {
  const counts = Object.entries(queues).map(([queue, { table, waits }]) => {
    const waiting = sql`SELECT rowid AS place FROM ${table} WHERE ${waits ?? sql`TRUE`} LIMIT ${MAX_COUNTED_ROWS}`;
    return sql`SELECT ${queue} AS queue, count(*) AS waiting, min(place) AS first FROM (${waiting})`;
  });
  return selectObjects<Backlog>(db, sql.join(counts, sql` UNION ALL `));
}

const MAX_COUNTED_ROWS = 100_000;
