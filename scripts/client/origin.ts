import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";

/** A short hash of all that generated types depend on, for their first line: they are made anew only when it differs. */
export function originOf(...sources: string[]): string {
  return `made of ${createHash("sha256").update(sources.join("\n")).digest("hex").slice(0, 32)}`;
}

/** Whether the first line of a file names the origin. */
export function isMadeOf(file: string, origin: string): boolean {
  return existsSync(file) && readFileSync(file, "utf8").split("\n", 1)[0]?.includes(origin) === true;
}
