import { type Client, createClient } from "@libsql/client";
import type { DatabaseServer } from "../../../scripts/system/sqld.ts";

/** Rows by the names of their tables. */
export type Content = Record<string, Record<string, unknown>[]>;

/** All rows of a Worker's databases but those of the gazetteer and the inner tables of text indexes. */
export async function contentOf(server: DatabaseServer): Promise<Content> {
  const client = createClient({ url: server.url, authToken: server.token });
  const names = await tablesOf(client);
  client.close();
  const tables = names.map(async (name) => [name, await rowsOf(server, name)] as const);
  return Object.fromEntries(await Promise.all(tables));
}

async function tablesOf(client: Client): Promise<string[]> {
  const { rows } = await client.execute("SELECT name FROM sqlite_master WHERE type = 'table'");
  return rows
    .map(({ name }) => String(name))
    .filter((name) => !/_(data|idx|docsize|config|content)$|^gazetteer_/.test(name));
}

/** The number of rows of each table of a Worker's first database. */
export async function rowCountsOf({ url, token }: DatabaseServer): Promise<Record<string, number>> {
  const client = createClient({ url, authToken: token });
  const counts = (await tablesOf(client)).map((name) => `SELECT '${name}' AS name, count(*) AS rows FROM "${name}"`);
  const { rows } = await client.execute(counts.join(" UNION ALL "));
  client.close();
  return Object.fromEntries(rows.map(({ name, rows: count }) => [String(name), Number(count)]));
}

/** Values of columns that a row must have. */
export type Where = Record<string, string | number>;

/** The rows of a table, from all databases of a Worker; a value of bytes is given as its length. */
export async function rowsOf({ further = [], ...first }: DatabaseServer, table: string, where: Where = {}) {
  const rows = await Promise.all([first, ...further].map((server) => rowsAt(server, table, where)));
  return rows.flat();
}

/** Reads the rows of one database in parts, because an answer of the server holds some 10 MB. */
async function rowsAt({ url, token }: DatabaseServer, table: string, where: Where): Promise<Content[string]> {
  const client = createClient({ url, authToken: token });
  const found: Content[string] = [];
  try {
    const { rows: columns } = await client.execute({
      sql: "SELECT name, type FROM pragma_table_info(?)",
      args: [table],
    });
    const selected = columns.map(({ name, type }) =>
      String(type).toLowerCase() === "blob" ? `length("${name}") AS "${name}"` : `"${name}"`,
    );
    for (let part = ROWS_PER_READ; part === ROWS_PER_READ; ) {
      const sql = `SELECT ${selected.join() || "*"} FROM "${table}" ${conditionOf(where)} LIMIT ${ROWS_PER_READ} OFFSET ${found.length}`;
      const { rows } = await client.execute({ sql, args: Object.values(where) });
      found.push(...rows.map((row) => ({ ...row })));
      part = rows.length;
    }
    return found;
  } finally {
    client.close();
  }
}

const ROWS_PER_READ = 2000;

/** The clause that demands values of columns, with a placeholder for each. */
export function conditionOf(where: Where): string {
  const demands = Object.keys(where).map((name) => `"${name}" = ?`);
  return demands.length > 0 ? `WHERE ${demands.join(" AND ")}` : "";
}

type Change = { sql: string; args: (string | number)[] };

/** Runs a statement that changes a database as otherwise only time or a crash would. */
export async function change({ url, token }: DatabaseServer, { sql, args }: Change) {
  const client = createClient({ url, authToken: token });
  await client.execute({ sql, args });
  client.close();
}
