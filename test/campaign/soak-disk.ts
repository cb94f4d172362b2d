import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, readdirSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

export type SmallDisk = { holds(name: string): boolean; fill(): void; free(): void; unmount(): void };

/** A disk for one folder, small enough to be filled; undefined where nobody lets us mount one. */
export function mountSmallDisk(folder: string): SmallDisk | undefined {
  if (process.platform !== "linux") return undefined;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const options = ["-t", "tmpfs", "-o", `size=${DISK_BYTES},mode=700`, "tmpfs", folder];
  if (spawnSync("mount", options, { stdio: "ignore" }).status !== 0) return undefined;
  const ballast = join(folder, "ballast");
  // Before the folder that it stands in is removed.
  process.prependOnceListener("exit", unmount);
  return {
    holds: (name) => readdirSync(folder).some((entry) => entry.includes(name)),
    fill() {
      const file = openSync(ballast, "w");
      // To the last page: what is left of a large part may still hold small ones.
      for (const bytes of [1024 * 1024, 4096]) writeUntilFull(file, Buffer.alloc(bytes));
      closeSync(file);
    },
    free: () => rmSync(ballast, { force: true }),
    unmount() {
      process.removeListener("exit", unmount);
      unmount();
    },
  };

  /** Works even while a file on it is open. */
  function unmount() {
    spawnSync("umount", ["--lazy", folder], { stdio: "ignore" });
  }
}

function writeUntilFull(file: number, part: Buffer) {
  try {
    while (writeSync(file, part) > 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error; // what Node throws for a system call
  }
}

/** Room for a long run's feeds several times over, and still filled within a second. */
const DISK_BYTES = 256 * 1024 * 1024;
