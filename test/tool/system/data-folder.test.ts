import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newDataFolder, removeLeftFolders } from "./data-folder.ts";

test("removeLeftFolders removes the data of a process that has ended, and nothing of one that runs", async () => {
  const [own, other] = [await newDataFolder("kept"), await newDataFolder("left")];
  const { pid } = spawnSync(process.execPath, ["--version"]);
  const left = other.replace(`-${process.pid}-`, `-${pid}-`);
  await rename(other, left);
  for (const folder of [own, left]) await writeFile(join(folder, "data"), "points");
  await removeLeftFolders();
  expect([existsSync(join(own, "data")), existsSync(left)]).toEqual([true, false]);
  await rm(own, { recursive: true });
});
