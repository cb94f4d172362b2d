import { globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { ROOT } from "./workers.ts";

/** Files of ours with the files that they import, for their types alone too; both by their paths from the root. */
export type ImportGraph = Map<string, Set<string>>;

export function importGraph(pattern: string): ImportGraph {
  return new Map(globSync(pattern, { cwd: ROOT }).map((file) => [file, importsOf(file)]));
}

function importsOf(file: string): Set<string> {
  const text = readFileSync(join(ROOT, file), "utf8");
  const specifiers = [...text.matchAll(/\b(?:from|import)\s*\(?\s*"([^"\n]+)"/g)].map(
    ([, specifier = ""]) => specifier,
  );
  const local = specifiers.filter((specifier) => /^(?:\.|#shared\/|#test\/)/.test(specifier));
  return new Set(
    local.map((specifier) =>
      specifier.startsWith(".") ? posix.join(posix.dirname(file), specifier) : specifier.replace("#", ""),
    ),
  );
}
