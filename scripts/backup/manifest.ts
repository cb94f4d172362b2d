import { createHash } from "node:crypto";
import { createReadStream, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { systemNow } from "#shared/time/clock.ts";
import { ROOT } from "../workers.ts";
import { filesUnder } from "./file-copies.ts";

/** The list of a backup's files, written last: a folder without it is no backup. */
export type Manifest = {
  format: number;
  /** The version in package.json of the code that made the backup. */
  version: string;
  created: string;
  files: { path: string; bytes: number; sha256: string }[];
};

/** The version of the form of backups. */
const FORMAT = 1;

export async function writeManifest(folder: string): Promise<Manifest> {
  const files: Manifest["files"] = [];
  for (const path of filesUnder(folder)) {
    const file = join(folder, path);
    files.push({ path, bytes: statSync(file).size, sha256: await hashOf(file) });
  }
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const manifest = { format: FORMAT, version, created: new Date(systemNow()).toISOString(), files };
  writeFileSync(manifestOf(folder), JSON.stringify(manifest, null, 1), { mode: 0o600 });
  return manifest;
}

/** Reads the manifest and compares every file with it; throws a sentence that names what is wrong. */
export async function readVerified(folder: string): Promise<Manifest> {
  const manifest = readManifest(folder);
  for (const { path, bytes, sha256 } of manifest.files) {
    const file = join(folder, path);
    if (isAbsolute(path) || path.split(/[/\\]/).includes(".."))
      throw new Error(describeDamage(folder, path, "leads outside"));
    const stats = statSync(file, { throwIfNoEntry: false });
    if (!stats) throw new Error(describeDamage(folder, path, "is missing"));
    if (stats.size !== bytes || (await hashOf(file)) !== sha256)
      throw new Error(describeDamage(folder, path, "has changed"));
  }
  return manifest;
}

function readManifest(folder: string): Manifest {
  const file = manifestOf(folder);
  if (!existsSync(file)) {
    throw new Error(
      `${folder} is no complete backup: it has no manifest.json. Name the folder that npm run backup wrote.`,
    );
  }
  const manifest: Manifest = parseManifest(readFileSync(file, "utf8"), folder);
  if (manifest.format !== FORMAT) {
    throw new Error(
      `The backup in ${folder} has format ${manifest.format}: restore it with version ${manifest.version}.`,
    );
  }
  return manifest;
}

function parseManifest(text: string, folder: string): Manifest {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(describeDamage(folder, "manifest.json", "has changed"));
  }
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of createReadStream(file, { highWaterMark: 1024 * 1024 })) hash.update(part);
  return hash.digest("hex");
}

function manifestOf(folder: string) {
  return join(folder, "manifest.json");
}

function describeDamage(folder: string, path: string, what: string) {
  return `The backup in ${folder} is damaged: ${path} ${what}. Nothing was restored; take another backup.`;
}
