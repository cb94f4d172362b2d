import { rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createClient } from "@libsql/client";
import { expect, test } from "vitest";
import { startDatabases } from "../../scripts/system/sqld.ts";
import { WORKERS } from "../../scripts/workers.ts";
import { filesWith, newDataFolder } from "../tool/system/data-folder.ts";

test("a stopped database that is compacted as docs/operating.md says keeps its rows and nothing of deleted ones", async () => {
  const folder = await newDataFolder("compaction");
  const own = Object.fromEntries(
    WORKERS.filter((one) => one !== "fleet").map((one) => [`${one}_DB_URL`.toUpperCase(), "-"]),
  );
  const work = async (...statements: string[]) => {
    const databases = await startDatabases(folder, own);
    const { url, token } = databases.servers.fleet;
    const client = createClient({ url, authToken: token });
    const results = await client.batch(statements, "write");
    client.close();
    await databases.stop();
    return results.at(-1)?.rows.map((row) => row[0]);
  };
  await work("CREATE TABLE name (name)", "INSERT INTO name VALUES ('Remaining Ann'), ('Removed Bob')");
  await work("DELETE FROM name WHERE name = 'Removed Bob'");
  expect(await filesWith(folder, "Removed Bob")).not.toEqual([]);

  const files = join(folder, "fleet", "dbs", "default");
  const database = new DatabaseSync(join(files, "data"));
  database.exec("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  await rm(join(files, "wallog"));
  expect(await filesWith(folder, "Removed Bob")).toEqual([]);
  expect(await work("SELECT name FROM name")).toEqual(["Remaining Ann"]);
  await rm(folder, { recursive: true });
});
