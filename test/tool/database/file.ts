import { copyFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@libsql/client/node";
import { afterAll } from "vitest";
import type { WorkerName } from "../../../scripts/workers.ts";
import type { Database } from "../../../shared/database/open.ts";
import { newDataFolder } from "../system/data-folder.ts";
import { databaseOfClient } from "./library.ts";
import { templateOf } from "./migrated.ts";

/** Opens a SQLite file with the tables of a Worker and no server before it; `close` removes the file. */
export async function newDatabaseFile(worker: WorkerName): Promise<{ db: Database; close(): Promise<void> }> {
  const folder = await newDataFolder("file");
  const file = join(folder, `${worker}.db`);
  const template = join(await templateOf(1), worker, "dbs", "default", "data");
  for (const part of ["", "-wal"]) await copyFile(template + part, file + part);
  const client = createClient({ url: `file:${file}` });
  return {
    db: databaseOfClient(client),
    async close() {
      client.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Opens a SQLite file for all tests of a test file, which calls this outside of its tests; removes it after them. */
export async function openDatabaseFile(worker: WorkerName): Promise<Database> {
  const { db, close } = await newDatabaseFile(worker);
  afterAll(close);
  return db;
}
