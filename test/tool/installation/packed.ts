import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { unzipSync, zipSync } from "fflate";

/** Packs the files below a folder into one compressed file. */
export function packFolder(folder: string, file: string): void {
  const entries = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  const paths = entries.map((entry) => join(folder, entry)).filter((path) => statSync(path).isFile());
  const contents = Object.fromEntries(paths.map((path) => [relative(folder, path), readFileSync(path)]));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, zipSync(contents, { level: 9, mtime: "1990-01-01T00:00:00" }));
}

/** Unpacks such a file into a folder. */
export function unpackFolder(file: string, folder: string): void {
  for (const [path, content] of Object.entries(unzipSync(readFileSync(file)))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}
