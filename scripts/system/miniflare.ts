import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import type { Miniflare, V4ModuleDefinition, V4WorkerOptionsShape } from "miniflare";
import { callsPerCount } from "../../gateway/src/receive/call/calls-per-count.ts";
import { deployedName, WORKERS, type WorkerName } from "../workers.ts";
import { localBindings, localVars, secretBindings } from "./bindings.ts";
import { bundleOf } from "./bundle.ts";
import { separateStaticFiles } from "./local-static-files.ts";
import { networksOf } from "./networks.ts";
import { report } from "./report.ts";
import type { Secrets } from "./secrets.ts";
import type { DatabaseServer } from "./sqld.ts";
import { workerOptions } from "./worker-options.ts";

export type LocalWorkers = {
  fireCrons(scheduledTime: Date): Promise<void>;
  /** Posts to a Worker that has a front, or to one of `extraWorkers`, by the name in its wrangler.toml. */
  postTo(name: string, path: string, body: string): Promise<Response>;
  /** The ids of a Worker's Durable Objects of a class, as far as they have storage. */
  objectIds(worker: WorkerName, className: string): Promise<string[]>;
  /** Runs a statement in the storage of each Durable Object of a class; the rows of all. */
  queryObjects(worker: WorkerName, className: string, sql: string): Promise<Record<string, unknown>[]>;
  /** The values in `env` of a Worker that is started with an environment. */
  bindingsOf(worker: WorkerName, environment: Record<string, string | undefined>): Record<string, unknown>;
  /** Calls a Worker's own route directly. */
  ask(worker: WorkerName, path: string): Promise<unknown>;
  /** Where the gateway itself is reached, also where the port was left to the system (0). */
  origin: string;
  /** The gateway behind miniflare's front, as a Worker is reached for which nothing else is said. */
  front: string;
  stop(): Promise<void>;
};
/** Modules by name that a Worker is run with besides its bundle; the first of them is the one that is run. */
export type Fronts = Partial<Record<WorkerName, Record<string, string>>>;
/** A line that a Worker wrote to its console; the time in UTC milliseconds. */
export type WorkerLog = { timestamp: number; level: string; message: string };
/** A Worker of another release: its bundle, and the contract version that it shows to others. */
export type OtherRelease = { bundle: string; contract: number };
type Surroundings = {
  fronts?: Fronts;
  /** Workers of other releases, as for a moment of each deployment. */
  otherReleases?: Partial<Record<WorkerName, OtherRelease>>;
  /** Folders of more Workers, each with a wrangler.toml and an index.js, that run beside the six. */
  extraWorkers?: string[];
  /** A folder of static files in the place of the built one. */
  staticFiles?: string;
  /** Whether `queryObjects` may look into the storage of Durable Objects. */
  inspectsObjects?: boolean;
  /** Receives what Workers write to their consoles; without it the lines go to stderr. */
  onLog?(log: WorkerLog): void;
};

/** Types of the modules that wrangler writes beside index.js. */
const MODULE_TYPES: Record<string, V4ModuleDefinition["type"]> = {
  ".js": "ESModule",
  ".txt": "Text",
  ".html": "Text",
  ".sql": "Text",
  ".bin": "Data",
  ".ttf": "Data",
  ".wasm": "CompiledWasm",
};

/**
 * Runs the six bundles in one workerd, which is restarted on the same port when it crashes. At `address` is the gateway
 * itself: miniflare's own front, a Worker that every call would pass first, takes twice as long as to answer a constant.
 */
