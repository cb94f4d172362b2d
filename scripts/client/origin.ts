import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";

/** A short hash of all that generated types depend on, for their first line: they are made anew only when it differs. */
export function originOf(...sources: string[]): string {
  return `made of ${createHash("sha256").update(sources.join("\n")).digest("hex").slice(0, 32)}`;
}

/** Writes a file whole: one that was cut off would have the first line of its origin all the same. */
export async function writeWhole(file: string, text: string): Promise<void> {
  const fresh = `${file}.${process.pid}`;
  await writeFile(fresh, text);
  await rename(fresh, file);
}

/** Whether the first line of a file names the origin. */
export function isMadeOf(file: string, origin: string): boolean {
  return existsSync(file) && readFileSync(file, "utf8").split("\n", 1)[0]?.includes(origin) === true;
}
