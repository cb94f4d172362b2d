import { logSuccessfulCall } from "#shared/operation/call-log.ts";
import type { Answer } from "#shared/operation/declaration.ts";
import { systemNow } from "#shared/time/clock.ts";
import type { GatewayCall } from "./call/gateway-call.ts";
import { CallCounts } from "./metric/call-counts.ts";

/** The counts of this isolate. */
export const counts = new CallCounts();

/**
 * Starts the time of a call. `path` is undefined without an owner: callers must not fill the memory with random paths.
 */
export function startTiming(call: GatewayCall, path: string | undefined) {
  const operation = path !== undefined && path.length <= MAX_PATH_CHARS ? path : "unknown";
  call.set("timed", { operation, began: systemNow() });
}

/** Counts an answer, logs it if it is sampled, and writes a data point if the operator has bound the dataset `CALLS`. */
export function recordCall(call: GatewayCall, answer: Answer) {
  const timed = call.get("timed");
  // Without `timed` the call was not for an operation, such as `/health`.
  if (!timed) return;
  const { operation, began } = timed;
  const code = codeOf(answer);
  const ms = systemNow() - began;
  // Streams do not report their hops.
  const hops = answer instanceof Response ? 0 : (answer.hops ?? 0);
  counts.add(operation, code, ms, hops);
  const logged = { request_id: call.get("requestId"), worker: "gateway", path: operation, code, ms, hops };
  // A failure has been logged where it arose.
  if (code === 0) logSuccessfulCall(logged);
  call.env.CALLS?.writeDataPoint({ indexes: [operation], blobs: [operation, String(code)], doubles: [ms, hops] });
}

/** The code of the envelope, 0 for success; the HTTP status of a stream, which has no envelope. */
function codeOf(answer: Answer): number {
  if (!(answer instanceof Response)) return answer.code;
  return answer.status < 400 ? 0 : answer.status;
}

const MAX_PATH_CHARS = 100;
