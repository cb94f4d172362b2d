import { type Client, createClient } from "@libsql/client";
import type { DatabaseServer } from "../../../scripts/system/sqld.ts";

/** The column, and the table, that the next release adds. */
export const OF_NEXT_RELEASE = "of_next_release";

/**
 * Adds a column to each table of a database, and a table: while an installation is updated, Workers run on databases that
 * the next release has migrated.
 */
export async function addNextRelease({ url, token }: DatabaseServer): Promise<void> {
  const client = createClient({ url, authToken: token });
  const grown = (await tablesOf(client)).map((table) => `ALTER TABLE "${table}" ADD COLUMN ${OF_NEXT_RELEASE} TEXT`);
  await client.batch([...grown, `CREATE TABLE ${OF_NEXT_RELEASE} (id INTEGER PRIMARY KEY)`], "write");
  client.close();
}

/** Text indexes and the tables inside of them cannot be altered. */
async function tablesOf(client: Client): Promise<string[]> {
  const { rows } = await client.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'");
  const tables = rows.filter(({ sql }) => /^CREATE TABLE/.test(String(sql)));
  return tables
    .map(({ name }) => String(name))
    .filter((name) => !/^sqlite_|_(data|idx|docsize|config|content)$/.test(name));
}
