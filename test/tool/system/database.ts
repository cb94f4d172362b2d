import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { applyMigrations } from "../../../scripts/apply-migrations.ts";
import { startDatabases } from "../../../scripts/sqld.ts";
import { migrationsOf, WORKERS, type WorkerName } from "../../../scripts/workers.ts";
import type { DatabaseEnv } from "../../../shared/database/open.ts";

/** A database of a test's own with the tables of a Worker, none of which runs; `env` is what the Worker would be told of it. */
export async function startDatabaseOf(worker: WorkerName): Promise<{ env: DatabaseEnv; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), `fleet-${worker}-`));
  const others = WORKERS.filter((one) => one !== worker).map((one) => [`${one.toUpperCase()}_DB_URL`, "http://unused"]);
  const databases = await startDatabases(folder, Object.fromEntries(others));
  const server = databases.servers[worker];
  await applyMigrations(migrationsOf(worker), server);
  return {
    env: { DB_URL: server.url, DB_TOKEN: server.token, DB_WRITERS: "1", DB_STREAMS: "4", STATEMENT_SECONDS: "10" },
    async stop() {
      await databases.stop();
      await rm(folder, { recursive: true });
    },
  };
}
