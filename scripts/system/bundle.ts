import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { buildConsole } from "../console/build-console.ts";
import { configOf, folderOf, forEachWorker, ROOT, type WorkerName } from "../workers.ts";
import { endAtExit } from "./processes.ts";
import { buildStaticFiles } from "./static-files.ts";
import { deriveChangedOptions } from "./worker-options.ts";

// No banner, no question, no look-up of newer versions on the Internet.
const QUIET = {
  ...{ WRANGLER_SEND_METRICS: "false", WRANGLER_HIDE_BANNER: "true", CI: "true", NO_COLOR: "1" },
  // A process that runs Workers asks wrangler for errors only; bundling reports sizes.
  WRANGLER_LOG: "log",
};

/** The folder of a Worker's index.js, as it would be deployed. */
export function bundleOf(worker: WorkerName) {
  return join(ROOT, ".build", worker);
}

/** The file with the output of wrangler for a bundle: its size and warnings. */
export function bundlingLogOf(worker: WorkerName) {
  return join(bundleOf(worker), "wrangler.log");
}

/**
 * Bundles what has changed since it was bundled last, and derives the options with which the bundles are run. Without
 * `withConsole` the console is what was built last, or absent.
 */
export function bundleChanged({ withConsole = false } = {}): Promise<unknown> {
  // One after the other: systems of tests start at the same time in one process and would write the same folders.
  bundling = bundling.catch(() => undefined).then(() => bundleNow(withConsole));
  return bundling;
}

let bundling: Promise<unknown> = Promise.resolve();

async function bundleNow(withConsole: boolean) {
  if (withConsole) await buildConsole();
  await buildStaticFiles();
  // The folder of static files is among the options and must be there.
  await deriveChangedOptions();
  return forEachWorker(async (worker) => {
    const stamp = join(bundleOf(worker), "sources");
    const sources = fingerprint(worker);
    const isBundled = existsSync(stamp) && existsSync(bundlingLogOf(worker));
    if (isBundled && readFileSync(stamp, "utf8") === sources) return;
    // Beside it first: an interrupted build leaves the last bundle whole.
    const fresh = `${bundleOf(worker)}.${process.pid}`;
    const log = await buildForDeployment(worker, fresh);
    await writeFile(join(fresh, basename(bundlingLogOf(worker))), log);
    await writeFile(join(fresh, "sources"), sources);
    await rm(bundleOf(worker), { recursive: true, force: true });
    await rename(fresh, bundleOf(worker)).catch(async (error) => {
      // Another start has made the bundle meanwhile.
      if (!existsSync(stamp)) throw error;
      await rm(fresh, { recursive: true });
    });
  });
}

/**
 * Bundles into `folder` what `wrangler deploy` would upload; answers wrangler's output and warnings. `options`: more
 * arguments for wrangler.
 */
export async function buildForDeployment(worker: WorkerName, folder: string, options: string[] = []) {
  await mkdir(folder, { recursive: true });
  const wrangler = join(ROOT, "node_modules", "wrangler", "bin", "wrangler.js");
  const from = ["--env", "", "--config", configOf(worker)];
  const args = [wrangler, "deploy", "--dry-run", "--outdir", folder, ...from, ...options];
  const build = promisify(execFile)(process.execPath, args, { cwd: ROOT, env: { ...process.env, ...QUIET } });
  endAtExit(build.child);
  const { stdout, stderr } = await build.catch(({ stdout, stderr }) => {
    throw new Error(`${worker} cannot be bundled.\n${stdout}${stderr}`);
  });
  return stdout + stderr;
}

/** Names, times and sizes of all that may be in the bundle: a file put back from yesterday counts as a change too. */
function fingerprint(worker: WorkerName) {
  const others = [configOf(worker), join(ROOT, "shared"), join(ROOT, "package.json"), join(ROOT, "package-lock.json")];
  const roots = [join(folderOf(worker), "src"), ...others];
  const hash = createHash("sha256");
  for (const file of roots.flatMap(filesUnder).sort()) {
    const { mtimeMs, size } = statSync(file);
    hash.update(`${file} ${mtimeMs} ${size}\n`);
  }
  return hash.digest("hex");
}

function filesUnder(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  const entries = readdirSync(path, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"));
  return files.map((entry) => join(entry.parentPath, entry.name));
}
