import { createHash, createHmac } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { bundleOf } from "../system/bundle.ts";
import { configOf, type WorkerName } from "../workers.ts";

const packages = createRequire(import.meta.url);

export type WorkerConfig = {
  name: string;
  compatibility_date: string;
  services: { binding: string; service: string; entrypoint?: string }[];
  vars: Record<string, string>;
  r2_buckets: { binding: string; bucket_name: string }[];
  queues: {
    producers?: { binding: string; queue: string }[];
    consumers?: { queue: string; max_batch_size?: number; max_batch_timeout?: number; max_retries?: number }[];
  };
  durable_objects: { bindings: { name: string; class_name: string }[] };
  ratelimits: { name: string }[];
  migrations: { tag: string; new_sqlite_classes?: string[] }[];
  triggers: { crons?: string[] };
  routes?: unknown[];
  workers_dev?: boolean;
  assets?: { directory: string; binding?: string };
  observability?: unknown;
};

/** A Worker's wrangler.toml as wrangler reads it for an environment; throws if the environment is not in it. */
export function configFor(worker: WorkerName, environment: string): WorkerConfig {
  // Loaded here, because it takes a second: the way back to an earlier release needs no configuration.
  const { unstable_readConfig: read }: typeof import("wrangler") = packages("wrangler");
  const readConfig = (env: string) => read({ config: configOf(worker), env }, { hideWarnings: true });
  const { definedEnvironments = [], ...top } = readConfig("");
  if (environment && !definedEnvironments.includes(environment))
    throw new Error(
      `There is no environment ${environment} in the wrangler.toml of ${worker}: write it with \`npm run environment ${environment}\`.`,
    );
  const config = environment ? readConfig(environment) : top;
  // wrangler's own type leaves out the types of other packages.
  return config as unknown as WorkerConfig;
}

/** The names of the bindings that the configuration declares, with what they lead to. */
export function declaredBindings(config: WorkerConfig): Map<string, string> {
  return new Map([
    ...Object.keys(config.vars).map((name) => [name, "setting"] as const),
    ...config.services.map(({ binding, service }) => [binding, service] as const),
    ...config.r2_buckets.map(({ binding, bucket_name }) => [binding, `bucket ${bucket_name}`] as const),
    ...(config.queues.producers ?? []).map(({ binding, queue }) => [binding, `queue ${queue}`] as const),
    ...config.durable_objects.bindings.map(({ name, class_name }) => [name, `objects ${class_name}`] as const),
    ...config.ratelimits.map(({ name }) => [name, "rate"] as const),
    ...(config.assets?.binding ? [[config.assets.binding, "static files"] as const] : []),
  ]);
}

/** Kilobytes that a Worker has to load, compressed as the platform counts them. */
export function sizeOf(worker: WorkerName): number {
  return Math.ceil(gzipSync(Buffer.concat(modulesOf(worker).map((file) => readFileSync(file)))).byteLength / 1024);
}

/**
 * Identifies all that an upload would contain: code, configuration, static files and secrets. Keyed, because a tag can be
 * read by everybody who may see the Worker. Versions carry it, so that nothing is uploaded twice.
 */
export function tagOf(worker: WorkerName, config: WorkerConfig, secrets: Record<string, string>, key: string): string {
  const hash = createHash("sha256");
  for (const file of modulesOf(worker))
    hash.update(`${file.slice(bundleOf(worker).length)}\n`).update(readFileSync(file));
  const { configPath, userConfigPath, main, ...settings } = config as WorkerConfig & Record<string, unknown>;
  hash.update(JSON.stringify(settings));
  if (config.assets) hash.update(readFileSync(join(assetsOf(worker, config.assets.directory), "stamp")));
  const sorted = Object.entries(secrets).toSorted(([one], [other]) => one.localeCompare(other));
  return createHmac("sha256", key).update(hash.digest()).update(JSON.stringify(sorted)).digest("hex").slice(0, 16);
}

function assetsOf(worker: WorkerName, directory: string) {
  return resolve(dirname(configOf(worker)), directory);
}

/** The files that are uploaded of a bundle; maps of the sources are not loaded by the Worker. */
function modulesOf(worker: WorkerName): string[] {
  const files = readdirSync(bundleOf(worker), { recursive: true, encoding: "utf8" });
  const others = files.filter((file) => /\.(js|txt|html|sql|bin|ttf|wasm)$/.test(file));
  return others.toSorted().map((file) => join(bundleOf(worker), file));
}
