import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { WORKERS } from "../../../scripts/workers.ts";

/**
 * Writes files in the places of an installation that has stopped: no Worker can use them. `bytes` is the size of an
 * uploaded file, `rows` the number of rows in each database.
 */
export function writeInstallation(dataDir: string, { bytes = 1000, rows = 1 } = {}): void {
  for (const worker of [...WORKERS, "geo-2"]) {
    writeDatabase(join(dataDir, "databases", worker, "dbs", "default", "data"), worker, rows);
  }
  const feed = join(dataDir, "workers", "do", "fleet-geo-TrackerFeed", "1.sqlite");
  writeDatabase(feed, "feed");
  writeFileSync(`${feed}-shm`, "an index");
  write(join(dataDir, "workers", "r2", "fleet-files", "blobs", "1"), Buffer.alloc(bytes, "photo"));
  write(join(dataDir, "secrets.json"), '{"TOKEN_KEY": "1"}');
  write(join(dataDir, "processes.json"), "[]");
}

function writeDatabase(file: string, row: string, rows = 1) {
  mkdirSync(dirname(file), { recursive: true });
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA journal_mode = WAL; CREATE TABLE name (name); INSERT INTO name VALUES ('${row}')`);
  const more = "INSERT INTO name SELECT name FROM name, json_each(?) LIMIT ?";
  database.prepare(more).run(JSON.stringify(Array.from({ length: rows }, () => 1)), rows - 1);
  database.close();
}

/** The names that one of the stopped databases holds. */
export function readNames(file: string): unknown[] {
  const database = new DatabaseSync(file);
  const rows = database.prepare("SELECT name FROM name").all();
  database.close();
  return rows.map(({ name }) => name);
}

function write(file: string, content: string | Buffer) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
