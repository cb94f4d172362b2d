import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Installation, newInstallation } from "../tool/system/npm-start.ts";

/** A fifth more than docs/self-hosting.md promises of an idle system, all of its processes together. */
const MAX_MEGABYTES = 600;
/** Half as much again as is needed; with wrangler or the gazetteer in it, it has more than twice as much. */
const MAX_LAUNCHER_MEGABYTES = 160;

let installation: Installation;

beforeAll(async () => {
  // Places of this population are loaded before the system is ready: the process that reads them has ended by then.
  // Without npm, as a service starts it.
  installation = await newInstallation({ DEMO: "0", GAZETTEER_POPULATION: "15000", npm_lifecycle_event: "" });
  await installation.start();
});

afterAll(() => installation?.remove());

test.runIf(process.platform === "linux")(
  "an idle system is small, and its launcher has neither wrangler nor the gazetteer in memory",
  () => {
    const processes = installation.recorded();
    expect(processes.map(({ identity }) => identity).filter((identity) => identity.includes("gazetteer"))).toEqual([]);
    // scripts/run.mjs has been replaced by the launcher: no process is between the launcher and this one.
    expect(parentOf(processes[0]?.pid ?? 0)).toBe(process.pid);
    const [launcher, ...others] = processes.map(({ pid }) => memoryOf(pid));
    expect(others).toHaveLength(7);
    expect(launcher?.own).toBeLessThan(MAX_LAUNCHER_MEGABYTES);
    expect([launcher, ...others].reduce((sum, memory) => sum + (memory?.share ?? 0), 0)).toBeLessThan(MAX_MEGABYTES);
  },
);

test("npm start with DEMO=0 has no demo: no user, no file, no line of output", async () => {
  expect(installation.output()).not.toMatch(/demo/i);
  expect(existsSync(join(installation.dataDir, "demo.json"))).toBe(false);
  const password = /^operator +admin \/ (\S+)/m.exec(installation.output())?.[1];
  const { hash } = await callOperation("/panel/account/auth", { login: "admin", password });
  expect(await callOperation("/panel/user/list", { hash })).toMatchObject({ success: true, list: [] });
});

async function callOperation(path: string, parameters: object) {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(installation.baseUrl + path, {
    method: "POST",
    headers,
    body: JSON.stringify(parameters),
  });
  return answer.json() as Promise<Record<string, unknown>>; // what the API answers
}

/** Megabytes of a process: what is its own, and its share of the memory that it uses, which counts shared pages once. */
function memoryOf(pid: number) {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(text)?.[1]) / 1024;
  return { own: read("Anonymous"), share: read("Pss") };
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
}
