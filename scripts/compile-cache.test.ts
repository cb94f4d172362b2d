import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { emptyLargeCache } from "./compile-cache.ts";

test("a cache of compiled files is emptied once it has more files than it may, and may be missing", async () => {
  const folder = await mkdtemp(join(tmpdir(), "fleet-cache-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, "v24"));
  for (const name of ["one", "two"]) await writeFile(join(folder, "v24", name), "");
  emptyLargeCache(folder, 3);
  expect(existsSync(join(folder, "v24", "two"))).toBe(true);
  emptyLargeCache(folder, 2);
  expect(existsSync(folder)).toBe(false);
  expect(() => emptyLargeCache(folder, 2)).not.toThrow();
});
