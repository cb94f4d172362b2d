import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { type Client, createClient } from "@libsql/client/http";
import { systemNow } from "../shared/time/clock.ts";
import { chainProblem } from "./database/chain.ts";
import type { DatabaseServer } from "./system/sqld.ts";
import { ROOT } from "./workers.ts";

/** Brings a database up to date, local and remote ones alike; answers with the files that it applied. */
export async function applyMigrations(folder: string, { url, token }: DatabaseServer): Promise<string[]> {
  const client = createClient({ url, authToken: token || undefined });
  try {
    const [applied, present] = await Promise.all([appliedMigrations(client), migrationFiles(folder)]);
    const [problem] = chainProblem(relative(ROOT, folder), applied, present);
    if (problem) throw new Error(problem);
    const missing = present.filter((name) => !applied.has(name));
    for (const name of missing) await apply(client, folder, name);
    return missing;
  } finally {
    client.close();
  }
}

async function appliedMigrations(client: Client) {
  // `select` alone nearly always: a database that is up to date costs one round trip and no lock.
  const query = "SELECT name FROM migration";
  const { rows } = await client.execute(query).catch(async () => {
    await client.execute("CREATE TABLE IF NOT EXISTS migration (name TEXT PRIMARY KEY, applied INTEGER NOT NULL)");
    return client.execute(query);
  });
  return new Set(rows.map(({ name }) => String(name)));
}

/** The names of a folder's migrations in their order. */
export async function migrationFiles(folder: string) {
  const files = await readdir(folder).catch((error) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return files.filter((name) => name.endsWith(".sql")).sort();
}

/** Wholly or not at all; its name comes first, so that of two at once the second fails before it changes anything. */
async function apply(client: Client, folder: string, name: string) {
  const sql = await readFile(join(folder, name), "utf8");
  const record = { sql: "INSERT INTO migration (name, applied) VALUES (?, ?)", args: [name, systemNow()] };
  // `migrate` is a batch without foreign keys: rebuilding a table drops it, which must not delete what refers to it.
  await client.migrate([record, ...statementsOf(sql)]).catch((error) => {
    throw new Error(`${relative(ROOT, join(folder, name))}: ${error.message}`);
  });
}

function statementsOf(sql: string) {
  const hasStatement = (part: string) => part.split("\n").some((line) => /^\s*(?!--)\S/.test(line));
  return sql.split("--> statement-breakpoint").filter(hasStatement);
}
