import type { Answer } from "#shared/operation/declaration.ts";
import { systemNow } from "#shared/time/clock.ts";
import { CallCounts } from "../metrics/call-counts.ts";
import { type GatewayCall, pathOf, VERSION } from "./gateway-call.ts";
import { ownerOf } from "./routes.ts";

/** Of this isolate. */
export const counts = new CallCounts();

/** Counts an answer, and writes a data point of it where there is a dataset for them. */
export function recordCall(call: GatewayCall, answer: Answer) {
  const began = call.get("began");
  // What began nowhere was no call of an operation, or was refused before it was read.
  if (began === undefined) return;
  const operation = operationOf(call);
  const code = codeOf(answer);
  const ms = systemNow() - began;
  // A stream does not tell what its service has waited for.
  const hops = answer instanceof Response ? 0 : (answer.hops ?? 0);
  counts.add(operation, code, ms, hops);
  call.env.CALLS?.writeDataPoint({ indexes: [operation], blobs: [operation, String(code)], doubles: [ms, hops] });
}

/** Paths that nobody answers are one: whoever tries many must not fill the memory. */
function operationOf(call: GatewayCall) {
  const path = pathOf(call);
  const isKnown = path.startsWith("/ingest/") || ownerOf(path) !== undefined;
  return call.req.path.startsWith(VERSION) && isKnown && path.length <= MAX_PATH_CHARS ? path : "unknown";
}

/** 0 for success. A stream has no envelope: its status stands for the code. */
function codeOf(answer: Answer): number {
  if (answer instanceof Response) return answer.status < 400 ? 0 : answer.status;
  if (answer.status < 400) return 0;
  const code = /"status":\{"code":(\d+)/.exec(answer.body.slice(0, MAX_ENVELOPE_CHARS))?.[1];
  return code === undefined ? answer.status : Number(code);
}

const MAX_PATH_CHARS = 100;
const MAX_ENVELOPE_CHARS = 200;
