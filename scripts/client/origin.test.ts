import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isMadeOf, originOf, writeWhole } from "./origin.ts";

test("generated types are of a description if their first line names it, and of no other", async () => {
  const folder = await mkdtemp(join(tmpdir(), "fleet-origin-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "models.py");
  const [one, other] = [originOf("description", "1.0.0"), originOf("description", "1.0.1")];
  expect(isMadeOf(file, one)).toBe(false);
  await writeWhole(file, `# ${one}\n# ${other}\n`);
  expect([isMadeOf(file, one), isMadeOf(file, other)]).toEqual([true, false]);
  expect(await readdir(folder)).toEqual(["models.py"]);
});
