import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { endAtExit } from "../system/processes.ts";
import { ROOT } from "../workers.ts";

/** The folder of the console's sources. */
export const CONSOLE = join(ROOT, "console");
/** The folder of the built console, with the digest of its sources in `BUILT_SOURCES`. */
export const BUILT_CONSOLE = join(ROOT, ".build", "console");
export const BUILT_SOURCES = join(BUILT_CONSOLE, "sources");
export const VITE = join(ROOT, "node_modules", "vite", "bin", "vite.js");

/** Builds the console unless the last build has the same sources. */
export async function buildConsole(): Promise<void> {
  const sources = await digestOfSources();
  const isBuilt = async () => existsSync(BUILT_SOURCES) && (await readFile(BUILT_SOURCES, "utf8")) === sources;
  if (await isBuilt()) return;
  // A folder beside it first: an interrupted build leaves the last one whole.
  const fresh = `${BUILT_CONSOLE}.${process.pid}`;
  // A process of its own: the one that starts the system stays for months, and would keep the memory.
  const build = promisify(execFile)(
    process.execPath,
    [VITE, "build", CONSOLE, "--outDir", fresh, "--emptyOutDir", "--logLevel", "warn"],
    { cwd: ROOT, env: { ...process.env, NODE_ENV: "production", NO_COLOR: "1" } },
  );
  endAtExit(build.child);
  await build.catch(({ stdout, stderr }) => {
    throw new Error(`The console cannot be built.\n${stdout}${stderr}`);
  });
  await writeFile(join(fresh, "sources"), sources);
  await rm(BUILT_CONSOLE, { recursive: true, force: true });
  await rename(fresh, BUILT_CONSOLE).catch(async (error) => {
    // Another start has built it meanwhile.
    if (!(await isBuilt())) throw error;
    await rm(fresh, { recursive: true });
  });
}

/** Names and contents: a build is used again in a fresh checkout, too. */
async function digestOfSources(): Promise<string> {
  const folders = [CONSOLE, join(ROOT, "clients", "typescript", "src")];
  const files = [...(await Promise.all(folders.map(filesUnder))).flat(), join(ROOT, "package-lock.json")].sort();
  const hash = createHash("sha256");
  for (const file of files) hash.update(`${file.slice(ROOT.length)}\n`).update(await readFile(file));
  return hash.digest("hex");
}

async function filesUnder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  // Declarations have types only; those of the API are generated at any time.
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith(".d.ts"));
  return files.map((entry) => join(entry.parentPath, entry.name));
}
