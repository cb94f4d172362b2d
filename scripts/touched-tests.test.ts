import { expect, test } from "vitest";
import type { ImportGraph } from "./import-graph.ts";
import { touchedTests } from "./touched-tests.ts";

const VAN = "services/fleet/src/van";
const GRAPH: ImportGraph = new Map(
  Object.entries({
    "shared/text/fold.ts": [],
    "shared/text/fold.test.ts": ["shared/text/fold.ts"],
    [`${VAN}/queries.ts`]: ["shared/text/fold.ts"],
    [`${VAN}/operations.ts`]: [`${VAN}/queries.ts`],
    [`${VAN}/operations.test.ts`]: ["test/account.ts"],
    "services/fleet/src/tag/operations.ts": [],
    "services/fleet/src/tag/operations.test.ts": ["test/account.ts"],
    "services/fleet/src/sweep.ts": [],
    "services/fleet/src/operations.ts": [`${VAN}/operations.ts`, "services/fleet/src/tag/operations.ts"],
    "services/fleet/src/index.ts": ["services/fleet/src/operations.ts", "services/fleet/src/sweep.ts"],
    "services/geo/src/zone/operations.ts": [],
    "services/geo/src/zone/operations.test.ts": ["test/account.ts"],
    "test/account.ts": [],
    "test/scope.test.ts": ["test/account.ts"],
  }).map(([file, imports]) => [file, new Set(imports)]),
);
const FLEETS = [`${VAN}/operations.test.ts`, "services/fleet/src/tag/operations.test.ts"];

test("touchedTests of a change finds the tests that import it, and those beside the operations that do", () => {
  expect(touchedTests([`${VAN}/queries.ts`], GRAPH)).toEqual([`${VAN}/operations.test.ts`]);
  expect(touchedTests(["shared/text/fold.ts"], GRAPH)).toEqual([
    "shared/text/fold.test.ts",
    `${VAN}/operations.test.ts`,
  ]);
});

test("touchedTests of a Worker's file outside its operations finds all tests of the Worker, and those that cross Workers", () => {
  expect(touchedTests(["services/fleet/src/sweep.ts"], GRAPH)).toEqual([...FLEETS, "test/scope.test.ts"]);
});

test("touchedTests of a helper of all tests finds all tests that use it", () => {
  expect(touchedTests(["test/account.ts"], GRAPH)).toEqual([
    ...FLEETS,
    "services/geo/src/zone/operations.test.ts",
    "test/scope.test.ts",
  ]);
});

test("touchedTests cannot tell for files that are no modules, and finds no tests for documentation", () => {
  expect(touchedTests(["package.json"], GRAPH)).toBeUndefined();
  expect(touchedTests(["services/fleet/wrangler.toml", `${VAN}/queries.ts`], GRAPH)).toBeUndefined();
  expect(touchedTests(["docs/operating.md"], GRAPH)).toEqual([]);
});