export async function startWorkers(
  { inspectorPort, ...address }: { host: string; port: number; inspectorPort?: number },
  servers: Record<WorkerName, DatabaseServer>,
  secrets: Secrets,
  dataDir: string,
  environment: Record<string, string | undefined> = process.env,
  {
    fronts = {},
    otherReleases = {},
    extraWorkers = [],
    staticFiles,
    inspectsObjects = false,
    onLog = ({ message }) => report(message),
  }: Surroundings = {},
): Promise<LocalWorkers> {
  const { Log, LogLevel, Miniflare, convertV4MiniflareOptions } = await importMiniflare();
  const derived = workerOptions();
  const scheduled = WORKERS.filter((worker) => derived[worker].cronTriggers?.length);
  class StderrLog extends Log {
    override log(message: string) {
      report(message);
    }
    override error(error: Error) {
      super.error(error);
      if (isOf("ERR_RUNTIME_FAILURE", error)) void bringBack(miniflare, options);
    }
  }

  const others = await Promise.all(extraWorkers.map(extraOptionsOf));
  const options = convertV4MiniflareOptions({
    host: LOOPBACK,
    inspectorPort,
    cf: false,
    telemetry: { enabled: false },
    unsafeInspectDurableObjects: inspectsObjects,
    log: new StderrLog(LogLevel.WARN),
    handleStructuredLogs: onLog,
    resourcePersistencePath: join(dataDir, "workers"),
    workers: [...WORKERS.map(optionsOf).flatMap(separateStaticFiles), ...others],
  });
  const miniflare = new Miniflare(options);
  const front = await miniflare.ready;
  return {
    async fireCrons(scheduledTime) {
      await Promise.all(scheduled.map((worker) => fireCron(miniflare, worker, scheduledTime)));
    },
    bindingsOf,
    ask: (worker, path) => askWorker(miniflare, worker, path),
    ...insightInto(miniflare),
    origin: (await miniflare.unsafeGetDirectURL(deployedName("gateway"))).origin,
    front: front.origin,
    stop: () => miniflare.dispose(),
  };

  function optionsOf(worker: WorkerName) {
    const options = derived[worker];
    const release = otherReleases[worker];
    const bundle = release?.bundle ?? bundleOf(worker);
    const networks = networksOf(worker, servers[worker], environment);
    setLimits(options.ratelimits ?? {}, environment);
    return {
      ...options,
      name: deployedName(worker),
      assets: options.assets && { ...options.assets, directory: staticFiles ?? options.assets.directory },
      modulesRoot: bundle,
      modules: [...frontOf(worker, fronts), ...modulesOf(bundle)],
      unsafeDirectSockets: socketsOf(worker),
      serviceBindings: { ...showContract(options.serviceBindings, release), ...networks },
      bindings: bindingsOf(worker, environment),
    };
  }

  function socketsOf(worker: WorkerName) {
    if (worker === "gateway") return [address];
    return fronts[worker] ? [ANY_PORT] : [];
  }

  function bindingsOf(worker: WorkerName, given: Record<string, string | undefined>) {
    const { bindings = {} } = derived[worker];
    return {
      ...bindings,
      ...localVars(bindings, servers[worker], given),
      ...secretBindings(worker, servers[worker], secrets, given),
      ...localBindings(worker, given),
    };
  }
}

/** The options of a Worker that is not one of the six, from its wrangler.toml; its index.js is run as it is. */
async function extraOptionsOf(folder: string) {
  const { unstable_getMiniflareWorkerOptions, unstable_readConfig } = await import("wrangler");
  const config = join(folder, "wrangler.toml");
  const { workerOptions } = unstable_getMiniflareWorkerOptions(config);
  const { modulesRules, ...options } = workerOptions as V4WorkerOptionsShape & { modulesRules?: unknown };
  const modules: V4ModuleDefinition[] = [{ type: "ESModule", path: join(folder, "index.js") }];
  const { name } = unstable_readConfig({ config });
  return { ...options, name, modulesRoot: folder, modules, unsafeDirectSockets: [ANY_PORT] };
}

/** Posts to Workers by their names, and reads the storage of Durable Objects, which no network can. */
function insightInto(miniflare: Miniflare): Pick<LocalWorkers, "postTo" | "objectIds" | "queryObjects"> {
  return {
    // By a socket: Miniflare's own way to a Worker takes a thread and stops this process until it has answered.
    async postTo(name, path, body) {
      return fetch(new URL(path, await miniflare.unsafeGetDirectURL(name)), { method: "POST", body });
    },
    objectIds: (worker, className) => miniflare.listDurableObjectIds(className, deployedName(worker)),
    async queryObjects(worker, className, sql) {
      const script = deployedName(worker);
      const ids = await miniflare.listDurableObjectIds(className, script);
      const rows = ids.map(async (id) => {
        const storage = await miniflare.unsafeGetDurableObjectStorage(script, className, { id });
        return storage.exec(sql);
      });
      return (await Promise.all(rows)).flat();
    },
  };
}

