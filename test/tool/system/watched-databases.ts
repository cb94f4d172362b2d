import { setTimeout as pause } from "node:timers/promises";
import type { DatabaseServer } from "../../../scripts/sqld.ts";
import { WORKERS, type WorkerName } from "../../../scripts/workers.ts";
import { type Span, sequential } from "./sequential.ts";

/** Whatever a Worker sends out passes this process's `fetch` in the harness, so it is here that trips are counted. */
export function watchDatabases(servers: Record<WorkerName, DatabaseServer>) {
  const owners = new Map(
    WORKERS.flatMap((worker) =>
      [servers[worker], ...(servers[worker].further ?? [])].map(({ url }) => [new URL(url).origin, worker] as const),
    ),
  );
  const downPlaces = new Set<string>();
  const down = new Set<WorkerName>();
  const deaf = new Set<WorkerName>();
  const held = new Set<WorkerName>();
  let trips = noTrips();
  let spans: Span[] = [];
  /** Numbers the beginnings and ends of requests in the order in which they happen: it shows which of them overlap. */
  let events = 0;
  let delayMs = 0;
  const { fetch } = globalThis;
  globalThis.fetch = async (input: RequestInfo | URL, init?: RequestInit) => {
    const { origin } = new URL(input instanceof Request ? input.url : input);
    const owner = owners.get(origin);
    if (!owner) return fetch(input, init);
    const begun = events++;
    try {
      if (delayMs > 0) await pause(delayMs);
      if (down.has(owner) || downPlaces.has(origin))
        throw new TypeError(`The database of ${owner} is down for a test.`);
      if (held.has(owner)) await heldUp(owner);
      const answer = await fetch(uncompressed(input, init));
      if (!deaf.has(owner)) return answer;
      await answer.arrayBuffer();
      throw new TypeError(`The answers of the database of ${owner} are lost for a test.`);
    } finally {
      // Counted when it is over: who waits for a trip finds done what it was for.
      trips[owner]++;
      spans.push({ begun, ended: events++ });
    }
  };

  async function heldUp(owner: WorkerName) {
    while (held.has(owner)) await pause(20);
    throw new TypeError(`The database of ${owner} hung for a test.`);
  }

  return {
    down,
    downPlaces,
    deaf,
    held,
    trips: () => trips,
    resetTrips() {
      trips = noTrips();
      spans = [];
    },
    sequentialTrips: () => sequential(spans),
    slowDown(ms: number) {
      delayMs = ms;
    },
    bringUp(worker: WorkerName) {
      down.delete(worker);
      if (worker === "geo") downPlaces.clear();
      deaf.delete(worker);
      held.delete(worker);
    },
    stop() {
      globalThis.fetch = fetch;
    },
  };
}

/** Else each answer would be compressed by the server, and once more on its way from here to the Worker. */
function uncompressed(input: RequestInfo | URL, init?: RequestInit): Request {
  const request = new Request(input, init);
  request.headers.set("Accept-Encoding", "identity");
  return request;
}

function noTrips(): Record<WorkerName, number> {
  return { gateway: 0, fleet: 0, tasks: 0, geo: 0, files: 0, reports: 0 };
}
