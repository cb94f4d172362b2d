import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createClient } from "@libsql/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { LocalWorkers } from "../../scripts/system/miniflare.ts";
import { startDatabases } from "../../scripts/system/sqld.ts";
import { WORKERS } from "../../scripts/workers.ts";
import { systemNow } from "../../shared/time/clock.ts";
import { type Accounts, accountsOn } from "../tool/call/account.ts";
import { type LocalInstallation, newLocalInstallation } from "../tool/installation/local-workers.ts";
import { newDataFolder } from "../tool/system/data-folder.ts";

let ground: LocalInstallation;
let workers: LocalWorkers;
let accounts: Accounts;

beforeAll(async () => {
  ground = await newLocalInstallation();
  workers = await ground.start();
  accounts = accountsOn(ground);
});

afterAll(async () => {
  await workers?.stop();
  await ground?.remove();
});

test("an ingest key is in no file of an installation, and devices need it after a restart", async () => {
  const key = `key of the device ${systemNow()}`;
  const account = await accounts.newAccount();
  const { id: tracker_id, source } = await account.newTracker();
  await account.must("/tracker/ingest_key/update", { tracker_id, key });
  const send = async (headers: Record<string, string>) => {
    const body = JSON.stringify({ device_id: source.device_id, points: [{ time: systemNow(), lat: 50, lng: 8 }] });
    return (await fetch(`${ground.baseUrl}/ingest/points`, { method: "POST", headers, body })).status;
  };
  expect(await send({ "X-Ingest-Key": key })).toBe(200);
  await workers.stop();
  // The device's id is stored as text beside the key's hash: its file is among those that are searched.
  expect(await filesWith(join(ground.folder, "workers"), source.device_id)).not.toEqual([]);
  expect(await filesWith(ground.folder, key)).toEqual([]);
  workers = await ground.start();
  expect([await send({}), await send({ "X-Ingest-Key": key })]).toEqual([404, 200]);
});

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

/** The files below a folder that contain a text. */
async function filesWith(folder: string, text: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    if ((await readFile(path)).includes(text)) found.push(path);
  }
  return found;
}
