import { randomBytes } from "node:crypto";
import { systemNow } from "../../shared/time/clock.ts";
import { configOf, WORKERS, type WorkerName } from "../workers.ts";
import type { WorkerConfig } from "./content.ts";
import type { Deployment, Platform } from "./platform.ts";
import { activeVersion } from "./state.ts";
import type { Upload, Versions } from "./upload.ts";
import { runWrangler } from "./wrangler.ts";

/** Services before the gateway: callers reach new code only after everything that it asks is new. */
const ACTIVATION_ORDER: WorkerName[] = [...WORKERS.filter((worker) => worker !== "gateway"), "gateway"];

/** A name of the release, which the deployments of all Workers carry in their message. */
export function newRelease(): string {
  const time = new Date(systemNow()).toISOString().slice(0, 19).replace(/[-:]/g, "");
  return `${time}-${randomBytes(2).toString("hex")}`;
}

/**
 * Makes the versions answer, one Worker after the other. All six get a deployment of the release, unchanged ones too, so
 * that the way back leads to six versions that belong together.
 */
export async function activate(
  { platform, configs, report }: Upload,
  versions: Versions,
  release: string,
): Promise<void> {
  for (const [index, worker] of ACTIVATION_ORDER.entries()) {
    const { name, observability } = configs[worker];
    try {
      // Before the new code answers: its calls must not be logged otherwise than configured.
      await platform.setScriptSettings(name, { observability: observability ?? { enabled: false } });
      await platform.activate(name, versions[worker], `fleet release ${release}`);
    } catch (error) {
      throw new Error(
        `${name} could not be activated, ${index} of 6 Workers run the new version: ${error instanceof Error ? error.message : error}`,
      );
    }
    report(`${name}: activated version ${versions[worker]}`);
  }
}

/** True if the six versions answer already, all as one release. */
export function isActive({ state }: Upload, versions: Versions): boolean {
  const histories = WORKERS.map((worker) => state.workers[worker]?.deployments ?? []);
  const releases = new Set(histories.map((deployments) => releaseOf(deployments[0])));
  const isSame = WORKERS.every((worker, index) => activeVersion(histories[index] ?? []) === versions[worker]);
  return isSame && releases.size === 1 && !releases.has(undefined);
}

/** Applies crons, consumers of queues, routes and the workers.dev address where they differ from the configuration. */
export async function applyTriggers({ platform, configs, environment, env, report }: Upload): Promise<void> {
  for (const worker of ACTIVATION_ORDER) {
    const config = configs[worker];
    if (!(await hasOtherTriggers(platform, config))) continue;
    report(`${config.name}: apply crons, queues and addresses`);
    await runWrangler(["triggers", "deploy", "--config", configOf(worker), "--env", environment], env);
  }
}

async function hasOtherTriggers(platform: Platform, config: WorkerConfig): Promise<boolean> {
  // Routes belong to zones, which a login may not be able to read: wrangler applies them each time.
  if ((config.routes ?? []).length > 0) return true;
  const [crons, hasWorkersDev] = await Promise.all([platform.crons(config.name), platform.hasWorkersDev(config.name)]);
  if (hasWorkersDev !== (config.workers_dev ?? true)) return true;
  if (crons.toSorted().join() !== (config.triggers.crons ?? []).toSorted().join()) return true;
  for (const consumer of config.queues.consumers ?? []) {
    const queue = await platform.findQueue(consumer.queue);
    const present = queue?.consumers.find(({ script, service }) => (script ?? service) === config.name);
    const { batch_size, max_wait_time_ms, max_retries } = present?.settings ?? {};
    const wait = consumer.max_batch_timeout === undefined ? undefined : consumer.max_batch_timeout * 1_000;
    const pairs = [
      [consumer.max_batch_size, batch_size],
      [wait, max_wait_time_ms],
      [consumer.max_retries, max_retries],
    ];
    if (!present || pairs.some(([wanted, actual]) => wanted !== undefined && wanted !== actual)) return true;
  }
  return false;
}

/**
 * Makes the versions of the previous release answer again, the gateway first. A release whose activation was cut off is
 * undone; otherwise the one before the present release answers. Needs nothing but the platform.
 */
export async function rollBack(platform: Platform, names: Record<WorkerName, string>, report: (line: string) => void) {
  const histories = new Map<WorkerName, Deployment[]>();
  await Promise.all(WORKERS.map(async (worker) => histories.set(worker, await platform.deployments(names[worker]))));
  const target = previousRelease(histories);
  const steps = ACTIVATION_ORDER.toReversed().map((worker) => {
    const found = histories.get(worker)?.find((deployment) => releaseOf(deployment) === target);
    return { name: names[worker], version: found && activeVersion([found]) };
  });
  const lost = steps.filter(({ version }) => !version).map(({ name }) => name);
  if (lost.length > 0)
    throw new Error(
      `The platform no longer lists the versions of release ${target} of ${lost.join(", ")}: check out that release and deploy it.`,
    );
  for (const { name, version = "" } of steps) {
    await platform.activate(name, version, `fleet rollback to ${target}`).catch((error) => {
      throw new Error(
        `${name} could not go back: ${error instanceof Error ? error.message : error} Run the command again.`,
      );
    });
    report(`${name}: activated version ${version}`);
  }
  return target;
}

/** The release that answered before the present one; a release that was gone back from does not count. */
export function previousRelease(histories: Map<WorkerName, Deployment[]>): string {
  const gateway = histories.get("gateway") ?? [];
  const current = releaseOf(gateway[0]);
  const isCutOff = [...histories.values()].some((deployments) => releaseOf(deployments[0]) !== current);
  if (current && isCutOff) return current;
  // The gateway is activated last: its releases are those that were completed. The last one of the list is the present one.
  const releases: string[] = [];
  for (const deployment of gateway.toReversed()) {
    const release = releaseOf(deployment);
    if (!release) continue;
    const present = releases.indexOf(release);
    if (present >= 0) releases.length = present;
    releases.push(release);
  }
  const target = releases.at(-2);
  if (!target) throw new Error("There is no earlier release to go back to.");
  return target;
}

function releaseOf(deployment: Deployment | undefined): string | undefined {
  return /^fleet (?:release|rollback to) (\S+)$/.exec(deployment?.annotations?.["workers/message"] ?? "")?.[1];
}
