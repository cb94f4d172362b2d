import type { Backlog } from "#shared/database/backlog.ts";
import type { CallCounts } from "./call-counts.ts";

export const OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/** A queue of a Worker, and for how long its oldest row has been seen waiting. */
export type WatchedQueue = Backlog & { worker: string; waiting_seconds: number };

/** The metrics as text in the OpenMetrics format. `silent`: Workers that did not answer. */
export function renderOpenMetrics(counts: CallCounts, queues: WatchedQueue[], silent: string[]): string {
  const calls = counts
    .listCalls()
    .map((call) => `fleet_calls_total${renderLabels(call, "operation", "code")} ${call.count}`);
  const times = counts
    .listTimes()
    .flatMap(({ operation, count, seconds, buckets }) => [
      ...buckets.map(
        (bucket) =>
          `fleet_call_seconds_bucket${renderLabels({ operation, le: bucket.seconds }, "operation", "le")} ${bucket.count}`,
      ),
      `fleet_call_seconds_bucket${renderLabels({ operation, le: "+Inf" }, "operation", "le")} ${count}`,
      `fleet_call_seconds_sum${renderLabels({ operation }, "operation")} ${seconds}`,
      `fleet_call_seconds_count${renderLabels({ operation }, "operation")} ${count}`,
    ]);
  const hops = counts
    .listTimes()
    .map(({ operation, hops }) => `fleet_call_hops_total${renderLabels({ operation }, "operation")} ${hops}`);
  const waiting = queues.map((queue) => `fleet_waiting${renderLabels(queue, "worker", "queue")} ${queue.waiting}`);
  const ages = queues.map(
    (queue) => `fleet_waiting_seconds${renderLabels(queue, "worker", "queue")} ${queue.waiting_seconds}`,
  );
  const answering = [...new Set(queues.map(({ worker }) => worker))];
  const states = [
    ...answering.map((worker) => ({ worker, state: 0 })),
    ...silent.map((worker) => ({ worker, state: 1 })),
  ];
  const down = states.map(({ worker, state }) => `fleet_worker_silent${renderLabels({ worker }, "worker")} ${state}`);
  const families: [name: string, type: string, help: string, lines: string[]][] = [
    ["fleet_calls", "counter", "Calls answered, by operation and code; 0 is success.", calls],
    ["fleet_call_seconds", "histogram", "How long calls took, in seconds.", times],
    ["fleet_call_hops", "counter", "Sequential calls to databases and Workers that calls waited for.", hops],
    ["fleet_waiting", "gauge", "Rows that wait to be delivered or processed.", waiting],
    ["fleet_waiting_seconds", "gauge", "For how long the oldest of them has been seen waiting.", ages],
    ["fleet_worker_silent", "gauge", "1 for a Worker that did not report its waiting rows, 0 for the others.", down],
  ];
  const text = families.flatMap(([name, type, help, lines]) => [
    `# TYPE ${name} ${type}`,
    `# HELP ${name} ${help}`,
    ...lines,
  ]);
  return `${[...text, "# EOF"].join("\n")}\n`;
}

function renderLabels<Name extends string>(values: Record<Name, string | number>, ...names: Name[]): string {
  const pairs = names.map((name) => `${name}="${String(values[name]).replace(/[\\"\n]/g, "\\$&")}"`);
  return `{${pairs.join(",")}}`;
}
