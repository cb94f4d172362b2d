import type { Answer } from "#shared/operation/declaration.ts";
import { systemNow } from "#shared/time/clock.ts";
import { CallCounts } from "../metrics/call-counts.ts";
import { type GatewayCall, pathOf, VERSION } from "./gateway-call.ts";
import { ownerOf } from "./routes.ts";

/** The counts of this isolate. */
export const counts = new CallCounts();

/** Counts an answer, and writes a data point if the operator has bound the dataset `CALLS`. */
export function recordCall(call: GatewayCall, answer: Answer) {
  const began = call.get("began");
  // Without `began` the call was not for an operation, such as `/health`.
  if (began === undefined) return;
  const operation = operationOf(call);
  const code = codeOf(answer);
  const ms = systemNow() - began;
  // Streams do not report their hops.
  const hops = answer instanceof Response ? 0 : (answer.hops ?? 0);
  counts.add(operation, code, ms, hops);
  call.env.CALLS?.writeDataPoint({ indexes: [operation], blobs: [operation, String(code)], doubles: [ms, hops] });
}

/** The path; "unknown" for paths without an owner, so that callers cannot fill the memory with random ones. */
function operationOf(call: GatewayCall) {
  const path = pathOf(call);
  const isKnown = path.startsWith("/ingest/") || ownerOf(path) !== undefined;
  return call.req.path.startsWith(VERSION) && isKnown && path.length <= MAX_PATH_CHARS ? path : "unknown";
}

/** The code of the envelope, 0 for success; the HTTP status of a stream, which has no envelope. */
function codeOf(answer: Answer): number {
  if (answer instanceof Response) return answer.status < 400 ? 0 : answer.status;
  if (answer.status < 400) return 0;
  const code = /"status":\{"code":(\d+)/.exec(answer.body.slice(0, MAX_ENVELOPE_CHARS))?.[1];
  return code === undefined ? answer.status : Number(code);
}

const MAX_PATH_CHARS = 100;
const MAX_ENVELOPE_CHARS = 200;
