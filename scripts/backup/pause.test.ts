import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { waitUntil } from "../../test/tool/wait.ts";
import { whilePaused } from "./pause.ts";

let runtime: ChildProcess;

beforeEach(() => {
  // A program of several threads, as workerd is one.
  runtime = spawn(process.execPath, ["-e", "setInterval(() => {}, 1)"], { stdio: "ignore" });
});

afterEach(() => runtime.kill("SIGKILL"));

test("whilePaused stops a process for its work, and lets it go on also if the work fails", () => {
  const pid = runtime.pid ?? 0;
  let duringWork = "";
  whilePaused(pid, () => (duringWork = stateOf(pid)));
  expect(duringWork).toBe("T");
  expect(stateOf(pid)).not.toBe("T");
  const fail = () =>
    whilePaused(pid, () => {
      throw new Error("no room");
    });
  expect(fail).toThrow("no room");
  expect(stateOf(pid)).not.toBe("T");
});

test("whilePaused lets the stopped process go on after the pausing one was killed", async () => {
  const pid = runtime.pid ?? 0;
  const forever = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)";
  const program = `import { whilePaused } from "${join(import.meta.dirname, "pause.ts")}"; whilePaused(${pid}, () => ${forever})`;
  const pausing = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: "inherit" });
  await waitUntil("the process is stopped", () => stateOf(pid) === "T");
  pausing.kill("SIGKILL");
  await once(pausing, "exit");
  await waitUntil("the process goes on", () => stateOf(pid) !== "T");
});

/** T for a process that a signal has stopped. */
function stateOf(pid: number): string {
  if (process.platform !== "linux")
    return execFileSync("ps", ["-o", "state=", "-p", String(pid)], { encoding: "utf8" }).charAt(0);
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.charAt(stat.lastIndexOf(")") + 2);
}
