import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleOf } from "../system/bundle.ts";
import { configOf, WORKERS, type WorkerName } from "../workers.ts";
import { tagOf } from "./content.ts";
import type { Platform } from "./platform.ts";
import { INSTALLATION_BINDING, type PlatformState, type WorkerConfigs } from "./state.ts";
import { runWrangler } from "./wrangler.ts";

export type Upload = {
  platform: Platform;
  state: PlatformState;
  configs: WorkerConfigs;
  environment: string;
  installation: string;
  /** The secrets of each Worker, and the key that makes tags of them unreadable. */
  secrets: Record<WorkerName, Record<string, string>>;
  tagKey: string;
  env: Record<string, string | undefined>;
  report(line: string): void;
};
export type Versions = Record<WorkerName, string>;

/** wrangler takes about a second of a processor; more than two at a time gain nothing on a small machine. */
const PARALLEL_UPLOADS = 2;

/**
 * Creates the Workers that are missing, so that the bindings of each version lead somewhere: the platform refuses versions
 * of a Worker, and bindings to a Worker, that does not exist. They answer 503 and have no public address.
 */
export async function createMissingWorkers(upload: Upload): Promise<void> {
  const missing = WORKERS.filter((worker) => !upload.state.workers[worker]);
  await inPairs(missing, async (worker) => {
    upload.report(`create the Worker ${upload.configs[worker].name}`);
    const folder = await mkdtemp(join(tmpdir(), "fleet-placeholder-"));
    try {
      await writeFile(join(folder, "placeholder.js"), placeholderOf(worker, upload.configs));
      const { name, compatibility_date, migrations, triggers, queues, observability } = upload.configs[worker];
      const vars = { [INSTALLATION_BINDING]: upload.installation };
      const config = {
        ...{ name, compatibility_date, migrations, triggers, observability, vars, workers_dev: false },
        ...{ main: "placeholder.js", no_bundle: true, queues: { consumers: queues.consumers ?? [] } },
      };
      await writeFile(join(folder, "wrangler.json"), JSON.stringify(config));
      await runWrangler(["deploy", "--config", join(folder, "wrangler.json")], upload.env);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
}

/** A Worker with the same Durable Object classes and entrypoints, which does nothing. */
function placeholderOf(worker: WorkerName, configs: WorkerConfigs): string {
  const { name, migrations } = configs[worker];
  const objects = migrations.flatMap(({ new_sqlite_classes = [] }) => new_sqlite_classes);
  const services = WORKERS.flatMap((other) => configs[other].services).filter(({ service }) => service === name);
  const entrypoints = new Set(services.flatMap(({ entrypoint }) => entrypoint ?? []));
  return [
    'import { DurableObject, WorkerEntrypoint } from "cloudflare:workers";',
    'const fetch = () => new Response("This system is being deployed.", { status: 503 });',
    "export default { fetch, scheduled() {}, queue(batch) { batch.retryAll(); } };",
    ...objects.map((className) => `export class ${className} extends DurableObject {}`),
    ...[...entrypoints].map((className) => `export class ${className} extends WorkerEntrypoint {}`),
  ].join("\n");
}

/**
 * Uploads a version of each Worker without activating it; a version that is uploaded already is used again. Workers with a
 * new Durable Object class come last: the platform creates classes only together with an activation.
 */
export async function uploadVersions(upload: Upload): Promise<Versions> {
  const hasNewClass = (worker: WorkerName) => {
    const deployed = upload.state.workers[worker];
    const tag = upload.configs[worker].migrations.at(-1)?.tag;
    return deployed !== undefined && tag !== undefined && deployed.migrationTag !== tag;
  };
  const versions: Partial<Versions> = {};
  const uploadOne = async (worker: WorkerName) => {
    versions[worker] = await uploadVersion(upload, worker, hasNewClass(worker));
  };
  await inPairs(
    WORKERS.filter((worker) => !hasNewClass(worker)),
    uploadOne,
  );
  for (const worker of WORKERS.filter(hasNewClass)) await uploadOne(worker);
  // All of them, because a failed upload throws.
  return versions as Versions;
}

async function uploadVersion(upload: Upload, worker: WorkerName, hasNewClass: boolean): Promise<string> {
  const { platform, configs, installation, environment, env } = upload;
  const { name } = configs[worker];
  const secrets = upload.secrets[worker];
  const tag = tagOf(worker, configs[worker], { ...secrets, [INSTALLATION_BINDING]: installation }, upload.tagKey);
  const present = await platform.findVersion(name, tag);
  if (present) {
    upload.report(`${name}: version ${present} is uploaded already`);
    return present;
  }
  upload.report(hasNewClass ? `${name}: upload and activate, for a new Durable Object class` : `${name}: upload`);
  const options = ["--config", configOf(worker), "--env", environment, "--tag", tag];
  // The bundle that the tag was made of: bundling again would take longer than the upload.
  const bundle = [join(bundleOf(worker), "index.js"), "--no-bundle"];
  const inputs = ["--var", `${INSTALLATION_BINDING}:${installation}`, "--secrets-file", "/dev/stdin"];
  const command = hasNewClass ? ["deploy"] : ["versions", "upload"];
  await runWrangler([...command, ...bundle, ...options, ...inputs], env, secrets);
  const uploaded = await platform.findVersion(name, tag);
  if (!uploaded) throw new Error(`${name}: the platform does not list the version that was uploaded.`);
  return uploaded;
}

/** Runs the work for two Workers at a time to its end, and then throws all failures together. */
async function inPairs(workers: WorkerName[], run: (worker: WorkerName) => Promise<void>): Promise<void> {
  const waiting = [...workers];
  const failures: string[] = [];
  const lane = async () => {
    for (let worker = waiting.shift(); worker && failures.length === 0; worker = waiting.shift()) {
      await run(worker).catch((error) => failures.push(`${worker}: ${error instanceof Error ? error.message : error}`));
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_UPLOADS }, lane));
  if (failures.length > 0) throw new Error(failures.join("\n"));
}
