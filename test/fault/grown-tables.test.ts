import { expect, test } from "vitest";
import { WORKERS } from "../../scripts/workers.ts";
import { OF_NEXT_RELEASE } from "../tool/database/next-release.ts";
import { stack } from "../tool/system/stack.ts";

test("operations and sweeps meet columns and tables of the next release in all tests of the system", async () => {
  const schemas = await Promise.all(WORKERS.map((worker) => stack.rowsOf(worker, "sqlite_master")));
  const tables = schemas.flat().filter(({ type }) => type === "table");
  expect(tables.filter(({ name }) => name === OF_NEXT_RELEASE)).toHaveLength(WORKERS.length);
  expect(tables.filter(({ sql }) => String(sql).includes(`${OF_NEXT_RELEASE} TEXT`)).length).toBeGreaterThan(90);
});
