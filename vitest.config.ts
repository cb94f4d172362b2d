import { globSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";

// A test of operations stands beside them, but talks to the whole system as those in test/ do.
const SYSTEM = ["gateway/**/operations.test.ts", "services/**/operations.test.ts", "test/**/*.test.ts"];
// Of files alone: they need no system.
const WITHOUT = ["test/rule/{structure,clock,vocabulary,operation-names}.test.ts", "test/campaign/*.test.ts"];
// Those that measure, break, kill or age a system start one of their own, and a process of theirs forgets it with them.
const STARTS = /startSystem|startStack|newLocalGround|newInstallation/;
const APART = globSync("test/**/*.test.ts").filter((file) => STARTS.test(readFileSync(file, "utf8")));
// Each of their tests begins with what the one before it left: an installation, which takes long to start; a world that
// the samples of calls were written for one after the other.
const IN_ORDER = ["test/fault/start.test.ts", "test/rule/round-trips.test.ts", "test/rule/audit.test.ts"];
// No other test may rely on one before it.
const SHUFFLED = { shuffle: { files: true, tests: true } };

export default defineConfig({
  test: {
    // More than cores: mostly they wait for the databases and Workers that they talk to.
    maxWorkers: 5,
    // Tests that say they may run at the same time mostly wait.
    maxConcurrency: 10,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          sequence: SHUFFLED,
          include: ["{gateway,services,shared,scripts}/**/*.test.ts", ...WITHOUT],
          exclude: ["{gateway,services}/**/operations.test.ts"],
          isolate: false,
          // Five seconds, the default, are too few on a machine with much other work.
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: "system",
          sequence: SHUFFLED,
          include: SYSTEM,
          exclude: [...APART, ...IN_ORDER, ...WITHOUT],
          // To load what there is takes a file longer than its tests: one process runs many.
          isolate: false,
          globalSetup: "test/tool/system/stack-setup.ts",
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: "apart",
          sequence: SHUFFLED,
          include: APART,
          exclude: IN_ORDER,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: { name: "in order", include: IN_ORDER, testTimeout: 60_000, hookTimeout: 120_000 },
      },
    ],
  },
});
