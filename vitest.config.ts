import { defineConfig } from "vitest/config";

// A test of operations stands beside them, but talks to the whole system as those in test/ do.
const SYSTEM = ["gateway/**/operations.test.ts", "services/**/operations.test.ts", "test/**/*.test.ts"];

export default defineConfig({
  test: {
    // As many as cores: the databases and Workers that they talk to need theirs too.
    maxWorkers: 2,
    // Tests that say they may run at the same time mostly wait.
    maxConcurrency: 10,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["{gateway,services,shared,scripts}/**/*.test.ts"],
          exclude: SYSTEM,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: "system",
          include: SYSTEM,
          globalSetup: "test/stack-setup.ts",
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
