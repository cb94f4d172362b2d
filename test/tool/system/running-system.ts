import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { bundleChanged } from "../../../scripts/system/bundle.ts";
import { type LocalWorkers, startWorkers, type WorkerLog } from "../../../scripts/system/miniflare.ts";
import { newSecrets, type Secrets } from "../../../scripts/system/secrets.ts";
import type { DatabaseServer } from "../../../scripts/system/sqld.ts";
import { WORKERS, type WorkerName } from "../../../scripts/workers.ts";
import type { Principal } from "../../../shared/caller/principal.ts";
import type { ReadRequest } from "../../../shared/operation/declaration.ts";
import { systemNow } from "../../../shared/time/clock.ts";
import { writeSimpleMap } from "../console/simple-map.ts";
import { change, contentOf, rowCountsOf, rowsOf } from "../database/content.ts";
import { copyRow, copyTracker, copyUser } from "../database/copies.ts";
import { startMigratedDatabases } from "../database/migrated.ts";
import { type Watch, watchDatabases } from "../database/watched.ts";
import { IS_CAMPAIGN } from "../effort.ts";
import { listenOnLoopback } from "../listen.ts";
import { OBJECTS, writeCaller } from "./caller-worker.ts";
import { bindingsFronts, changeSettings, moveClock } from "./changed-bindings.ts";
import type { Addresses, ServiceCall } from "./controls.ts";
import { newDataFolder } from "./data-folder.ts";
import { CHEAP_PASSWORDS } from "./operator.ts";

/** Settings without limits: a test file makes more calls at once than a person would. */
const UNLIMITED = {
  ALLOW_PRIVATE_TARGETS: "1",
  RATE_LIMIT_PER_SECOND: "1000000",
  RATE_LIMIT_PER_ADDRESS: "1000000",
  RATE_LIMIT_PER_VISITOR: "1000000",
  PARALLEL_REPORTS: "1000",
  MAIL_REQUESTS: "1000000",
  ACCOUNT_RATE_PER_SECOND: "1000000",
};

function withDefaults(environment: Record<string, string>) {
  return { ...UNLIMITED, ...CHEAP_PASSWORDS, ...environment };
}

export type RunningSystem = Awaited<ReturnType<typeof startRunningSystem>>;

/**
 * Starts the six Workers with databases of their own; `isWatched`: with a proxy before each database. The console is built
 * for it with `WITH_CONSOLE` only.
 */
