import { defineConfig } from "vitest/config";
import { importGraph } from "./scripts/import-graph.ts";
import LongFilesFirst from "./test/tool/file-order.ts";

const TESTS = "{gateway,services,shared,scripts,test}/**/*.test.ts";
/** A test file that imports one of these, however far around, needs a started system. */
const SYSTEM_TOOLS = ["test/tool/system/stack.ts", "test/tool/system/system.ts"];
/** A busy machine is no fault: these times end only what would never end. */
const TIMEOUTS = { testTimeout: 300_000, hookTimeout: 300_000 };

export default defineConfig({
  test: {
    // Systems of all settings end together.
    teardownTimeout: 120_000,
    // More than cores: mostly they wait for the databases and Workers that they talk to. Six would take a tenth more of the
    // processors for the same tests.
    maxWorkers: 4,
    // Tests that say they may run at the same time mostly wait.
    maxConcurrency: 10,
    // Tests make many objects that live shortly: more room for young ones halves the work of the collector.
    execArgv: ["--max-semi-space-size=64"],
    // No test may rely on one before it. Vitest prints the seed; `--sequence.seed` repeats the order.
    sequence: { shuffle: { files: true, tests: true }, sequencer: LongFilesFirst },
    // To load what there is takes a file longer than its tests: one process runs many.
    isolate: false,
    // Node itself reads TypeScript: to transform every file first takes longer than most tests.
    experimental: { viteModuleRunner: false },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: [TESTS],
          exclude: systemTests(),
          // They work more than they wait, and each process loads everything anew.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          ...TIMEOUTS,
        },
      },
      {
        extends: true,
        test: {
          name: "system",
          include: systemTests(),
          globalSetup: ["test/tool/system/lending.ts", "test/tool/console/lending.ts"],
          setupFiles: "test/tool/call/explain-failures.ts",
          // One project after the other: a process that goes from one to the other starts anew and loads everything again.
          sequence: { groupOrder: 2 },
          ...TIMEOUTS,
        },
      },
    ],
  },
});

function systemTests(): string[] {
  const graph = importGraph("{gateway,services,shared,scripts,test,bench}/**/*.ts");
  const importers = new Map<string, string[]>();
  for (const [file, imports] of graph) {
    for (const imported of imports) importers.set(imported, [...(importers.get(imported) ?? []), file]);
  }
  const reached = new Set(SYSTEM_TOOLS);
  for (const file of reached) for (const importer of importers.get(file) ?? []) reached.add(importer);
  return [...reached].filter((file) => file.endsWith(".test.ts"));
}
