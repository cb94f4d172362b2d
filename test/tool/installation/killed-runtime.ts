import { subscribe } from "node:diagnostics_channel";
import { basename } from "node:path";
import { waitUntil } from "../wait.ts";
import type { LocalInstallation } from "./local-workers.ts";

/** Knows each workerd that this process starts from now on, and kills the newest. */
export function watchRuntimes() {
  const runtimes: number[] = [];
  subscribe("child_process", (message) => {
    const { process: child } = message as { process: import("node:child_process").ChildProcess }; // as Node documents it
    child.once("spawn", () => {
      if (basename(child.spawnfile).startsWith("workerd")) runtimes.push(child.pid ?? 0);
    });
  });
  return {
    /** Kills workerd with kill -9 and waits until another one answers in its place. */
    async killAndWait({ origin }: LocalInstallation) {
      const pid = runtimes.pop();
      if (pid === undefined) throw new Error("workerd is not known");
      process.kill(pid, "SIGKILL");
      await waitUntil("workerd is started again and healthy", async () => {
        if (runtimes.length === 0) return false;
        return (await fetch(`${origin}/health`)).status === 200;
      });
    },
  };
}