export async function startRunningSystem(environment: Record<string, string>, isWatched: boolean) {
  const folder = await newDataFolder("test");
  const hasConsole = environment.WITH_CONSOLE === "1";
  const [databases] = await Promise.all([
    startMigratedDatabases(join(folder, "databases"), Number(environment.GEO_DATABASES || 1)),
    bundleChanged({ withConsole: hasConsole }),
  ]);
  const watched = isWatched ? await watchDatabases(databases.servers) : undefined;
  const logs: WorkerLog[] = [];
  const secrets = newSecrets();
  const workers = await startWorkers(
    { host: "127.0.0.1", port: 0 },
    watched?.servers ?? databases.servers,
    secrets,
    folder,
    withDefaults(environment),
    {
      fronts: bindingsFronts(),
      staticFiles: hasConsole && !IS_CAMPAIGN ? await writeSimpleMap(join(folder, "static")) : undefined,
      extraWorkers: [await writeCaller(join(folder, "caller"))],
      inspectsObjects: true,
      onLog: (log) => void logs.push(log),
    },
  );
  const control = await startControl({ workers, servers: databases.servers, secrets, logs, watch: watched?.watch });
  const { origin } = workers;
  const addresses: Addresses = { origin, baseUrl: `${origin}/api-v2`, controlUrl: control.url };
  return {
    addresses,
    /** Undoes the settings, faults and clocks that a test may have left in the system, and gives it other settings. */
    async reset(settings: Record<string, string>) {
      for (const worker of WORKERS) watched?.watch.bringUp(worker);
      watched?.watch.slowDown(0);
      watched?.watch.resetTrips();
      logs.length = 0;
      await changeSettings(workers, withDefaults(settings));
      await moveClock(workers, 0);
    },
    async stop() {
      control.stop();
      watched?.stop();
      await workers.stop();
      await databases.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type Controlled = {
  workers: LocalWorkers;
  servers: Record<WorkerName, DatabaseServer>;
  secrets: Secrets;
  logs: WorkerLog[];
  watch: Watch | undefined;
};

/** Serves the controls of a system over HTTP: tests run in other processes. */
async function startControl(system: Controlled) {
  const server = createServer(async (request, response) => {
    try {
      const answer = await obey(system, `${request.method} ${request.url}`, await text(request));
      response.end(JSON.stringify(answer ?? null));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function obey({ workers, servers, secrets, logs, watch }: Controlled, order: string, given: string) {
  const [command, name = ""] = order.split(/\?\w+=/);
  const worker = () => WORKERS.find((known) => known === name) ?? fail(`There is no Worker "${name}".`);
  const watching = () => watch ?? fail("The databases of this system are not watched.");
  const call = (target: WorkerName, method: string, values: unknown[]) => askCaller(workers, target, method, values);
  if (command === "GET /trips") return watching().trips();
  if (command === "POST /trips/reset") return watching().resetTrips();
  if (command === "GET /trips/sequential") return watching().sequentialTrips();
  if (command === "POST /slow") return watching().slowDown(Number(name));
  if (command === "POST /down") return watching().fail(worker(), "down");
  if (command === "POST /deaf") return watching().fail(worker(), "deaf");
  if (command === "POST /hold") return watching().fail(worker(), "held");
  if (command === "POST /pause") return watching().fail(worker(), "paused");
  if (command === "POST /waiting") return watching().countWaiting(worker(), JSON.parse(given).text);
  if (command === "POST /down-of") return watching().takeDown(serverAt(servers.geo, name).url);
  if (command === "POST /up") return watching().bringUp(worker());
  if (command === "GET /logs") return logs;
  if (command === "POST /handle") return handle(workers, worker(), JSON.parse(given));
  if (command === "POST /leave") return leave(workers, worker(), JSON.parse(given));
  if (command === "POST /store-events") return (await call(worker(), "storeEvents", JSON.parse(given))).json();
  if (command === "POST /files-of") return (await call("files", "filesOf", JSON.parse(given))).json();
  if (command === "GET /content") return contentOf(servers[worker()]);
  if (command === "GET /counts") return rowCountsOf(servers[worker()]);
  if (command === "POST /rows") {
    const { table, where } = JSON.parse(given);
    return rowsOf(/\d/.test(name) ? serverAt(servers.geo, name) : servers[worker()], table, where);
  }
  if (command === "POST /change") return change(servers[worker()], JSON.parse(given));
  if (command === "POST /users") return copyUser(servers.gateway, secrets, JSON.parse(given));
  if (command === "POST /trackers") return copyTracker(servers.fleet, JSON.parse(given));
  if (command === "POST /clock") return moveClock(workers, Number(name));
  if (command === "POST /copy") return copyRow(servers[worker()], JSON.parse(given));
  if (command === "GET /erased") return (await call("geo", "erased", [name])).json();
  if (command === "POST /evict") return evictObjects(workers);
  if (command === "POST /journals") return workers.queryObjects("geo", "SharedJournalObject", JSON.parse(given).sql);
  if (command === "GET /objects") return (await call("files", "objects", [name])).json();
  if (command === "POST /archive") return (await call("geo", "archive", [JSON.parse(given)])).json();
  if (command === "POST /scheduled") return fireCron(workers, worker(), logs);
  return fail(`No such order: ${order}`);
}

async function fireCron(workers: LocalWorkers, worker: WorkerName, logs: WorkerLog[]) {
  const before = logs.length;
  const scheduled = { cron: "* * * * *", scheduledTime: systemNow() };
  const { outcome } = (await (await askCaller(workers, worker, "scheduled", [scheduled])).json()) as {
    outcome: string;
  };
  if (outcome === "ok") return undefined;
  const logged = logs.slice(before).map(({ message }) => message);
  return fail([`The cron of ${worker} ended with "${outcome}". The Workers logged meanwhile:`, ...logged].join("\n"));
}

async function handle(workers: LocalWorkers, worker: WorkerName, call: ServiceCall) {
  const answer = await askCaller(workers, worker, "handle", toHandleArguments(call));
  return { status: answer.status, body: await answer.text() };
}

async function leave(workers: LocalWorkers, worker: WorkerName, { ms, ...call }: ServiceCall & { ms: number }) {
  return (await askCaller(workers, worker, "leave", [ms, ...toHandleArguments(call)])).json();
}

/** Calls a Worker's method through the caller Worker: only a Worker can call another one's methods. */
function askCaller(workers: LocalWorkers, worker: WorkerName, method: string, given: unknown[]) {
  return workers.postTo("caller", "/", JSON.stringify({ worker, method, given }));
}

async function evictObjects(workers: LocalWorkers) {
  const found = Object.entries(OBJECTS).map(async ([name, worker]) => [name, await workers.objectIds(worker, name)]);
  const answer = await askCaller(workers, "gateway", "evict", await Promise.all(found));
  if (!answer.ok) throw new Error(await answer.text());
}

function serverAt({ further = [], ...first }: DatabaseServer, position: string) {
  return [first, ...further][Number(position) - 1] ?? fail(`There is no database ${position} of geo.`);
}

function toHandleArguments({ path, parameters, principal }: ServiceCall): [ReadRequest, Principal] {
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
