import { createServer } from "node:http";
import { listenOnLoopback } from "../../test/tool/listen.ts";
import { waitUntil } from "../../test/tool/wait.ts";
import type { Rows } from "./counted-databases.ts";
import { type DayStart, sweep } from "./day.ts";

/** Counted usage of the gateway, of its objects and of all databases. */
export type EventUsage = { counts: Record<string, number>; rows: Rows; processorMs: number };

/**
 * Usage of one event, on average of `count` of them: `change` without any webhook, `delivery` what one webhook adds to it. The
 * changes come one after the other; each waits for the delivery of the one before, so that no two share any work.
 */
export async function countDeliveries(
  start: DayStart,
  count: number,
): Promise<{ change: EventUsage; delivery: EventUsage }> {
  const { call } = start.account;
  const makeEvent = () => call("/user/audit/checkin", {});
  const receiver = await startReceiver();
  const deliver = (events: number) =>
    usageOf(
      start,
      async () => {
        for (let number = 0; number < events; number++) {
          const arrived = receiver.next();
          await makeEvent();
          await arrived;
        }
      },
      { "requests ACCOUNT_EVENTS announce": events, "written UPDATE delivery": events },
    );
  try {
    await sweep(start);
    const change = await usageOf(
      start,
      async () => {
        for (let number = 0; number < count; number++) await makeEvent();
      },
      { "requests ACCOUNT_EVENTS announce": count },
    );
    let webhook_id: unknown;
    const createWebhook = async () => {
      const webhook = { url: receiver.url, types: ["user.*"] };
      webhook_id = (await call("/webhook/create", { webhook })).id;
    };
    await usageOf(start, createWebhook, { "requests WEBHOOK_SENDERS wake": 1 });
    // The webhook's creation lets its sender read older events: with the first delivery this is over.
    await deliver(1);
    const both = await deliver(count);
    await call("/webhook/delete", { webhook_id });
    return { change: divide(change, count), delivery: divide(subtract(both, change), count) };
  } finally {
    receiver.stop();
  }
}

/** Counts from the start of `run` until it has ended and the gateway's counters have reached the values of `ends`. */
async function usageOf(
  { stack, databases }: DayStart,
  run: () => Promise<unknown>,
  ends: Record<string, number>,
): Promise<EventUsage> {
  await databases.waitUntilIdle();
  await takeGatewayCounts();
  databases.take();
  const processorMs = stack.processorMs();
  await run();
  const counts: Record<string, number> = {};
  const hasReached = () => Object.entries(ends).every(([name, end]) => (counts[name] ?? 0) >= end);
  await waitUntil(`the gateway has counted ${JSON.stringify(ends)}`, addCounts, hasReached);
  await databases.waitUntilIdle();
  await addCounts();
  return { counts, rows: databases.take(), processorMs: stack.processorMs() - processorMs };

  async function addCounts() {
    for (const [name, more] of Object.entries(await takeGatewayCounts())) counts[name] = (counts[name] ?? 0) + more;
    return counts;
  }

  async function takeGatewayCounts() {
    return (await stack.workers.ask("gateway", "/take")) as Record<string, number>; // from meter.js
  }
}

function divide({ counts, rows, processorMs }: EventUsage, by: number): EventUsage {
  const divided = Object.entries(counts).map(([name, count]) => [name, count / by]);
  return {
    counts: Object.fromEntries(divided),
    rows: { written: rows.written / by, read: rows.read / by },
    processorMs: processorMs / by,
  };
}

function subtract(all: EventUsage, part: EventUsage): EventUsage {
  const names = [...new Set([...Object.keys(all.counts), ...Object.keys(part.counts)])];
  const counts = names.map((name) => [name, (all.counts[name] ?? 0) - (part.counts[name] ?? 0)] as const);
  return {
    counts: Object.fromEntries(counts.filter(([, count]) => count !== 0)),
    rows: { written: all.rows.written - part.rows.written, read: all.rows.read - part.rows.read },
    processorMs: all.processorMs - part.processorMs,
  };
}

/** Answers 204 at once. */
async function startReceiver() {
  let resolve = () => {};
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      response.writeHead(204).end();
      resolve();
    });
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}/events`,
    /** Resolves with the next delivery. */
    next: () =>
      new Promise<void>((arrived) => {
        resolve = arrived;
      }),
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
