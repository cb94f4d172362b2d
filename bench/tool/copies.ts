import { createClient } from "@libsql/client/http";
import type { DatabaseServer } from "../../scripts/system/sqld.ts";

/**
 * Straight into a service's table: copies of a row that the API made. `varied` are the columns that differ from copy to
 * copy, each an expression of the number `n`.
 */
export async function copyRow(
  { url, token }: DatabaseServer,
  table: string,
  id: number,
  count: number,
  varied: Record<string, string>,
) {
  const client = createClient({ url, authToken: token });
  try {
    const { rows } = await client.execute(`SELECT name FROM pragma_table_info('${table}') WHERE name <> 'id'`);
    const names = rows.map(({ name }) => String(name));
    const values = names.map((name) => varied[name] ?? `"${name}"`);
    const columns = names.map((name) => `"${name}"`);
    for (let from = 1; from < count; from += BATCH) {
      const to = Math.min(from + BATCH, count) - 1;
      await client.execute({
        sql: `WITH RECURSIVE numbers (n) AS (SELECT ? UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
              INSERT INTO ${table} (${columns}) SELECT ${values} FROM numbers, ${table} WHERE ${table}.id = ?`,
        args: [from, to, id],
      });
    }
  } finally {
    client.close();
  }
}

const BATCH = 20_000;
