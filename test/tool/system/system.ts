import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { callsPerCount } from "../../../gateway/src/receive/calls-per-count.ts";
import { localBindings, localVars, secretBindings } from "../../../scripts/bindings.ts";
import { bundleChanged, bundleOf } from "../../../scripts/bundle.ts";
import { loadGazetteer } from "../../../scripts/gazetteer.ts";
import { insertFirstOperator } from "../../../scripts/operator.ts";
import { newSecrets } from "../../../scripts/secrets.ts";
import { type DatabaseServer, startDatabases } from "../../../scripts/sqld.ts";
import { migrateAll } from "../../../scripts/tracker-databases.ts";
import { configOf, deployedName, WORKERS, type WorkerName } from "../../../scripts/workers.ts";
import type { Principal } from "../../../shared/caller/principal.ts";
import type { NewEvent } from "../../../shared/contract/event.ts";
import type { FileObject } from "../../../shared/contract/file-object.ts";
import type { FileSearch } from "../../../shared/contract/file-ticket.ts";
import type { ReadRequest } from "../../../shared/operation/declaration.ts";
import { systemNow } from "../../../shared/time/clock.ts";
import { type ArchiveOrder, OBJECTS, writeCaller } from "./caller-worker.ts";
import { type Content, change, contentOf } from "./database-content.ts";
import { watchDatabases } from "./watched-databases.ts";

/** Where a system is; plain data, so that one process can tell another. */
export type Addresses = { origin: string; baseUrl: string; controlUrl: string };
export type System = Addresses & ReturnType<typeof controls>;
/** A call as the gateway hands it to a service, less what no test of ours depends on. */
type ServiceCall = { path: string; parameters: object; principal: Principal };
type Log = { timestamp: number; level: string; message: string };

/** Tests log in a thousand times. */
const CHEAP_PASSWORDS = { PASSWORD_COST: "16", LOCAL_RUN: "1" };

export const OPERATOR = { login: "admin", password: "operator-secret" };

/**
 * The six Workers with databases of their own, empty but for migrations and the first operator. `environment` is what
 * `npm start` would take from the environment; rates are unlimited unless it limits them.
 */
