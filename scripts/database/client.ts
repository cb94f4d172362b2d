import { type Client, createClient } from "@libsql/client/http";
import type { DatabaseServer } from "../system/sqld.ts";

/** The rows of each query whose table exists: a missing table has none. Also the names of all tables. */
export async function readTables<Name extends string>(
  server: DatabaseServer,
  queries: Record<Name, string>,
): Promise<{ rows: Record<Name, Record<string, unknown>[]>; tables: Set<string> }> {
  return withClient(server, async (client) => {
    // Tables of the scripts themselves, and of SQLite, are in databases that are not migrated yet, too.
    const { rows: found } = await client.execute("SELECT name FROM sqlite_master WHERE type = 'table'");
    const tables = new Set(found.map(({ name }) => String(name)));
    const names = Object.keys(queries) as Name[];
    const read = names.map(async (name): Promise<[Name, Record<string, unknown>[]]> => {
      return [name, tables.has(name) ? (await client.execute(queries[name])).rows : []];
    });
    const isOwnTable = (name: string) => SCRIPT_TABLES.includes(name) || /^(sqlite_|libsql_|_)/.test(name);
    const others = new Set([...tables].filter((name) => !isOwnTable(name)));
    return {
      rows: Object.fromEntries(await Promise.all(read)) as Record<Name, Record<string, unknown>[]>,
      tables: others,
    };
  });
}

const SCRIPT_TABLES = ["migration", "installation", "key_fingerprint", "deployment_lease"];

export async function withClient<T>({ url, token }: DatabaseServer, use: (client: Client) => Promise<T>): Promise<T> {
  const client = createClient({ url, authToken: token || undefined });
  try {
    return await use(client);
  } finally {
    client.close();
  }
}

/** Why a database cannot be used, with its host and without its token. */
export function connectionProblem(label: string, { url }: DatabaseServer, error: unknown): string {
  const { host } = new URL(url);
  const reasons: unknown[] = [];
  for (let cause = error; cause instanceof Error && !reasons.includes(cause); cause = cause.cause) reasons.push(cause);
  const text = reasons.map((reason) => (reason instanceof Error ? reason.message : "")).join(" ");
  if (/\b40[13]\b|[Uu]nauthorized|[Aa]uthentication/.test(text))
    return `${label}: the database server ${host} refuses the token; set ${label.replace("_URL", "_TOKEN")} to a valid one.`;
  const code = reasons.map((reason) => (reason as { code?: unknown }).code).findLast((one) => typeof one === "string");
  return `${label}: the database server ${host} does not answer (${code ?? text}); check the address, and that the server runs.`;
}
