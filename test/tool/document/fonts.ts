import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { FONT_FILES } from "../../../scripts/system/static-files.ts";

/** A font of documents, as the Worker has it. */
export async function readTestFont(name: string): Promise<Uint8Array> {
  const file = FONT_FILES.find((path) => basename(path) === name);
  if (!file) throw new Error(`${name} is not among the static files`);
  return new Uint8Array(await readFile(file));
}
