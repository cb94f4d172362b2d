import { type Client, createClient } from "@libsql/client";
import type { DatabaseServer } from "../../../scripts/sqld.ts";

/** Rows by the names of their tables. */
export type Content = Record<string, Record<string, unknown>[]>;

/** But for the inner tables of indexes of text; of several databases of a Worker together. */
export async function contentOf({ url, token, further = [] }: DatabaseServer): Promise<Content> {
  const client = createClient({ url, authToken: token });
  const { rows } = await client.execute("SELECT name FROM sqlite_master WHERE type = 'table'");
  const names = rows
    .map(({ name }) => String(name))
    .filter((name) => !/_(data|idx|docsize|config|content)$/.test(name));
  const tables = await Promise.all(names.map((name) => rowsOf(client, name)));
  client.close();
  const content: Content = Object.fromEntries(tables.map((rows, index) => [names[index] ?? "", rows]));
  for (const other of await Promise.all(further.map(contentOf))) {
    for (const [name, rows] of Object.entries(other)) content[name]?.push(...rows);
  }
  return content;
}

/** In parts: an answer of the server holds some 10 MB. */
async function rowsOf(client: Client, table: string): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  for (let part = PART; part === PART; ) {
    const { rows } = await client.execute(`SELECT * FROM "${table}" LIMIT ${PART} OFFSET ${found.length}`);
    found.push(...rows.map((row) => ({ ...row })));
    part = rows.length;
  }
  return found;
}

const PART = 400;

type Change = { sql: string; args: (string | number)[] };

/** What only time or a crash would do to a database. */
export async function change({ url, token }: DatabaseServer, { sql, args }: Change) {
  const client = createClient({ url, authToken: token });
  await client.execute({ sql, args });
  client.close();
}

/** What is stored of one tracker's points stands there for others as well, as if they had driven the same. */
export async function copyChunks({ url, token }: DatabaseServer, tracker_id: number, others: number[]) {
  const client = createClient({ url, authToken: token });
  const { columns } = await client.execute("SELECT * FROM chunk LIMIT 0");
  const copied = columns
    .filter((name) => name !== "id" && name !== "tracker_id")
    .map((name) => `"${name}"`)
    .join();
  const sql = `INSERT INTO chunk (tracker_id, ${copied}) SELECT ?, ${copied} FROM chunk WHERE tracker_id = ?`;
  for (const other of others) await client.execute({ sql, args: [other, tracker_id] });
  client.close();
}
