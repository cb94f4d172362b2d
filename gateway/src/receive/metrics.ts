import { Buffer } from "node:buffer";
import { createHash, timingSafeEqual } from "node:crypto";
import type { Backlog } from "#shared/database/backlog.ts";
import { selectBacklogs } from "#shared/database/backlog.ts";
import { openDatabase } from "#shared/database/open.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { systemNow } from "#shared/time/clock.ts";
import type { GatewayEnv } from "../env.ts";
import { networkOf } from "../network.ts";
import { addressOf, type GatewayCall } from "./call/gateway-call.ts";
import { QUEUES } from "./metric/backlog-queries.ts";
import { OPEN_METRICS, renderOpenMetrics, type WatchedQueue } from "./metric/open-metrics.ts";
import { counts } from "./record-call.ts";
import { reply } from "./reply.ts";

/**
 * Metrics for a monitoring system that shows `METRICS_KEY`; 111 if the installation has none. Counts only calls of this
 * isolate, which are all calls when the system runs on one machine.
 */
export async function showMetrics(call: GatewayCall): Promise<Response> {
  const { env, req } = call;
  if (!env.METRICS_KEY) throw new ApiError(111);
  if (!isKey(req.header("Authorization"), env.METRICS_KEY)) {
    // Counts wrong keys by address, against guessing.
    const { success } = await env.ADDRESS_LIMIT.limit({ key: `metrics ${networkOf(addressOf(call))}` });
    throw new ApiError(success ? 4 : 15);
  }
  const { queues, silent } = await readQueues(env);
  const answer = new Response(renderOpenMetrics(counts, queues, silent), { headers: { "Content-Type": OPEN_METRICS } });
  return reply(call, answer);
}

async function readQueues(env: GatewayEnv) {
  const requests: Record<string, Promise<Backlog[]>> = {
    gateway: selectBacklogs(openDatabase(env), QUEUES),
    fleet: env.FLEET.backlogs(),
    tasks: env.TASKS.backlogs(),
    geo: env.GEO.backlogs(),
    files: env.FILES.backlogs(),
    reports: env.REPORTS.backlogs(),
  };
  const answers = await Promise.allSettled(Object.values(requests));
  const [queues, silent]: [WatchedQueue[], string[]] = [[], []];
  for (const [index, worker] of Object.keys(requests).entries()) {
    const answer = answers[index];
    if (answer?.status !== "fulfilled") silent.push(worker);
    else
      queues.push(
        ...answer.value.map((backlog) => ({
          ...backlog,
          worker,
          waiting_seconds: measureWaitSeconds(worker, backlog),
        })),
      );
  }
  return { queues, silent };
}

/** Seconds since the queue's first row was first seen in that position; rows have no time of their own. */
function measureWaitSeconds(worker: string, { queue, first }: Backlog): number {
  const [name, now] = [`${worker} ${queue}`, systemNow()];
  const previous = firstRows.get(name);
  if (first === null) firstRows.delete(name);
  else if (previous?.first !== first) firstRows.set(name, { first, since: now });
  else return (now - previous.since) / 1000;
  return 0;
}

/** Compares digests, which have equal lengths, in constant time. */
function isKey(authorization: string | undefined, key: string) {
  const digest = (text: string) => createHash("sha256").update(Buffer.from(text)).digest();
  return timingSafeEqual(digest(authorization ?? ""), digest(`Bearer ${key}`));
}

const firstRows = new Map<string, { first: number; since: number }>();