export async function startSystem(
  environment: Record<string, string> = {},
): Promise<System & { stop(): Promise<void> }> {
  const { GAZETTEER_POPULATION, GEO_DATABASES } = environment;
  const folder = await mkdtemp(join(tmpdir(), "fleet-test-"));
  const [databases] = await Promise.all([startDatabases(folder, { GEO_DATABASES }), bundleChanged()]);
  const servers = await migrateAll(databases.servers);
  if (GAZETTEER_POPULATION) await loadGazetteer(servers.geo, Number(GAZETTEER_POPULATION));
  await insertFirstOperator(servers.gateway, OPERATOR, CHEAP_PASSWORDS);

  const harness = await startHarness(servers, folder, environment);
  const { url } = await harness.listen();
  const lines = watchDatabases(servers);
  const control = await startControl(lines, harness, servers);
  const addresses = { origin: url.origin, baseUrl: `${url.origin}/api-v2`, controlUrl: control.url };
  return {
    ...addresses,
    ...controls(addresses),
    async stop() {
      control.stop();
      lines.stop();
      await harness.close();
      await databases.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** What a test can do to a system, and learn of it, besides calling it. */
export function controls({ controlUrl }: Pick<Addresses, "controlUrl">) {
  return {
    /** Requests to each database since `resetTrips`. All tests on this system count: measure on one of your own. */
    trips: () => ask<Record<WorkerName, number>>("GET", "/trips"),
    resetTrips: () => ask("POST", "/trips/reset"),
    /** How many of them came one after the other since `resetTrips`: those side by side are one. */
    sequentialTrips: () => ask<number>("GET", "/trips/sequential"),
    /** From now on each takes so much longer: what begins together is seen side by side. */
    slowDown: (ms: number) => ask("POST", `/slow?ms=${ms}`),
    /** Makes a Worker's database unreachable, for all who use this system. */
    takeDown: (worker: WorkerName) => ask("POST", `/down?db=${worker}`),
    /** Only one of geo's, by its place in the list. */
    takeDownOf: (place: number) => ask("POST", `/down-of?place=${place}`),
    /** It carries out what it is told, but every answer is lost. */
    loseAnswers: (worker: WorkerName) => ask("POST", `/deaf?db=${worker}`),
    /** It takes what it is told, and never answers. */
    hold: (worker: WorkerName) => ask("POST", `/hold?db=${worker}`),
    bringUp: (worker: WorkerName) => ask("POST", `/up?db=${worker}`),
    /** Runs a Worker's cron trigger to its end. */
    fireCron: (worker: WorkerName) => ask("POST", `/scheduled?worker=${worker}`),
    /** The keys in the bucket of files that begin so. */
    objects: (prefix: string) => ask<string[]>("GET", `/objects?prefix=${prefix}`),
    /** Answers the keys in the archive of points that begin so, after the change. */
    archive: (order: ArchiveOrder) => ask<string[]>("POST", "/archive", order),
    /** What a Worker's database has, or all of geo's have together, by the names of its tables; of bytes only how many they are. */
    contentOf: (worker: WorkerName) => ask<Content>("GET", `/content?worker=${worker}`),
    /** What one of geo's databases has. */
    contentAt: (place: number) => ask<Content>("GET", `/content?place=${place}`),
    /** Changes a Worker's database behind its back, as only time or a crash would. */
    change,
    /** Lets the next run of a schedule of reports come, as if that time had passed. */
    bringForward: (schedule_id: number, next_run: number) =>
      change("reports", "UPDATE report_schedule SET next_run = ? WHERE id = ?", next_run, schedule_id),
    /** Whether a tracker's feed holds nothing but the line that it was erased. */
    isErased: (tracker_id: number) => ask<boolean>("GET", `/erased?tracker=${tracker_id}`),
    /** Takes what they have in memory from the objects of all sockets, as when they sleep: the connections stay. */
    evictObjects: () => ask("POST", "/evict"),
    /** The rows of a statement in the storages of all journals that trackers share. */
    inJournals: (sql: string) => ask<Record<string, string | number>[]>("POST", "/journals", { sql }),
    /** What the Workers wrote to the console since the start. */
    logs: () => ask<Log[]>("GET", "/logs"),
    /** Calls a service as the gateway does, for any principal: also for one that no credential gives. */
    handleAs: (worker: WorkerName, call: ServiceCall) =>
      ask<{ status: number; body: string }>("POST", `/handle?worker=${worker}`, call),
    /** The same, and leaves without the answer after so long. */
    leaveAs: (worker: WorkerName, call: ServiceCall, ms: number) =>
      ask("POST", `/leave?worker=${worker}`, { ...call, ms }),
    /** The files as the services see them whose things have files. */
    filesOf: (search: FileSearch) => ask<FileObject[]>("POST", "/files-of", [search]),
    /** Tells fleet of events as their producers do. */
    tellEvents: (events: NewEvent[]) => ask("POST", "/tell?worker=fleet", [events]),
  };

  function change(worker: WorkerName, sql: string, ...args: (string | number)[]) {
    return ask("POST", `/change?worker=${worker}`, { sql, args });
  }

  async function ask<Reply = void>(method: "GET" | "POST", path: string, given?: object): Promise<Reply> {
    const answer = await fetch(controlUrl + path, { method, body: given && JSON.stringify(given) });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return answer.json() as Reply; // from `startControl` below
  }
}

type Databases = Awaited<ReturnType<typeof startDatabases>>["servers"];
type Harness = Awaited<ReturnType<typeof startHarness>>;
type Lines = ReturnType<typeof watchDatabases>;

async function startHarness(servers: Databases, folder: string, environment: Record<string, string>) {
  const unlimited = {
    ALLOW_PRIVATE_TARGETS: "1",
    RATE_LIMIT_PER_SECOND: "1000000",
    RATE_LIMIT_PER_ADDRESS: "1000000",
    RATE_LIMIT_PER_VISITOR: "1000000",
    // A file of tests asks for more at once than a person would.
    PARALLEL_REPORTS: "1000",
    MAIL_REQUESTS: "1000000",
    ACCOUNT_RATE_PER_SECOND: "1000000",
  };
  const given = { ...unlimited, ...CHEAP_PASSWORDS, ...environment };
  const secrets = newSecrets();
  Object.assign(process.env, {
    CLOUDFLARE_CF_FETCH_ENABLED: "false",
    X_LOCAL_OBSERVABILITY: "false",
    WRANGLER_SEND_METRICS: "false",
    WRANGLER_LOG: "error",
  });
  // It takes a second to load and reads the environment when it does.
  const { createTestHarness, unstable_readConfig } = await import("wrangler");
  const gatewayConfig = join(folder, "wrangler.toml");
  await writeFile(gatewayConfig, await withRates(given));
  const workers = WORKERS.map((worker) => {
    const { vars } = unstable_readConfig({ config: configOf(worker) });
    return {
      configPath: worker === "gateway" ? gatewayConfig : configOf(worker),
      prebuiltWorkerDir: bundleOf(worker),
      vars: localVars(vars, servers[worker], given),
      secrets: { ...secretBindings(worker, servers[worker], secrets, given), ...localBindings(worker, given) },
    };
  });
  return createTestHarness({ workers: [...workers, { configPath: await writeCaller(join(folder, "caller")) }] });
}

type Rates = { RATE_LIMIT_PER_ADDRESS: string; RATE_LIMIT_PER_VISITOR: string; ACCOUNT_RATE_PER_SECOND: string };

/** The rate of a binding is no variable: it stands in the configuration, for ten seconds. */
async function withRates(given: Rates) {
  const perAccount = Number(given.ACCOUNT_RATE_PER_SECOND);
  let config = await readFile(configOf("gateway"), "utf8");
  for (const [name, limit] of [
    ["ADDRESS_LIMIT", Number(given.RATE_LIMIT_PER_ADDRESS)],
    ["VISITOR_LIMIT", Number(given.RATE_LIMIT_PER_VISITOR)],
    ["ACCOUNT_LIMIT", Math.ceil((10 * perAccount) / callsPerCount(perAccount))],
  ] as const) {
    const rate = new RegExp(`(name = "${name}"[^[]*limit = )\\d+(, period = 10 )`);
    if (!rate.test(config)) throw new Error(`The gateway's wrangler.toml has no ${name}.`);
    config = config.replace(rate, `$1${limit}$2`);
  }
  return config;
}

/** Tests run in other processes than the harness, so they ask over HTTP. */
async function startControl(lines: Lines, harness: Harness, servers: Databases) {
  const callWorker = callerOf(harness);
  const server = createServer(async (request, response) => {
    try {
      const answer = await obey(`${request.method} ${request.url}`, await text(request));
      response.end(
        JSON.stringify(answer ?? null, (_, value) => (value instanceof ArrayBuffer ? value.byteLength : value)),
      );
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address === "string" || !address) throw new Error("A TCP server has a port.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };

  async function obey(order: string, given: string) {
    const [wanted, name = ""] = order.split(/\?\w+=/);
    const worker = () => WORKERS.find((known) => known === name) ?? fail(`There is no Worker "${name}".`);
    if (wanted === "GET /trips") return lines.trips();
    if (wanted === "GET /logs") return harness.getLogs();
    if (wanted === "POST /trips/reset") return lines.resetTrips();
    if (wanted === "GET /trips/sequential") return lines.sequentialTrips();
    if (wanted === "POST /slow") return lines.slowDown(Number(name));
    if (wanted === "POST /down") return void lines.down.add(worker());
    if (wanted === "POST /down-of") return void lines.downPlaces.add(new URL(serverAt(servers.geo, name).url).origin);
    if (wanted === "POST /deaf") return void lines.deaf.add(worker());
    if (wanted === "POST /hold") return void lines.held.add(worker());
    if (wanted === "POST /up") return lines.bringUp(worker());
    if (wanted === "POST /handle") return handle(worker(), JSON.parse(given));
    if (wanted === "POST /leave") return leave(worker(), JSON.parse(given));
    if (wanted === "POST /tell") return (await callWorker(worker(), "storeEvents", JSON.parse(given))).json();
    if (wanted === "POST /files-of") return (await callWorker("files", "filesOf", JSON.parse(given))).json();
    if (wanted === "GET /content") return contentOf(/\d/.test(name) ? serverAt(servers.geo, name) : servers[worker()]);
    if (wanted === "POST /change") return change(servers[worker()], JSON.parse(given));
    if (wanted === "GET /erased") return (await callWorker("geo", "erased", [name])).json();
    if (wanted === "POST /evict") return evictObjects(harness);
    if (wanted === "POST /journals") return inJournals(harness, JSON.parse(given).sql);
    if (wanted === "GET /objects") return (await callWorker("files", "objects", [name])).json();
    if (wanted === "POST /archive") return (await callWorker("geo", "archive", [JSON.parse(given)])).json();
    if (wanted === "POST /scheduled") {
      const answer = await callWorker(worker(), "scheduled", [{ cron: "* * * * *", scheduledTime: systemNow() }]);
      const { outcome } = (await answer.json()) as { outcome: string }; // as workerd answers it
      return outcome === "ok" ? undefined : fail(`The cron of ${name} ended with "${outcome}".`);
    }
    return fail(`No such order: ${order}`);
  }

  async function handle(worker: WorkerName, call: ServiceCall) {
    const answer = await callWorker(worker, "handle", handed(call));
    return { status: answer.status, body: await answer.text() };
  }

  async function leave(worker: WorkerName, { ms, ...call }: ServiceCall & { ms: number }) {
    return (await callWorker(worker, "leave", [ms, ...handed(call)])).json();
  }
}

function serverAt({ further = [], ...first }: DatabaseServer, place: string) {
  return [first, ...further][Number(place) - 1] ?? fail(`There is no database ${place} of geo.`);
}

/** Not by the harness, which would wait, deaf to the databases that an object at work may need. */
async function evictObjects(harness: Harness) {
  const found = Object.entries(OBJECTS).map(async ([name, worker]) => {
    return [name, await harness.getWorker(deployedName(worker)).listDurableObjectIds(name)];
  });
  const answer = await callerOf(harness)("gateway", "evict", await Promise.all(found));
  if (!answer.ok) throw new Error(await answer.text());
}

function callerOf(harness: Harness) {
  return (worker: WorkerName, method: string, given: unknown[]) => {
    const body = JSON.stringify({ worker, method, given });
    return harness.getWorker("caller").fetch("http://caller", { method: "POST", body });
  };
}

async function inJournals(harness: Harness, sql: string) {
  const geo = harness.getWorker(deployedName("geo"));
  const ids = await geo.listDurableObjectIds("BlockJournal");
  const storages = await Promise.all(ids.map((id) => geo.getDurableObjectStorage("BlockJournal", { id })));
  return (await Promise.all(storages.map((storage) => storage.exec(sql)))).flat();
}

function handed({ path, parameters, principal }: ServiceCall): [ReadRequest, Principal] {
  return [{ ...BLANK_REQUEST, path, typed: { ...parameters } }, principal];
}

const BLANK_REQUEST = {
  method: "POST",
  textual: {},
  shows_hash: true,
  iso: false,
  address: "",
  user_agent: "",
  base_url: "",
  request_id: "",
};

function fail(message: string): never {
  throw new Error(message);
}
