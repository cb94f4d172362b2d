import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { newSecrets, type Secrets } from "../../../scripts/system/secrets.ts";
import { type Databases, startDatabases } from "../../../scripts/system/sqld.ts";
import { ROOT, WORKERS } from "../../../scripts/workers.ts";
import { newDataFolder } from "../system/data-folder.ts";
import type { FakePlatform } from "./fake-platform.ts";

export type FinishedCommand = { code: number; output: string };
export type DeployedInstallation = Awaited<ReturnType<typeof newDeployedInstallation>>;

/** Databases and keys of an installation that is deployed to a fake platform, and the commands of its operator. */
export async function newDeployedInstallation(platform: FakePlatform) {
  const folder = await newDataFolder("deploy");
  const databases = await startDatabases(join(folder, "databases"), {});
  const secrets = newSecrets();
  const home = join(folder, "home");
  await mkdir(home);
  const env: Record<string, string> = {
    ...{ PATH: process.env.PATH ?? "", HOME: home, TMPDIR: home, XDG_CONFIG_HOME: home, NO_COLOR: "1" },
    // Each command starts wrangler several times: compiled code halves the time for that.
    NODE_COMPILE_CACHE: join(ROOT, ".build", "compile-cache"),
    ...platform.environment,
    ...secrets,
    ...variablesOf(databases),
    PUBLIC_URL: "https://fleet.example.com",
    // A few places are enough: loading all of them takes half a minute.
    GAZETTEER_POPULATION: "5000000",
  };
  return {
    env,
    home,
    databases,
    secretValues: () => valuesOf(secrets, databases, env),
    /** Runs `npm run deploy -- …` to its end, with further variables; an undefined one is unset. */
    async deploy(args: string[], more: Record<string, string | undefined> = {}): Promise<FinishedCommand> {
      return run(process.execPath, [join(ROOT, "scripts", "run.mjs"), "deploy", ...args], { ...env, ...more });
    },
    /** Runs lines of a shell in the folder of the project, as an operator would paste them. */
    paste: (lines: string): Promise<FinishedCommand> => run("/bin/sh", ["-e"], env, lines),
    async remove() {
      await databases.stop();
      await rm(folder, { recursive: true });
    },
  };
}

async function run(
  program: string,
  args: string[],
  env: Record<string, string | undefined>,
  input = "",
): Promise<FinishedCommand> {
  const child = spawn(program, args, { cwd: ROOT, env });
  child.stdin.end(input);
  const [[code], stdout, stderr] = await Promise.all([once(child, "exit"), text(child.stdout), text(child.stderr)]);
  return { code, output: stdout + stderr };
}

function variablesOf({ servers }: Databases) {
  return Object.fromEntries(
    WORKERS.flatMap((worker) => [
      [`${worker.toUpperCase()}_DB_URL`, servers[worker].url],
      [`${worker.toUpperCase()}_DB_TOKEN`, servers[worker].token],
    ]),
  );
}

function valuesOf(secrets: Secrets, { servers }: Databases, { CLOUDFLARE_API_TOKEN = "" }: Record<string, string>) {
  return [...Object.values(secrets), servers.gateway.token, CLOUDFLARE_API_TOKEN];
}

/** The command lines of all processes of the machine; none where the system has no /proc. */
export function commandLines(): string[] {
  if (!existsSync("/proc/self/cmdline")) return [];
  const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return processes.map((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8");
    } catch {
      // It has ended meanwhile.
      return "";
    }
  });
}

/** The files below a folder that contain one of the texts. */
export function filesWith(folder: string, texts: string[]): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => join(folder, file));
  return files.filter((file) => {
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return false;
    const content = readFileSync(file, "utf8");
    return texts.some((one) => content.includes(one));
  });
}
