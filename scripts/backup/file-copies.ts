import {
  type BigIntStats,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { systemNow } from "#shared/time/clock.ts";

/** Copies of the files of a folder that is written to meanwhile; `copyChanged` brings them up to date. */
export class FileCopies {
  #from: string;
  #to: string;
  #copied = new Map<string, string>();

  constructor(from: string, to: string) {
    this.#from = from;
    this.#to = to;
  }

  /**
   * Copies what is new or has changed since the last call, removes what is gone; answers how many bytes it copied.
   * `beforeEach` runs before each file and may throw.
   */
  copyChanged(beforeEach = () => {}): number {
    const present = new Set(filesUnder(this.#from));
    for (const path of this.#copied.keys()) if (!present.has(path)) this.#remove(path);
    let bytes = 0;
    for (const path of present) {
      beforeEach();
      bytes += this.#copy(path);
    }
    return bytes;
  }

  #copy(path: string): number {
    const from = join(this.#from, path);
    const stats = statOf(from);
    if (!stats) return this.#remove(path);
    const version = versionOf(stats);
    if (this.#copied.get(path) === version) return 0;
    const now = systemNow();
    try {
      copyForOwner(from, join(this.#to, path));
    } catch (thrown) {
      if (statOf(from)) throw thrown;
      return this.#remove(path);
    }
    // A file that is written twice within the resolution of its time looks unchanged: a fresh one is copied again.
    this.#copied.set(path, Number(stats.mtimeMs) < now - STABLE_AGE_MS ? version : "");
    return Number(stats.size);
  }

  /** Removes the copy of a file that is gone; 0 bytes were copied. */
  #remove(path: string): 0 {
    this.#copied.delete(path);
    rmSync(join(this.#to, path), { force: true });
    return 0;
  }
}

/** Copies a file for its owner alone; a file system that can shares the blocks instead. */
export function copyForOwner(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  copyFileSync(from, to, constants.COPYFILE_FICLONE);
  chmodSync(to, 0o600);
}

/** Paths of the files below a folder, relative to it. Indexes of write-ahead logs are left out: SQLite makes them anew. */
export function filesUnder(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith("-shm"));
  return files.map((entry) => relative(folder, join(entry.parentPath, entry.name))).sort();
}

/** Makes files and folders below `folder` safe against a power cut. */
export function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    sync(join(entry.parentPath, entry.name));
  }
  sync(folder);
}

export function sync(path: string): void {
  const handle = openSync(path, "r");
  fsyncSync(handle);
  closeSync(handle);
}

function statOf(path: string): BigIntStats | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false });
}

function versionOf({ ino, size, mtimeNs }: BigIntStats) {
  return `${ino} ${size} ${mtimeNs}`;
}

/** Longer than the coarsest time of a file system on which an installation runs. */
const STABLE_AGE_MS = 2_000;
