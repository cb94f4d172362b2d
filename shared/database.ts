import { createClient } from "@libsql/client/web";
import { drizzle } from "drizzle-orm/libsql/web";

/** What every service is told of its own database. */
export type DatabaseEnv = { DB_URL: string; DB_TOKEN?: string };

/** One client a call: its queue must not be shared between calls. */
export function openDatabase(env: DatabaseEnv) {
  return drizzle({ client: createClient({ url: env.DB_URL, authToken: env.DB_TOKEN || undefined }) });
}
export type Database = ReturnType<typeof openDatabase>;

/** Whether the service's database answers. */
export async function databaseAnswers(env: DatabaseEnv) {
  return createClient({ url: env.DB_URL, authToken: env.DB_TOKEN || undefined })
    .execute("SELECT 1")
    .then(() => true)
    .catch(() => false);
}
