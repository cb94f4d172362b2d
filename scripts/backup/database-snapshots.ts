import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { WORKERS } from "../workers.ts";

/** The databases of an installation as they were at one moment, while their servers go on writing. */
export class DatabaseSnapshots {
  #files: string[];
  #open = new Map<string, DatabaseSync>();

  /** `files`: paths relative to the data folder, as `databaseFiles` finds them. */
  constructor(dataDir: string, files: string[]) {
    this.#files = files;
    for (const file of files) this.#open.set(file, new DatabaseSync(join(dataDir, file), { readOnly: true }));
  }

  /** Begins a reading transaction in each database: it reads this moment for as long as it lasts. */
  begin(): void {
    for (const database of this.#open.values()) database.exec("BEGIN; SELECT 1 FROM sqlite_master");
  }

  async copyTo(folder: string): Promise<void> {
    for (const file of this.#files) {
      const database = this.#open.get(file);
      const copy = join(folder, file);
      mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
      if (database) await backup(database, copy, { rate: PAGES_PER_STEP });
    }
  }

  close(): void {
    for (const database of this.#open.values()) database.close();
  }
}

/** The files of an installation's databases, relative to its data folder. */
export function databaseFiles(dataDir: string): string[] {
  const folder = join(dataDir, "databases");
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const files = names.map((name) => [name, join("databases", name, "dbs", "default", "data")] as const);
  const present = files.filter(([, file]) => existsSync(join(dataDir, file)));
  const missing = WORKERS.find((worker) => !present.some(([name]) => name === worker));
  if (missing) {
    throw new Error(
      `There is no database of ${missing} in ${dataDir}: set DATA_DIR to the folder of an installation. Databases on servers of their own are backed up there.`,
    );
  }
  return present.map(([, file]) => file);
}

/** 4 MB: between two steps the process handles signals. */
const PAGES_PER_STEP = 1024;
