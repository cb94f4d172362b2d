import { type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "./open.ts";

/** What waits to be told or done, by the name of its queue. */
export type Backlog = {
  queue: string;
  /** As far as it is counted. */
  waiting: number;
  /** The place of the first one, which is another one's as soon as that is done; null where none waits. */
  first: number | null;
};

/** Tables whose rows wait to be told or done, by the names of the queues: all rows, or those of which it is true. */
export type Queues = Record<string, { table: SQLiteTable; waits?: SQL }>;

/** How much waits in each, counted up to a hundred thousand: conditions are those of an index. */
export function selectBacklogs(db: Database, queues: Queues): Promise<Backlog[]> {
  const counts = Object.entries(queues).map(([queue, { table, waits }]) => {
    const waiting = sql`SELECT rowid AS place FROM ${table} WHERE ${waits ?? sql`TRUE`} LIMIT ${MAX_COUNTED_ROWS}`;
    return sql`SELECT ${queue} AS queue, count(*) AS waiting, min(place) AS first FROM (${waiting})`;
  });
  return db.all<Backlog>(sql.join(counts, sql` UNION ALL `));
}

const MAX_COUNTED_ROWS = 100_000;
