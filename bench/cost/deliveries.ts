import { createServer } from "node:http";
import { listenOnLoopback } from "../../test/tool/listen.ts";
import type { Rows } from "./counted-databases.ts";
import { type DayStart, quietOf } from "./day.ts";

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
  const receiver = await startReceiver();
  try {
    const change = await usageOf(start, async () => {
      for (let number = 0; number < count; number++) await call("/user/audit/checkin", {});
    });
    const { id: webhook_id } = await call("/webhook/create", { webhook: { url: receiver.url, types: ["user.*"] } });
    const both = await usageOf(start, async () => {
      for (let number = 0; number < count; number++) {
        const arrived = receiver.next();
        await call("/user/audit/checkin", {});
        await arrived;
      }
    });
    await call("/webhook/delete", { webhook_id });
    return { change: divide(change, count), delivery: divide(subtract(both, change), count) };
  } finally {
    receiver.stop();
  }
}

/** Counts until nothing reaches a database any more. */
async function usageOf({ stack, databases }: DayStart, run: () => Promise<void>): Promise<EventUsage> {
  await quietOf(databases);
  await takeGatewayCounts();
  const processorMs = stack.processorMs();
  const rows = { written: 0, read: 0 };
  await run();
  await quietOf(databases, rows);
  return { counts: await takeGatewayCounts(), rows, processorMs: stack.processorMs() - processorMs };

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
