import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "#shared/database/open.ts";

type RouteTable = SQLiteTable & { id: SQLiteColumn };

/**
 * Inserts stops of a route that is in the same table: columns in `own` have these values, which may use `route`; the others
 * are those of the stop. `route` is an id or a query for it.
 */
export function insertStopRows(
  db: Database,
  table: RouteTable,
  route: SQL,
  own: Record<string, SQL>,
  added: { columns: object }[],
) {
  if (added.length === 0) return [];
  const values = Object.keys(getTableColumns(table)).map(
    (name) => own[name] ?? sql.raw(`stop.value -> 'columns' ->> '${name}'`),
  );
  return [
    db.insert(table).select(
      sql`SELECT ${sql.join(values, sql`, `)} FROM json_each(${JSON.stringify(added)}) AS stop
        JOIN ${table} AS route ON route.id = ${route} ORDER BY stop.key`,
    ),
  ];
}