/** Miniflare gives up where workerd ends once more before it is there: as with new options, it starts it anew. */
async function bringBack(miniflare: Miniflare, options: Parameters<Miniflare["setOptions"]>[0]) {
  try {
    await miniflare.setOptions(options);
  } catch (thrown) {
    if (isOf("ERR_DISPOSED", thrown)) return;
    report(`workerd does not start: ${thrown}`);
    setTimeout(bringBack, PAUSE_MS, miniflare, options);
  }
}

function isOf(code: string, thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && thrown.code === code;
}

const LOOPBACK = "127.0.0.1";
const ANY_PORT = { host: LOOPBACK, port: 0 };
/** Between two attempts to start workerd. */
const PAUSE_MS = 1000;

/** Writes the limits that the environment names into a Worker's rate-limit bindings, which count for ten seconds. */
function setLimits(
  ratelimits: NonNullable<V4WorkerOptionsShape["ratelimits"]>,
  environment: Record<string, string | undefined>,
) {
  const perAddress = Number(environment.RATE_LIMIT_PER_ADDRESS || 0);
  if (perAddress && ratelimits.ADDRESS_LIMIT) ratelimits.ADDRESS_LIMIT.simple.limit = perAddress;
  // A single machine serves programs that log in for each of their jobs: only deployed ten are the default.
  const logIns = Number(environment.LOG_INS_PER_ADDRESS || perAddress || ratelimits.ADDRESS_LIMIT?.simple.limit);
  if (logIns && ratelimits.LOG_IN_LIMIT) ratelimits.LOG_IN_LIMIT.simple.limit = logIns;
  const perVisitor = Number(environment.RATE_LIMIT_PER_VISITOR || 0);
  if (perVisitor && ratelimits.VISITOR_LIMIT) ratelimits.VISITOR_LIMIT.simple.limit = perVisitor;
  const perAccount = Number(environment.ACCOUNT_RATE_PER_SECOND || 0);
  const accountLimit = ratelimits.ACCOUNT_LIMIT?.simple;
  if (perAccount && accountLimit) accountLimit.limit = Math.ceil((perAccount * 10) / callsPerCount(perAccount));
}

async function fireCron(miniflare: Miniflare, worker: WorkerName, scheduledTime: Date) {
  const fetcher = await miniflare.getWorker(deployedName(worker));
  await fetcher.scheduled({ cron: "* * * * *", scheduledTime });
}

async function askWorker(miniflare: Miniflare, worker: WorkerName, path: string): Promise<unknown> {
  const fetcher = await miniflare.getWorker(deployedName(worker));
  return (await fetcher.fetch(`http://${worker}${path}`)).json();
}

/** Imported late: it takes half a second, which the databases use to start, and reads the environment then. */
async function importMiniflare() {
  Object.assign(process.env, {
    CLOUDFLARE_CF_FETCH_ENABLED: "false", // else `Request.cf` is fetched from the Internet
    X_LOCAL_OBSERVABILITY: "false", // else a trace of every call is stored, at half of the throughput
    WRANGLER_SEND_METRICS: "false",
    WRANGLER_LOG: "error",
  });
  // `import` would keep its 12 MB of source a second time.
  const miniflare: typeof import("miniflare") = createRequire(import.meta.url)("miniflare");
  return miniflare;
}

/** Service bindings that show another contract version than that of the wrangler.toml. */
function showContract(services: V4WorkerOptionsShape["serviceBindings"], release: OtherRelease | undefined) {
  if (!release) return services;
  const shown = Object.entries(services ?? {}).map(([name, service]) => {
    const isLink = typeof service === "object" && "props" in service;
    return [name, isLink ? { ...service, props: { contract: release.contract } } : service] as const;
  });
  return Object.fromEntries(shown);
}

function frontOf(worker: WorkerName, fronts: Fronts): V4ModuleDefinition[] {
  const modules = Object.entries(fronts[worker] ?? {});
  return modules.map(([name, contents]) => ({ type: "ESModule", path: join(bundleOf(worker), name), contents }));
}

/** The first is the one that is run. */
function modulesOf(folder: string): V4ModuleDefinition[] {
  const others = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file !== "index.js");
  return ["index.js", ...others].flatMap((file) => {
    const type = MODULE_TYPES[extname(file)];
    return type ? [{ type, path: join(folder, file) }] : [];
  });
}
