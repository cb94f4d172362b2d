import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { endAtExit, endRecorded } from "./processes.ts";

test("endRecorded leaves a process alone that has a recorded process's pid but not its identity", async () => {
  const stranger = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  await once(stranger, "spawn");
  const folder = await mkdtemp(join(tmpdir(), "fleet-processes-"));
  const file = join(folder, "processes.json");
  await writeFile(file, JSON.stringify([{ pid: stranger.pid, identity: "12345 sqld" }]));

  await endRecorded(file);
  expect(stranger.signalCode).toBe(null);
  expect(stranger.kill(0)).toBe(true);

  stranger.kill();
  await rm(folder, { recursive: true });
});

test("endAtExit listens for the end of the process once, and not any more when all children have ended", async () => {
  const before = process.listenerCount("exit");
  for (let round = 0; round < 2; round++) {
    const children = [1, 2].map(() => spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]));
    const ended = children.map((child) => once(child, "exit"));
    for (const child of children) endAtExit(child);
    expect(process.listenerCount("exit")).toBe(before + 1);
    for (const child of children) child.kill();
    await Promise.all(ended);
    expect(process.listenerCount("exit")).toBe(before);
  }
});
