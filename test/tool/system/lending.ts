import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import type { TestProject } from "vitest/node";
import { bundleOperations } from "../call/bundle-operations.ts";
import { listenOnLoopback } from "../listen.ts";
import type { Addresses } from "./controls.ts";
import { noteProcesses, removeLeftovers } from "./data-folder.ts";
import { METRICS_KEY } from "./operator.ts";
import { type RunningSystem, startRunningSystem } from "./running-system.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The system that all tests share. */
    system: Addresses;
    /** The URL that lends systems to one test file at a time. */
    lender: string;
    /** The path of the module that exports every operation, see `bundleOperations`. */
    operations: string;
  }
}

/** Settings as `npm start` takes them, and whether no other test may have had the system before. */
export type SystemRequest = { environment: Record<string, string>; isNew: boolean };
/** A lent system; `key` stands for the settings that only its start can give it, see `keyOf`. */
type Lent = { key: string; system: RunningSystem };

/** Settings that suit most tests; a test that needs another value names it. */
const COMMON_SETTINGS = { AUDIT_DELAY_SECONDS: "3600", METRICS_KEY, SOCKETS_PER_CREDENTIAL: "50" };

/** Settings that a start alone can give: the console, databases, how they are reached, and limits that the runtime itself keeps. */
const GIVEN_AT_START = [
  "WITH_CONSOLE",
  "GEO_DATABASES",
  "STATEMENT_SECONDS",
  "RATE_LIMIT_PER_ADDRESS",
  "RATE_LIMIT_PER_VISITOR",
  "LOG_INS_PER_ADDRESS",
  "ACCOUNT_RATE_PER_SECOND",
];
/** Settings of sweeps, which change the data of all accounts: files that need other values of them get different systems. */
const SWEEP_SETTINGS = ["ARCHIVE_DAYS", "EVENT_DAYS", "AUDIT_DAYS", "REMOVED_TRACKER_DAYS", "RETENTION_GRACE_DAYS"];

/** Systems that wait for a next file: each takes half a gigabyte. */
const MAX_IDLE = 4;

/**
 * Vitest's global setup: starts the system that most tests share, and lends others. To start one takes seconds of
 * processor time, so that a system that is returned waits for the next file, which has it with its own settings.
 */
export default async function setup(project: TestProject) {
  await removeLeftovers();
  const noted = await noteProcesses();
  const [shared, operations] = await Promise.all([
    startRunningSystem({ AUDIT_DELAY_SECONDS: "3600" }, false),
    bundleOperations(),
  ]);
  const lender = new Lender();
  const server = createServer(async (request, response) => {
    try {
      const answer =
        request.method === "POST"
          ? await lender.lend(JSON.parse(await text(request)))
          : await lender.takeBack(Number(request.url?.split("/").at(-1)));
      response.end(JSON.stringify(answer ?? null));
    } catch (error) {
      response.writeHead(500).end(error instanceof Error ? error.stack : String(error));
    }
  });
  const port = await listenOnLoopback(server);
  project.provide("system", shared.addresses);
  project.provide("operations", operations);
  project.provide("lender", `http://127.0.0.1:${port}`);
  return async () => {
    server.close();
    server.closeAllConnections();
    await Promise.all([shared.stop(), lender.stopAll()]);
    await noted.remove();
  };
}

class Lender {
  #lent = new Map<number, Lent>();
  /** Systems that wait for a file, the one that waits longest first. */
  #idle: Lent[] = [];
  /** How often a system of each key was asked for. */
  #demand = new Map<string, number>();
  #lastId = 0;

  async lend({ environment, isNew }: SystemRequest): Promise<Addresses & { id: number }> {
    const settings = { ...COMMON_SETTINGS, ...environment };
    const key = keyOf(settings);
    this.#demand.set(key, this.#demandFor(key) + 1);
    const index = isNew ? -1 : this.#idle.findIndex((idle) => idle.key === key);
    const [idle] = index < 0 ? [] : this.#idle.splice(index, 1);
    const id = ++this.#lastId;
    const system = idle?.system ?? (await startRunningSystem(settings, true));
    this.#lent.set(id, { key, system });
    await system.reset(settings);
    return { id, ...system.addresses };
  }

  async takeBack(id: number) {
    const returned = this.#lent.get(id);
    if (!returned) return;
    this.#lent.delete(id);
    this.#idle.push(returned);
    if (this.#idle.length > MAX_IDLE) await this.#removeLeastWanted().system.stop();
  }

  /** Removes the idle system whose settings were asked for least: those of many files will be asked for again. */
  #removeLeastWanted(): Lent {
    const [least] = this.#idle.toSorted((one, other) => this.#demandFor(one.key) - this.#demandFor(other.key));
    if (!least) throw new Error("No system is idle.");
    this.#idle.splice(this.#idle.indexOf(least), 1);
    return least;
  }

  #demandFor(key: string): number {
    return this.#demand.get(key) ?? 0;
  }

  async stopAll() {
    await Promise.all([...this.#idle, ...this.#lent.values()].map(({ system }) => system.stop()));
  }
}

/** The settings that a running system keeps: those of equal keys can stand in for each other. */
function keyOf(settings: Record<string, string>): string {
  return JSON.stringify([...GIVEN_AT_START, ...SWEEP_SETTINGS].map((name) => settings[name]));
}
