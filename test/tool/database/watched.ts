import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import type { DatabaseServer } from "../../../scripts/system/sqld.ts";
import { forEachWorker, type WorkerName } from "../../../scripts/workers.ts";
import { listenOnLoopback } from "../listen.ts";
import { type Span, sequential } from "./sequential.ts";

type Servers = Record<WorkerName, DatabaseServer>;
/** `down`: requests are refused. `deaf`: they are carried out, but their answers are lost. `held`: they are never answered. `paused`: they are carried out when the fault ends. */
type Fault = "down" | "deaf" | "held" | "paused";

/**
 * Puts a proxy in front of each database server, which counts requests and can delay or fail them. The `servers` that it
 * returns are those that the Workers are to use.
 */
export async function watchDatabases(servers: Servers) {
  const proxies: { close(): void }[] = [];
  const watch = new Watch();
  const agent = new Agent({ keepAlive: true });

  async function proxyRequest(worker: WorkerName, server: DatabaseServer): Promise<DatabaseServer> {
    const proxy = createServer((asked, answer) => void watch.pass(worker, server.url, agent, asked, answer));
    const port = await listenOnLoopback(proxy);
    proxies.push({
      close() {
        proxy.close();
        proxy.closeAllConnections();
      },
    });
    return { ...server, url: `http://127.0.0.1:${port}` };
  }

  return {
    watch,
    servers: await forEachWorker(async (worker) => {
      const { further = [], ...first } = servers[worker];
      const others = await Promise.all(further.map((other) => proxyRequest(worker, other)));
      return { ...(await proxyRequest(worker, first)), ...(servers[worker].further && { further: others }) };
    }),
    stop() {
      for (const proxy of proxies) proxy.close();
      agent.destroy();
    },
  };
}

/** The requests that pass the proxies of a system: their counts, their delay and their faults. */
export class Watch {
  #faults = new Map<WorkerName, Fault>();
  #downUrls = new Set<string>();
  #releases: { worker: WorkerName; body: Buffer; release(): void }[] = [];
  #trips = noTrips();
  #spans: Span[] = [];
  // Beginnings and ends are numbered in their order: whether two requests overlapped is all that is asked.
  #events = 0;
  #delayMs = 0;

  trips() {
    return this.#trips;
  }

  resetTrips() {
    this.#trips = noTrips();
    this.#spans = [];
  }

  sequentialTrips() {
    return sequential(this.#spans);
  }

  slowDown(ms: number) {
    this.#delayMs = ms;
  }

  fail(worker: WorkerName, fault: Fault) {
    this.#faults.set(worker, fault);
  }

  takeDown(url: string) {
    this.#downUrls.add(url);
  }

  countWaiting(worker: WorkerName, text: string) {
    return this.#releases.filter((waiting) => waiting.worker === worker && waiting.body.includes(text)).length;
  }

  bringUp(worker: WorkerName) {
    this.#faults.delete(worker);
    if (worker === "geo") this.#downUrls.clear();
    for (const held of this.#releases) if (held.worker === worker) held.release();
    this.#releases = this.#releases.filter((held) => held.worker !== worker);
  }

  async pass(worker: WorkerName, url: string, agent: Agent, asked: IncomingMessage, answer: ServerResponse) {
    const begun = this.#events++;
    try {
      const body = await buffer(asked);
      if (this.#delayMs > 0) await pause(this.#delayMs);
      const fault = this.#downUrls.has(url) ? "down" : this.#faults.get(worker);
      if (fault === "held" || fault === "paused")
        await new Promise<void>((release) => this.#releases.push({ worker, body, release }));
      if (fault === "down" || fault === "held") return void answer.destroy();
      const reply = await forward(url, agent, asked, body);
      const content = await buffer(reply);
      if (fault === "deaf") return void answer.destroy();
      answer.writeHead(reply.statusCode ?? 502, reply.headers).end(content);
    } catch {
      answer.destroy();
    } finally {
      // Counted when it is over: a test that waits for a trip finds its work done.
      this.#trips[worker]++;
      this.#spans.push({ begun, ended: this.#events++ });
    }
  }
}

async function forward(url: string, agent: Agent, asked: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
  const { host } = new URL(url);
  const headers = { ...asked.headers, host };
  const passed = request(url + asked.url, { method: asked.method, headers, agent });
  passed.end(body);
  const [reply] = (await once(passed, "response")) as [IncomingMessage]; // as Node documents the event
  return reply;
}

function noTrips(): Record<WorkerName, number> {
  return { gateway: 0, fleet: 0, tasks: 0, geo: 0, files: 0, reports: 0 };
}
