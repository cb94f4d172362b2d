import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Fronts, LocalWorkers } from "../../../scripts/system/miniflare.ts";
import { workerOptions } from "../../../scripts/system/worker-options.ts";
import { deployedName, WORKERS, type WorkerName } from "../../../scripts/workers.ts";

/** Has Workers change their bindings when `changeSettings` or `moveClock` asks them to. */
export function bindingsFronts(): Fronts {
  const front = readFileSync(join(import.meta.dirname, "bindings-front.js"), "utf8");
  const links = Object.values(workerOptions()).flatMap(({ serviceBindings = {} }) => Object.values(serviceBindings));
  const frontOf = (worker: WorkerName) => {
    const entrypoints = new Set(links.flatMap((link) => entrypointOf(worker, link)));
    const classes = [...entrypoints].map((name) => `export class ${name} extends withChanges(bundle.${name}) {}`);
    return { "front.js": [front, ...classes].join("\n") };
  };
  return Object.fromEntries(WORKERS.map((worker) => [worker, frontOf(worker)]));
}

/** The class of the Worker that the binding of another one names, if it names one. */
function entrypointOf(worker: WorkerName, link: unknown): string[] {
  const { name, entrypoint } = link as { name?: string; entrypoint?: string }; // wrangler makes no other kind
  return name === deployedName(worker) && entrypoint ? [entrypoint] : [];
}

/**
 * Gives running Workers, started with `bindingsFronts`, the settings of another environment. Limits that the runtime
 * itself keeps, and the databases, stay those of the start; Durable Objects that run already keep their settings.
 */
export async function changeSettings(workers: LocalWorkers, environment: Record<string, string>): Promise<void> {
  await Promise.all(WORKERS.map((worker) => change(workers, worker, workers.bindingsOf(worker, environment))));
}

/**
 * Sets the clock of running Workers, started with `bindingsFronts`, so many seconds ahead of the machine's. Workers that
 * are killed or started again begin with the clock of their first start.
 */
export async function moveClock(workers: LocalWorkers, seconds: number): Promise<void> {
  await Promise.all(WORKERS.map((worker) => change(workers, worker, { CLOCK_OFFSET_SECONDS: String(seconds) })));
}

async function change(workers: LocalWorkers, worker: WorkerName, bindings: object) {
  const answer = await workers.postTo(deployedName(worker), "/change-bindings", JSON.stringify(bindings));
  if (!answer.ok) throw new Error(`${worker} keeps its bindings: ${await answer.text()}`);
}
