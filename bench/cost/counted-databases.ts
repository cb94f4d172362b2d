import { createServer, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import type { DatabaseServer } from "../../scripts/system/sqld.ts";
import { forEachWorker, type WorkerName } from "../../scripts/workers.ts";
import { listenOnLoopback } from "../../test/tool/listen.ts";
import { waitUntil } from "../../test/tool/wait.ts";

export type Rows = { written: number; read: number };
type Servers = Record<WorkerName, DatabaseServer>;

/** Proxies of database servers, which add up the rows that the servers say each statement wrote and read. */
export class CountedDatabases {
  #openRequests = 0;
  #rows = new Map<WorkerName, Rows>();
  #ends: (() => void)[] = [];

  async to(servers: Servers): Promise<Servers> {
    return forEachWorker(async (worker) => {
      const url = await this.#wayTo(worker, servers[worker].url);
      return { ...servers[worker], url };
    });
  }

  /** Returns the rows of all databases since the last call. */
  take(): Rows {
    const all = [...this.#rows.values()];
    this.#rows.clear();
    return all.reduce((sum, { written, read }) => ({ written: sum.written + written, read: sum.read + read }), {
      written: 0,
      read: 0,
    });
  }

  /** Waits until every request that has come is answered. */
  async waitUntilIdle() {
    await waitUntil("no request is on its way to a database", () => this.#openRequests === 0);
  }

  stop() {
    for (const end of this.#ends) end();
  }

  async #wayTo(worker: WorkerName, url: string): Promise<string> {
    const server = createServer(async (request, response) => {
      this.#openRequests++;
      response.once("close", () => this.#openRequests--);
      const { authorization, "content-type": type } = request.headers;
      const headers = { ...(authorization && { authorization }), ...(type && { "content-type": type }) };
      const body = hasBody(request) ? await buffer(request) : undefined;
      const answer = await fetch(url + request.url, { method: request.method, headers, body });
      const text = await answer.text();
      if (/json/.test(answer.headers.get("content-type") ?? "")) this.#count(worker, JSON.parse(text));
      response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "text/plain" });
      response.end(text);
    });
    const port = await listenOnLoopback(server);
    this.#ends.push(() => {
      server.close();
      server.closeAllConnections();
    });
    return `http://127.0.0.1:${port}`;
  }

  /** Finds the results in an answer, at any depth. */
  #count(worker: WorkerName, answer: unknown) {
    if (typeof answer !== "object" || answer === null) return;
    if ("rows_written" in answer && "rows_read" in answer) {
      const known = this.#rows.get(worker) ?? { written: 0, read: 0 };
      const [written, read] = [known.written + Number(answer.rows_written), known.read + Number(answer.rows_read)];
      this.#rows.set(worker, { written, read });
      return;
    }
    for (const part of Object.values(answer)) this.#count(worker, part);
  }
}

function hasBody({ method }: IncomingMessage) {
  return method !== "GET" && method !== "HEAD";
}
