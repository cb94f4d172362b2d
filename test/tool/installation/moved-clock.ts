import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Fronts, LocalWorkers } from "../../../scripts/system/miniflare.ts";
import { WORKERS } from "../../../scripts/workers.ts";

/** Has Workers move the clock of their data when `moveClock` asks them to. */
export function clockFronts(): Fronts {
  const front = readFileSync(join(import.meta.dirname, "clock-front.js"), "utf8");
  return Object.fromEntries(WORKERS.map((worker) => [worker, { "front.js": front }]));
}

/**
 * Sets the clock of running Workers, started with `clockFronts`, so many seconds ahead of the machine's. Workers that are
 * killed or started again begin with the clock of their first start.
 */
export async function moveClock(workers: LocalWorkers, seconds: number): Promise<void> {
  await Promise.all(WORKERS.map((worker) => workers.ask(worker, `/clock/${seconds}`)));
}
