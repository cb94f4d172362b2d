import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { endAtExit, endRecorded, readRecorded, recordProcesses } from "./processes.ts";

test("endRecorded leaves a process alone that has a recorded process's pid but not its identity", async () => {
  const stranger = newProcess();
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

test("recordProcesses lists a child while it lives, and writes nothing when one ends after the list", async () => {
  const folder = await mkdtemp(join(tmpdir(), "fleet-processes-"));
  const file = join(folder, "processes.json");
  const pids = () => readRecorded(file).map(({ pid }) => pid);
  const end = recordProcesses(file);
  const [first, second] = [newProcess(), newProcess()];
  await Promise.all([once(first, "spawn"), once(second, "spawn")]);
  expect(pids()).toEqual([process.pid, first.pid, second.pid]);

  first.kill();
  await once(first, "exit");
  expect(pids()).toEqual([process.pid, second.pid]);

  end();
  expect(await readdir(folder)).toEqual([]);
  await rm(folder, { recursive: true });
  second.kill();
  await once(second, "exit");
});

test("endAtExit listens for the end of the process once, and not any more when all children have ended", async () => {
  const before = process.listenerCount("exit");
  for (let round = 0; round < 2; round++) {
    const children = [1, 2].map(() => newProcess());
    const ended = children.map((child) => once(child, "exit"));
    for (const child of children) endAtExit(child);
    expect(process.listenerCount("exit")).toBe(before + 1);
    for (const child of children) child.kill();
    await Promise.all(ended);
    expect(process.listenerCount("exit")).toBe(before);
  }
});

function newProcess() {
  return spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
}
