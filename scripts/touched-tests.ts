import { posix } from "node:path";
import type { ImportGraph } from "./import-graph.ts";

/**
 * Tests to run after a change of these files; undefined: all. Operations run in a Worker, so their tests do not import
 * them: a change touches the test beside it, and any other change of a Worker all its tests and those in test/.
 */
export function touchedTests(changed: string[], graph: ImportGraph): string[] | undefined {
  const sources = changed.filter((file) => !file.endsWith(".md"));
  // Vite and not Node reads the console's imports: its tests, and the rules about the tree, are those that it touches.
  const files = sources.filter((file) => !file.startsWith("console/"));
  if (files.some((file) => !graph.has(file))) return undefined;
  const importers = importersIn(graph);
  const touched = new Set(files);
  const workers = new Set<string>();
  for (const file of touched) {
    for (const importer of importers.get(file) ?? []) {
      const worker = WORKER_INDEX.exec(importer)?.[1];
      // Their tests are beside the operations themselves.
      if (WORKER_OPERATIONS.test(importer)) continue;
      if (worker && !WORKER_OPERATIONS.test(file)) workers.add(worker);
      else touched.add(importer);
    }
  }
  const tests = [...graph.keys()].filter((file) => file.endsWith(".test.ts"));
  const touchesConsole = files.length < sources.length;
  return tests.filter(
    (test) =>
      (touchesConsole && /^test\/(?:console|rule)\//.test(test)) ||
      touched.has(test) ||
      touched.has(operationsBeside(test)) ||
      [...workers].some((worker) => test.startsWith(worker)) ||
      (workers.size > 0 && test.startsWith("test/")),
  );
}

function operationsBeside(test: string) {
  return test.endsWith("/operations.test.ts") ? posix.join(posix.dirname(test), "operations.ts") : "";
}

function importersIn(graph: ImportGraph): ImportGraph {
  const importers: ImportGraph = new Map();
  for (const [file, imported] of graph) {
    for (const one of imported) importers.set(one, (importers.get(one) ?? new Set()).add(file));
  }
  return importers;
}

const WORKER_INDEX = /^(gateway\/|services\/\w+\/)src\/index\.ts$/;
const WORKER_OPERATIONS = /^(?:gateway|services\/\w+)\/src\/operations\.ts$/;
