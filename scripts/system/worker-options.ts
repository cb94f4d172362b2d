import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { V4WorkerOptionsShape } from "miniflare";
import { configOf, ROOT, WORKERS, type WorkerName } from "../workers.ts";
import { endAtExit } from "./processes.ts";

const FILE = join(ROOT, ".build", "options.json");
type Options = Record<WorkerName, V4WorkerOptionsShape>;
type DerivedOptions = { sources: string; options: Options };

/** The options of a Worker for Miniflare, without its modules, as `deriveChangedOptions` has stored them. */
export function workerOptions(): Options {
  return JSON.parse(readFileSync(FILE, "utf8")).options;
}

/** Has wrangler derive the options in a process that ends, if a wrangler.toml or a package has changed since. */
export async function deriveChangedOptions(): Promise<void> {
  const sources = fingerprint();
  if (existsSync(FILE) && JSON.parse(readFileSync(FILE, "utf8")).sources === sources) return;
  await mkdir(join(ROOT, ".build"), { recursive: true });
  const fresh = `${FILE}.${process.pid}`;
  const program = join(import.meta.dirname, "derive-options.ts");
  const deriving = promisify(execFile)(process.execPath, [...process.execArgv, program, fresh], { cwd: ROOT });
  endAtExit(deriving.child);
  await deriving.catch(({ stdout, stderr }) => {
    throw new Error(`The options of the Workers cannot be derived from their wrangler.toml.\n${stdout}${stderr}`);
  });
  const derived: DerivedOptions = { sources, options: JSON.parse(readFileSync(fresh, "utf8")) };
  await writeFile(fresh, JSON.stringify(derived));
  await rename(fresh, FILE);
}

/** A hash of all that decides about the options; they hold paths below the project's folder. */
function fingerprint(): string {
  const hash = createHash("sha256").update(ROOT);
  for (const file of [
    ...WORKERS.map(configOf),
    join(ROOT, "package-lock.json"),
    join(import.meta.dirname, "derive-options.ts"),
  ]) {
    hash.update(readFileSync(file));
  }
  return hash.digest("hex");
}
