import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { identityOf } from "../../../scripts/system/processes.ts";
import { newDataFolder, removeLeftovers } from "./data-folder.ts";

test("removeLeftovers removes the data of a process that was killed and ends what it had started, and leaves those of others", async () => {
  const [own, other] = [await newDataFolder("kept"), await newDataFolder("left")];
  const { pid } = spawnSync(process.execPath, ["--version"]);
  const left = other.replace(`-${process.pid}-`, `-${pid}-`);
  await rename(other, left);
  for (const folder of [own, left]) await writeFile(join(folder, "data"), "points");
  const orphan = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  const ended = once(orphan, "exit");
  await once(orphan, "spawn");
  const started = { pid: orphan.pid, identity: identityOf(orphan.pid ?? 0) };
  await writeFile(join(left, "processes.json"), JSON.stringify([{ pid, identity: "" }, started]));
  await removeLeftovers();
  await ended;
  expect([existsSync(join(own, "data")), existsSync(left)]).toEqual([true, false]);
  await rm(own, { recursive: true });
});
