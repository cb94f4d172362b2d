import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../workers.ts";

const run = promisify(execFile);
const PROGRAMS = process.platform === "win32" ? "Scripts" : "bin";
const PROBE = "import sys, pip, venv; sys.exit(sys.version_info < (3, 11))";

/** A Python of 3.11 or newer with pip; undefined without one. */
export async function findPython(): Promise<string | undefined> {
  for (const name of ["python3", "python"]) {
    const isFit = await run(name, ["-c", PROBE]).then(
      () => true,
      () => false,
    );
    if (isFit) return name;
  }
  return undefined;
}

/**
 * The folder with the programs of an environment that has these packages. It stays in `.build` for the next time, since
 * packages come from a registry. Throws when that cannot be reached.
 */
export async function pythonEnvironment(python: string, packages: string[]): Promise<string> {
  const name = createHash("sha256").update(packages.join(" ")).digest("hex").slice(0, 16);
  const folder = join(ROOT, ".build", "python", name);
  const bin = join(folder, PROGRAMS);
  const finished = join(folder, "finished");
  if (existsSync(finished)) return bin;
  await rm(folder, { recursive: true, force: true });
  await run(python, ["-m", "venv", folder]);
  await run(join(bin, "pip"), ["install", "--quiet", "--disable-pip-version-check", ...packages]);
  await writeFile(finished, "");
  return bin;
}
