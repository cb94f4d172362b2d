import { execFileSync, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/**
 * Stops a process, runs the synchronous `work` and lets the process go on; `work` calls `requireTime` between its steps.
 * No signal can end this process meanwhile. If `kill -9` does, a shell lets the stopped process go on.
 */
export function whilePaused(pid: number, work: (requireTime: () => void) => void): void {
  // The shell's input ends with this process, however that ends.
  const shell = spawn("sh", ["-c", `read line; kill -CONT ${pid}`], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  const deadline = performance.now() + MAX_PAUSE_SECONDS * 1000;
  const requireTime = () => {
    if (performance.now() > deadline) throw new Error(TOO_SLOW);
  };
  try {
    process.kill(pid, "SIGSTOP");
    while (!isStopped(pid)) {
      requireTime();
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
    work(requireTime);
  } finally {
    process.kill(pid, "SIGCONT");
    shell.stdin.end();
  }
}

/** Whether every thread of the process has stopped: until then one may still be writing. */
function isStopped(pid: number): boolean {
  if (process.platform !== "linux") {
    return execFileSync("ps", ["-o", "state=", "-p", String(pid)], { encoding: "utf8" }).startsWith("T");
  }
  return readdirSync(`/proc/${pid}/task`).every((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8");
    return "Tt".includes(stat.charAt(stat.lastIndexOf(")") + 2));
  });
}

const MAX_PAUSE_SECONDS = 10;
const TOO_SLOW = `The system writes more than can be copied within ${MAX_PAUSE_SECONDS} seconds: back it up when there is less to do, or stop it first.`;
