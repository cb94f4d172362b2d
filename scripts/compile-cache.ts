import { existsSync, readdirSync, rmSync } from "node:fs";

/** Some 400 MB, after about 25 runs of all tests. */
const MAX_FILES = 50_000;

/**
 * Empties a folder in which Node keeps compiled JavaScript, if it has become large: Vitest loads each test file under
 * another name in each run, and Node removes nothing from it.
 */
export function emptyLargeCache(folder: string, most = MAX_FILES): void {
  if (!existsSync(folder)) return;
  const count = readdirSync(folder, { recursive: true }).length;
  if (count > most) rmSync(folder, { recursive: true, force: true });
}
