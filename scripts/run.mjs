// Runs a program of the project on the Node that the lock file pins: `start` is scripts/start.ts, `bench/run` is
// bench/run.ts. Plain JavaScript: Node 20 must understand this file.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { installObstacle, obstacleIn } from "./preconditions.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
// The launcher stays for months and does little: small spaces for young objects, compiled code from a cache instead of
// the compiler, and freed memory returned to the system (glibc) halve its memory.
const SMALL_PROCESS = {
  flags: ["--max-semi-space-size=2", "--expose-gc"],
  env: {
    NODE_COMPILE_CACHE: join(root, ".build", "compile-cache"),
    MALLOC_ARENA_MAX: "1",
    MALLOC_MMAP_THRESHOLD_: "65536",
    MALLOC_TRIM_THRESHOLD_: "1048576",
  },
};
const [name = "", ...args] = process.argv.slice(2);
const program = `${name.includes("/") ? name : `scripts/${name}`}.ts`;
if (!existsSync(join(root, program))) stop(`There is no ${program}.`);

for (const obstacle of writtenFolders().map((folder) => obstacleIn(folder))) if (obstacle) stop(obstacle);
if (!isInstalled()) install();
const node = findNode();
const { flags, env } = name === "start" ? SMALL_PROCESS : { flags: [], env: {} };
const command = [...node.flags, ...flags, join(root, program), ...args];
// Without npm, as a service, nothing has to stay here: the launcher takes the place of this process and its memory.
if (name === "start" && process.execve && !process.env.npm_lifecycle_event) {
  process.execve(node.path, [node.path, ...command], { ...process.env, ...env });
}
const child = spawn(node.path, command, { stdio: "inherit", env: { ...process.env, ...env } });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
// npm's shell does not pass its own end on: without this, ending `npm test` would leave the tests running.
const parent = process.ppid;
if (process.env.npm_lifecycle_event) setInterval(() => process.ppid !== parent && child.kill("SIGTERM"), 200).unref();
child.on("error", (error) => stop(`${node.path}: ${error.message}`));
child.on("exit", (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));

/** Folders that need room. A backup of a nearly full disk must work: it checks the disk that it goes to itself. */
function writtenFolders() {
  if (name.startsWith("scripts/backup/") && isInstalled()) return [];
  return name === "start" ? [root, resolve(root, process.env.DATA_DIR || ".data")] : [root];
}

/** Times first: they are cheap. A checkout touches the lock file without changing it, so then its contents. */
function isInstalled() {
  const wanted = join(root, "package-lock.json");
  const installed = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(installed)) return false;
  if (statSync(installed).mtimeMs >= statSync(wanted).mtimeMs) return true;
  const present = packagesOf(installed);
  return Object.entries(packagesOf(wanted)).every(
    ([path, { version, optional }]) =>
      // Builds for other platforms are optional and absent.
      path === "" || (path in present ? present[path].version === version : optional),
  );
}

function packagesOf(lockFile) {
  return JSON.parse(readFileSync(lockFile, "utf8")).packages;
}

function install() {
  process.stderr.write("Installing what the lock file lists …\n");
  // Without a network npm would wait a minute before its last try.
  const options = ["ci", "--no-audit", "--no-fund", "--loglevel=error", "--fetch-retry-maxtimeout=10000"];
  // npm names its own script to what it runs; without it npm is looked up, which on Windows is a batch file.
  const { npm_execpath: npm } = process.env;
  const isWindows = process.platform === "win32";
  const [command, first] = npm?.endsWith("npm-cli.js") ? [process.execPath, [npm]] : ["npm", []];
  const { status, error, stdout, stderr } = spawnSync(command, [...first, ...options], {
    cwd: root,
    encoding: "utf8",
    shell: isWindows && command === "npm",
  });
  if (status !== 0) stop(error ? `npm cannot be started: ${error.message}` : installObstacle(stderr + stdout));
}

function findNode() {
  const platform = process.platform === "win32" ? "win" : process.platform;
  const isAppleSilicon = platform === "darwin" && process.arch === "arm64";
  const folder = `${isAppleSilicon ? "node-bin" : "node"}-${platform}-${process.arch}`;
  const pinned = join(root, "node_modules", folder, "bin", platform === "win" ? "node.exe" : "node");
  const quiet = "--disable-warning=ExperimentalWarning";
  if (existsSync(pinned)) return { path: pinned, flags: [quiet] };

  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < 22 || (major === 22 && minor < 12)) {
    stop(
      `Node ${process.versions.node} is too old, and no newer one can be installed for ${folder}: use 22.12 or newer.`,
    );
  }
  // Later versions strip types unasked.
  const mustAsk = (major === 22 && minor < 18) || (major === 23 && minor < 6);
  return { path: process.execPath, flags: mustAsk ? [quiet, "--experimental-strip-types"] : [quiet] };
}

function stop(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
