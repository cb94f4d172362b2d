import { createClient } from "@libsql/client";
import { generateHash, keyOf } from "../../../gateway/src/credential/hash.ts";
import type { Secrets } from "../../../scripts/system/secrets.ts";
import type { DatabaseServer } from "../../../scripts/system/sqld.ts";
import { conditionOf, type Where } from "./content.ts";

/** `where`: the row by values of its columns. `changed`: columns of copies as expressions, in which `n` numbers them from 1. */
export type Copies = {
  table: string;
  where: Where;
  count: number;
  changed: Record<string, string>;
};

/** Copies a row, as if the calls that made it had been repeated. */
export async function copyRow({ url, token }: DatabaseServer, { table, where, count, changed }: Copies) {
  const client = createClient({ url, authToken: token });
  const { columns } = await client.execute(`SELECT * FROM "${table}" LIMIT 0`);
  const copied = columns.map((name) => changed[name] ?? `"${name}"`).join();
  const sql = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
    INSERT INTO "${table}" (${columns.map((name) => `"${name}"`).join()})
    SELECT ${copied} FROM (SELECT * FROM "${table}" ${conditionOf(where)} LIMIT 1), numbers`;
  const { rowsAffected } = await client.execute({ sql, args: Object.values(where) });
  client.close();
  if (rowsAffected < count) throw new Error(`${table} has no such row: ${JSON.stringify(where)}`);
}

/** Copies a tracker of fleet's database and its device, by the device's id; answers the copies' ids. Nothing has come from them. */
export async function copyTracker(server: DatabaseServer, { source_id, count }: { source_id: number; count: number }) {
  const changed = { id: "NULL", device_id: "device_id || '-' || n" };
  await copyRow(server, { table: "source", where: { id: source_id }, count, changed });
  const sql = `INSERT INTO tracker (account_id, source_id, label, label_folded)
    SELECT copy.account_id, copy.id, label, label_folded FROM tracker JOIN source AS first ON first.id = source_id
    JOIN source AS copy ON copy.device_id LIKE first.device_id || '-%' WHERE source_id = ? RETURNING id`;
  const client = createClient({ url: server.url, authToken: server.token });
  const { rows } = await client.execute({ sql, args: [source_id] });
  client.close();
  return rows.map(({ id }) => Number(id));
}

/** A copy of a user; `hash` is that of a session of its own. */
export type UserCopy = { id: number; login: string; hash: string };

/** Copies a master of gateway's database who has a session. */
export async function copyUser(
  server: DatabaseServer,
  secrets: Secrets,
  { user_id, count }: { user_id: number; count: number },
): Promise<UserCopy[]> {
  const changed = { id: "NULL", login: "n || '-' || login", login_key: "n || '-' || login_key" };
  await copyRow(server, { table: "user", where: { id: user_id }, count, changed });
  const client = createClient({ url: server.url, authToken: server.token });
  const { rows } = await client.execute({
    sql: `SELECT copy.id, copy.login FROM user AS first JOIN user AS copy ON copy.login_key LIKE '%-' || first.login_key
      WHERE first.id = ?`,
    args: [user_id],
  });
  const copies = rows.map(({ id, login }) => ({ id: Number(id), login: String(login), hash: generateHash(secrets) }));
  const sql = `INSERT INTO credential (key, id, account_id, user_id, kind, created, expires_at, host, user_agent)
    SELECT ?, abs(random()) >> 16, ?, ?, kind, created, expires_at, host, user_agent
    FROM credential WHERE user_id = ? AND kind = 'session' LIMIT 1`;
  await client.batch(
    copies.map(({ id, hash }) => ({ sql, args: [keyOf(hash, secrets), id, id, user_id] })),
    "write",
  );
  client.close();
  return copies;
}

/** Copies a tracker's stored chunks to other trackers, as if they had driven the same. */
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
