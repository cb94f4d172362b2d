import { statfsSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A RAM disk: what tests store is thrown away, so that no time goes into writing it safely. */
const RAM_DISK = "/dev/shm";
const LEAST_FREE_BYTES = 3 * 1024 ** 3;

/** Makes an empty folder for a test's data, on a RAM disk where the machine has one with enough room. */
export function newDataFolder(name: string): Promise<string> {
  return mkdtemp(join(hasRamDisk() ? RAM_DISK : tmpdir(), `fleet-${name}-`));
}

function hasRamDisk(): boolean {
  try {
    const { bsize, bavail } = statfsSync(RAM_DISK);
    return process.platform === "linux" && bsize * bavail >= LEAST_FREE_BYTES;
  } catch {
    return false;
  }
}
