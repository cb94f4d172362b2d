import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll } from "vitest";
import { startDatabases } from "../../../scripts/system/sqld.ts";
import { WORKERS, type WorkerName } from "../../../scripts/workers.ts";
import type { DatabaseEnv } from "../../../shared/database/open.ts";
import { newDataFolder } from "../system/data-folder.ts";
import { templateOf } from "./migrated.ts";

/** Starts a database server with the tables of a Worker that does not run; `env` is the environment it would have. */
export async function startDatabaseOf(worker: WorkerName): Promise<{ env: DatabaseEnv; stop(): Promise<void> }> {
  const folder = await newDataFolder(worker);
  await cp(join(await templateOf(1), worker), join(folder, worker), { recursive: true });
  const others = WORKERS.filter((one) => one !== worker).map((one) => [`${one.toUpperCase()}_DB_URL`, "http://unused"]);
  const databases = await startDatabases(folder, Object.fromEntries(others));
  const server = databases.servers[worker];
  return {
    env: { DB_URL: server.url, DB_TOKEN: server.token, DB_WRITERS: "1", DB_STREAMS: "4", STATEMENT_SECONDS: "10" },
    async stop() {
      await databases.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** Starts a database server for all tests of a test file, which calls this outside of its tests; stops it after them. */
export async function serveDatabase(worker: WorkerName): Promise<DatabaseEnv> {
  const { env, stop } = await startDatabaseOf(worker);
  afterAll(stop);
  return env;
}
