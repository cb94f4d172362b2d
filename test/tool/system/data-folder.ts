import { statfsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endRecorded, identityOf, recordProcesses } from "../../../scripts/system/processes.ts";

/** A RAM disk: what tests store is thrown away, so that no time goes into writing it safely. */
const RAM_DISK = "/dev/shm";
const LEAST_FREE_BYTES = 3 * 1024 ** 3;
const PROCESSES = "processes.json";

/** Makes an empty folder for a test's data, on a RAM disk where the machine has one with enough room. */
export function newDataFolder(name: string): Promise<string> {
  return mkdtemp(join(hasRamDisk() ? RAM_DISK : tmpdir(), `fleet-${name}-${process.pid}-`));
}

/** The files below a folder that contain a text. */
export async function filesWith(folder: string, text: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    if ((await readFile(path)).includes(text)) found.push(path);
  }
  return found;
}

/** Notes this process and all that it starts, so that `removeLeftovers` can end them after a kill -9; `remove` ends the note. */
export async function noteProcesses(): Promise<{ remove(): Promise<void> }> {
  const folder = await newDataFolder("run");
  const endRecord = recordProcesses(join(folder, PROCESSES));
  return {
    remove() {
      endRecord();
      return rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Removes the data folders of processes that ended without removing them, as by kill -9, and ends what they had started:
 * databases and Workers would go on for ever, and data on a RAM disk take memory.
 */
export async function removeLeftovers(): Promise<void> {
  // A system that shows no processes cannot tell which of them have ended.
  if (identityOf(process.pid) === undefined) return;
  const listed = [...new Set([RAM_DISK, tmpdir()])].map(async (parent) => {
    const names = await readdir(parent).catch(() => []);
    return names.filter(isLeft).map((name) => join(parent, name));
  });
  const left = (await Promise.all(listed)).flat();
  await Promise.all(left.map((folder) => endRecorded(join(folder, PROCESSES))));
  // A folder of another user stays.
  await Promise.all(left.map((folder) => rm(folder, { recursive: true, force: true }).catch(() => undefined)));
}

function isLeft(name: string): boolean {
  const pid = /^fleet-.+-(?<pid>\d+)-\w{6}$/.exec(name)?.groups?.pid;
  return pid !== undefined && identityOf(Number(pid)) === undefined;
}

function hasRamDisk(): boolean {
  try {
    const { bsize, bavail } = statfsSync(RAM_DISK);
    return process.platform === "linux" && bsize * bavail >= LEAST_FREE_BYTES;
  } catch {
    return false;
  }
}
