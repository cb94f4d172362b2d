import type { ChildProcess } from "node:child_process";
import { execFileSync } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import { readFileSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { bundleChanged } from "../../scripts/system/bundle.ts";
import { freePorts } from "../../scripts/system/free-ports.ts";
import { type Fronts, type LocalWorkers, startWorkers } from "../../scripts/system/miniflare.ts";
import { insertFirstOperator } from "../../scripts/system/operator.ts";
import { newSecrets } from "../../scripts/system/secrets.ts";
import { type DatabaseServer, startDatabases } from "../../scripts/system/sqld.ts";
import { migrateAll } from "../../scripts/tracker-databases.ts";
import { forEachWorker, type WorkerName } from "../../scripts/workers.ts";
import { type Delayed, delayServer } from "./delayed.ts";

export type Stack = {
  origin: string;
  /** A Worker in its own workerd that answers a constant and stores bodies of PUT in a bucket: the cost of the runtime. */
  bare: string;
  /** The gateway and the bare Worker behind miniflare's front, an additional Worker before each of them. */
  behindFront: { origin: string; bare: string };
  servers: Record<WorkerName, DatabaseServer>;
  /** The folder of all stored data, which is removed when the stack ends. */
  folder: string;
  /** Memory of the workerd that runs the six Workers, and of the bare one's. */
  residentBytes(): { system: number; bare: number };
  /** The ways to the databases, where they are away. */
  ways: Delayed[];
  /** Processor time of the six Workers' workerd since its start. */
  processorMs(): number;
  workers: Omit<LocalWorkers, "stop">;
  stop(): Promise<void>;
};

export const OPERATOR = { login: "admin", password: "operator-secret" };

/** `databasesAway`: how many milliseconds what is sent to a database takes to it, as to one of another town. */
type Surroundings = {
  databasesAway?: number;
  /** Proxies in front of Workers and databases, for counting. */
  fronts?: Fronts;
  counted?: (servers: Stack["servers"]) => Promise<Stack["servers"]>;
  /** Settings beside those of this process. */
  settings?: Record<string, string>;
};

/** Rate limits must not influence the figures, and receivers of what the system sends run here. */
const UNLIMITED = {
  RATE_LIMIT_PER_SECOND: "1000000",
  RATE_LIMIT_PER_ADDRESS: "100000000",
  RATE_LIMIT_PER_VISITOR: "100000000",
  ACCOUNT_RATE_PER_SECOND: "100000000",
  SESSIONS_PER_USER: "1000000",
  SOCKETS_PER_CREDENTIAL: "1000",
  VAPID_SUBJECT: "mailto:bench@example.com",
  ALLOW_PRIVATE_TARGETS: "1",
};

/** The whole system with nothing in it, as `npm start` runs it, and beside it the bare Worker. */
export async function startStack({ databasesAway = 0, fronts, counted, settings }: Surroundings = {}): Promise<Stack> {
  const runtimes = watchRuntimes();
  const folder = await mkdtemp(join(tmpdir(), "fleet-bench-"));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  const [databases] = await Promise.all([startDatabases(join(folder, "databases"), {}), bundleChanged()]);
  // However this process ends; after the databases, whose own handler was registered before.
  process.once("exit", remove);
  const servers = await migrateAll(databases.servers);
  await insertFirstOperator(servers.gateway, OPERATOR);

  const [port, barePort] = await freePorts(2);
  const far = databasesAway > 0 ? await farAway(servers, databasesAway) : undefined;
  const reached = far?.servers ?? (await counted?.(servers)) ?? servers;
  const address = { host: HOST, port: Number(port) };
  const environment = { ...process.env, ...UNLIMITED, ...settings };
  const workers = await startWorkers(address, reached, newSecrets(), folder, environment, { fronts });
  const bare = await startBare(Number(barePort), join(folder, "bare"));
  const behindFront = { origin: workers.front, bare: (await bare.ready).origin };
  const [systems, bares] = runtimes;
  return {
    origin: `http://${HOST}:${port}`,
    bare: `http://${HOST}:${barePort}`,
    behindFront,
    servers,
    folder,
    residentBytes: () => ({ system: residentBytes(systems?.pid), bare: residentBytes(bares?.pid) }),
    ways: far?.ways ?? [],
    processorMs: () => processorMs(systems?.pid),
    workers,
    async stop() {
      await Promise.all([workers.stop(), bare.dispose()]);
      for (const way of far?.ways ?? []) way.stop();
      await databases.stop();
      remove();
    },
  };
}

async function farAway(servers: Stack["servers"], ms: number) {
  const ways: Delayed[] = [];
  const far = await forEachWorker(async (worker) => {
    const way = await delayServer(servers[worker].url, ms);
    ways.push(way);
    return { ...servers[worker], url: way.url, isOwn: false };
  });
  return { servers: far, ways };
}

/** Imported late: `startWorkers` has prepared the environment for it. */
async function startBare(port: number, folder: string) {
  const { Log, LogLevel, Miniflare, convertV4MiniflareOptions } = await import("miniflare");
  const script = `export default {
    async fetch(request, env) {
      if (request.method === "PUT") await env.BUCKET.put(new URL(request.url).pathname, request.body);
      return new Response('{"success":true}', { headers: { "Content-Type": "application/json" } });
    }
  }`;
  const bare = new Miniflare(
    convertV4MiniflareOptions({
      host: HOST,
      cf: false,
      telemetry: { enabled: false },
      log: new Log(LogLevel.ERROR),
      resourcePersistencePath: folder,
      workers: [
        {
          name: "bare",
          modules: true,
          script,
          compatibilityDate: "2026-11-01",
          r2Buckets: ["BUCKET"],
          unsafeDirectSockets: [{ host: HOST, port }],
        },
      ],
    }),
  );
  await bare.ready;
  return bare;
}

/** The processes of Miniflare, which names them to nobody, in the order of their start. */
function watchRuntimes(): ChildProcess[] {
  const runtimes: ChildProcess[] = [];
  subscribe("child_process", (message) => {
    const { process: child } = message as { process: ChildProcess }; // as Node documents this channel
    child.once("spawn", () => {
      if (basename(child.spawnfile).startsWith("workerd")) runtimes.push(child);
    });
  });
  return runtimes;
}

function residentBytes(pid: number | undefined): number {
  if (pid === undefined) throw new Error("the process of workerd is not known");
  // A small Linux has no ps.
  const kilobytes =
    process.platform === "linux"
      ? /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
      : execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" });
  return Number(kilobytes) * 1024;
}

/** User and system time; 0 on systems without /proc. */
function processorMs(pid: number | undefined): number {
  if (pid === undefined || process.platform !== "linux") return 0;
  // The fields behind the name in brackets, which may contain spaces; in hundredths of a second.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

const HOST = "127.0.0.1";
