import { subscribe } from "node:diagnostics_channel";
import { basename } from "node:path";
import { vi } from "vitest";
import type { LocalGround } from "./local-workers.ts";

/** Knows each workerd that is started from now on, and kills the newest. */
export function watchRuntimes() {
  const runtimes: number[] = [];
  subscribe("child_process", (message) => {
    const { process: child } = message as { process: import("node:child_process").ChildProcess }; // as Node documents it
    child.once("spawn", () => {
      if (basename(child.spawnfile).startsWith("workerd")) runtimes.push(child.pid ?? 0);
    });
  });
  return {
    /** Until another answers in its place. */
    async killAndWait({ origin }: LocalGround) {
      const pid = runtimes.pop();
      if (pid === undefined) throw new Error("workerd is not known");
      process.kill(pid, "SIGKILL");
      await vi.waitUntil(() => runtimes.length > 0 && answers(origin), { timeout: 20_000, interval: 20 });
    },
  };
}

function answers(origin: string) {
  return fetch(origin).then(
    () => true,
    () => false,
  );
}
