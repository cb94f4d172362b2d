import { type ChildProcess, execFileSync } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { systemNow } from "#shared/time/clock.ts";

/** `identity` tells a process from a later one that was given the same pid. */
export type Recorded = { pid: number; identity: string };

const ending = new Set<ChildProcess>();

/** Ends the child when this process ends in any way but kill -9. */
export function endAtExit(child: ChildProcess) {
  if (ending.size === 0) process.on("exit", endChildren);
  ending.add(child);
  child.once("exit", () => {
    ending.delete(child);
    // Otherwise each child that starts while there is no other would add one more listener.
    if (ending.size === 0) process.off("exit", endChildren);
  });
}

/**
 * Keeps a list of this process and of all that it starts, libraries' children included, for `endRecorded`. The returned
 * function ends and removes the list.
 */
export function recordProcesses(file: string): () => void {
  const recorded = new Map<number, string>();
  let isOver = false;
  add(process.pid);
  process.on("exit", end);
  subscribe("child_process", record);
  return end;

  function record(message: unknown) {
    const { process: child } = message as { process: ChildProcess }; // as Node documents this channel
    child.once("spawn", () => add(child.pid));
    child.once("exit", () => recorded.delete(child.pid ?? 0) && write());
  }

  function add(pid: number | undefined) {
    const identity = pid && identityOf(pid);
    if (!identity) return;
    recorded.set(pid, identity);
    write();
  }

  function write() {
    // A child may end after the list, whose folder may be gone.
    if (isOver) return;
    const list = [...recorded].map(([pid, identity]): Recorded => ({ pid, identity }));
    writeFileSync(`${file}.new`, JSON.stringify(list, null, 1));
    renameSync(`${file}.new`, file);
  }

  function end() {
    isOver = true;
    unsubscribe("child_process", record);
    process.off("exit", end);
    rmSync(file, { force: true });
  }
}

/** Ends processes that a killed start left behind. A pid that has been reused by another process is left alone. */
export async function endRecorded(file: string) {
  const [start, ...children] = readRecorded(file);
  // A start that is still alive would restart its databases: it goes first, and takes them along.
  await endProcesses(start ? [start] : []);
  await endProcesses(children);
}

export function isAlive({ pid, identity }: Recorded) {
  return identityOf(pid) === identity;
}

export function readRecorded(file: string): Recorded[] {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return [];
  }
}

async function endProcesses(recorded: Recorded[]) {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    for (const { pid } of recorded.filter(isAlive)) {
      try {
        process.kill(pid, signal);
      } catch {
        // The process has just ended by itself.
      }
    }
    const deadline = systemNow() + 5_000;
    while (recorded.some(isAlive) && systemNow() < deadline) await pause(20);
  }
}

/** Start time and command of a process; undefined when it has ended or is not readable. */
export function identityOf(pid: number): string | undefined {
  try {
    if (process.platform === "win32") return undefined;
    if (process.platform !== "linux") {
      const output = execFileSync("ps", ["-o", "lstart=,args=", "-p", String(pid)], { encoding: "utf8" });
      return output.trim() || undefined;
    }
    // A small Linux has no ps. The name, in parentheses, may itself hold spaces and parentheses.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state = "", ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if ("ZX".includes(state)) return undefined;
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
    return `${fields[18]} ${command}`;
  } catch {
    return undefined;
  }
}

/** An exit handler cannot wait for events, so it waits a moment for the databases to close, then makes sure. */
function endChildren() {
  for (const child of ending) child.kill("SIGTERM");
  if (ending.size > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  for (const child of ending) child.kill("SIGKILL");
}
