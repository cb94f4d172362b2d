import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyForOwner, sync, syncTree } from "./file-copies.ts";
import { type Manifest, readVerified } from "./manifest.ts";

/** A file in a data folder until all of a backup is in it. */
const UNFINISHED_RESTORE = "unfinished-restore";

/** Throws if a restore into the folder was killed. */
export function requireFinishedRestore(dataDir: string): void {
  if (!existsSync(join(dataDir, UNFINISHED_RESTORE))) return;
  throw new Error(`A restore into ${dataDir} was interrupted: run npm run restore again, which begins anew.`);
}

/**
 * Fills an empty data folder with a backup. If it fails, the folder is as empty as before; if it is killed, the next
 * one begins anew.
 */
export async function restoreBackup(folder: string, dataDir: string): Promise<Manifest> {
  requireEmpty(dataDir);
  const manifest = await readVerified(folder);
  const isNew = !existsSync(dataDir);
  const removeAll = () => {
    removeContents(dataDir);
    rmSync(join(dataDir, UNFINISHED_RESTORE), { force: true });
    // The folder itself may be a mounted disk.
    if (isNew && existsSync(dataDir)) rmdirSync(dataDir);
  };
  process.once("exit", removeAll);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(join(dataDir, UNFINISHED_RESTORE), "", { mode: 0o600 });
    sync(dataDir);
    removeContents(dataDir);
    for (const { path } of manifest.files) copyForOwner(join(folder, path), join(dataDir, path));
    syncTree(dataDir);
    rmSync(join(dataDir, UNFINISHED_RESTORE));
    sync(dataDir);
  } catch (thrown) {
    removeAll();
    throw thrown;
  } finally {
    process.removeListener("exit", removeAll);
  }
  return manifest;
}

function requireEmpty(dataDir: string) {
  if (contentsOf(dataDir).length === 0 || existsSync(join(dataDir, UNFINISHED_RESTORE))) return;
  throw new Error(
    `${dataDir} has data: a restore needs an empty folder. Set DATA_DIR to another one, or move this one away.`,
  );
}

function removeContents(dataDir: string) {
  for (const name of contentsOf(dataDir)) rmSync(join(dataDir, name), { recursive: true, force: true });
}

/** All but the mark of an unfinished restore, and a folder that is in the root of every disk of a common kind. */
function contentsOf(dataDir: string): string[] {
  const names = existsSync(dataDir) ? readdirSync(dataDir) : [];
  return names.filter((name) => ![UNFINISHED_RESTORE, "lost+found"].includes(name));
}
