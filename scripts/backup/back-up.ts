import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statfsSync, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isAlive, type Recorded, readRecorded } from "../system/processes.ts";
import { DatabaseSnapshots, databaseFiles } from "./database-snapshots.ts";
import { copyForOwner, FileCopies, filesUnder, sync, syncTree } from "./file-copies.ts";
import { type Manifest, writeManifest } from "./manifest.ts";
import { whilePaused } from "./pause.ts";
import { requireFinishedRestore } from "./restore.ts";

/** The manifest, and for how long the Workers were stopped; undefined if none ran. */
export type Backup = { manifest: Manifest; pauseMs: number | undefined };

/**
 * Copies an installation, running or not, into a new folder: as all its files were at one moment. Whatever ends it
 * early, `folder` either is a whole backup or does not exist.
 */
export async function backUp(dataDir: string, folder: string): Promise<Backup> {
  requireFinishedRestore(dataDir);
  const files = databaseFiles(dataDir);
  requireNewFolder(folder, dataDir);
  const lock = acquireLock(dataDir);
  const unfinished = `${folder}${UNFINISHED}${process.pid}`;
  const giveUp = () => {
    rmSync(unfinished, { recursive: true, force: true });
    lock.close();
  };
  process.once("exit", giveUp);
  try {
    removeLeftovers(folder);
    requireRoom(folder, dataDir, files);
    mkdirSync(unfinished, { recursive: true, mode: 0o700 });
    const pauseMs = await copyAtOnce(dataDir, unfinished, files);
    const manifest = await writeManifest(unfinished);
    syncTree(unfinished);
    renameSync(unfinished, folder);
    sync(dirname(folder));
    return { manifest, pauseMs };
  } finally {
    process.removeListener("exit", giveUp);
    giveUp();
  }
}

/**
 * Copies files of one moment: the Workers are the only writers, so everything is still while they are stopped. All that
 * can be copied before or afterwards is: files that do not change any more, and databases from their snapshots.
 */
async function copyAtOnce(dataDir: string, to: string, files: string[]): Promise<number | undefined> {
  const objects = new FileCopies(join(dataDir, "workers"), join(to, "workers"));
  if (existsSync(join(dataDir, "workers"))) copyUntilFewChange(objects);
  const snapshots = new DatabaseSnapshots(dataDir, files);
  const take = (requireTime?: () => void) => {
    snapshots.begin();
    if (existsSync(join(dataDir, "workers"))) objects.copyChanged(requireTime);
    for (const file of singleFiles(dataDir)) copyForOwner(join(dataDir, file), join(to, file));
  };
  try {
    const running = readRunning(dataDir);
    const runtime = running.find(({ identity }) => identity.includes("workerd serve"));
    const start = performance.now();
    if (runtime) whilePaused(runtime.pid, take);
    else take();
    const pauseMs = runtime && performance.now() - start;
    requireUnchanged(running, readRunning(dataDir), dataDir);
    await snapshots.copyTo(to);
    return pauseMs;
  } finally {
    snapshots.close();
  }
}

/** Each round takes less time than the one before, so less has changed after it. */
function copyUntilFewChange(objects: FileCopies) {
  let before = Number.POSITIVE_INFINITY;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const bytes = objects.copyChanged();
    if (bytes < FEW_BYTES || bytes > before / 2) return;
    before = bytes;
  }
}

/** Processes of the system that are alive. */
function readRunning(dataDir: string): Recorded[] {
  return readRecorded(join(dataDir, "processes.json")).filter(isAlive);
}

/** Throws if processes of the system were started or ended during the backup: they have written to the copied files. */
function requireUnchanged(before: Recorded[], after: Recorded[], dataDir: string) {
  const pids = (running: Recorded[]) => running.map(({ pid }) => pid).join();
  if (pids(before) === pids(after)) return;
  throw new Error(`Processes of the system in ${dataDir} were started or ended during the backup: run it again.`);
}

/** Keys and notes of the launcher; the list of processes is of no use elsewhere. */
function singleFiles(dataDir: string): string[] {
  const entries = readdirSync(dataDir, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  return names.filter((name) => name.endsWith(".json") && name !== "processes.json");
}

function requireNewFolder(folder: string, dataDir: string) {
  if (!relative(dataDir, folder).startsWith("..")) {
    throw new Error(`${folder} is in the data folder ${dataDir}: name a folder outside, best on another disk.`);
  }
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new Error(`${folder} is not empty: name a folder that does not exist yet.`);
  }
}

/**
 * Makes this backup the only one: two at once would each end the other's pause. The system frees the lock of a process
 * that was killed.
 */
function acquireLock(dataDir: string): DatabaseSync {
  const lock = new DatabaseSync(join(dataDir, LOCK));
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return lock;
  } catch {
    lock.close();
    throw new Error(`Another backup of ${dataDir} is running: wait for its end.`);
  }
}

/** Removes what killed backups into the same folder have left. */
function removeLeftovers(folder: string) {
  const parent = dirname(folder);
  if (!existsSync(parent)) return;
  const start = `${basename(folder)}${UNFINISHED}`;
  for (const name of readdirSync(parent).filter((one) => one.startsWith(start))) {
    rmSync(join(parent, name), { recursive: true, force: true });
  }
}

function requireRoom(folder: string, dataDir: string, files: string[]) {
  const objects = existsSync(join(dataDir, "workers")) ? filesUnder(join(dataDir, "workers")) : [];
  const paths = [...objects.map((path) => join("workers", path)), ...files];
  const needed = paths.reduce((sum, path) => sum + sizeOf(join(dataDir, path)), 0);
  const { bavail, bsize } = statfsSync(nearestExisting(folder));
  if (bavail * bsize > needed) return;
  const megabytes = (bytes: number) => Math.ceil(bytes / 1024 ** 2);
  throw new Error(
    `The backup needs ${megabytes(needed)} MB and the disk of ${folder} has ${megabytes(bavail * bsize)} MB free: free some, or name a folder on another disk.`,
  );
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path));
}

const LOCK = "backup.lock";
const UNFINISHED = ".unfinished-";
/** This much is copied in a moment. */
const FEW_BYTES = 8 * 1024 * 1024;
const MAX_ROUNDS = 8;
