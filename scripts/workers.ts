import { join, resolve } from "node:path";

/** The six Workers; the first is the one that the Internet reaches. Each has a database of its own. */
export const WORKERS = ["gateway", "fleet", "tasks", "geo", "files", "reports"] as const;
export type WorkerName = (typeof WORKERS)[number];

export const ROOT = resolve(import.meta.dirname, "..");

/** Where its src/ and migrations/ are. */
export function folderOf(worker: WorkerName) {
  return worker === "gateway" ? join(ROOT, "gateway") : join(ROOT, "services", worker);
}

/** The gateway's stands at the root, where `wrangler deploy` looks for it. */
export function configOf(worker: WorkerName) {
  return worker === "gateway" ? join(ROOT, "wrangler.toml") : join(folderOf(worker), "wrangler.toml");
}

export function migrationsOf(worker: WorkerName) {
  return join(folderOf(worker), "migrations");
}

/** The `name` in its wrangler.toml, of the top or of an environment. */
export function deployedName(worker: WorkerName, environment = "") {
  return environment ? `fleet-${environment}-${worker}` : `fleet-${worker}`;
}

/** One value for each Worker, made at the same time. */
export async function forEachWorker<T>(make: (worker: WorkerName) => Promise<T>): Promise<Record<WorkerName, T>> {
  const [gateway, fleet, tasks, geo, files, reports] = await Promise.all([
    make("gateway"),
    make("fleet"),
    make("tasks"),
    make("geo"),
    make("files"),
    make("reports"),
  ]);
  return { gateway, fleet, tasks, geo, files, reports };
}
