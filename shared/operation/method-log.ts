import { reasonOf, toLoggedFailure } from "../error/failure.ts";
import { countHops } from "../hops/hops.ts";
import { takeRequestId } from "../hops/request-id.ts";
import { systemNow } from "../time/clock.ts";
import { type LoggedCall, logFailedCall, logSuccessfulCall } from "./call-log.ts";

type Entrypoint = { readonly worker: string };
type Method = (this: Entrypoint, ...received: unknown[]) => unknown;

/** Makes the methods of an entrypoint, of all classes below `base`, serve and log the call whose id a Worker sends. */
export function logMethods(prototype: object, base: object) {
  for (let one = prototype; one !== base; one = Object.getPrototypeOf(one)) {
    // Once per class: the platform makes an instance for each request.
    if (logging.has(one)) return;
    logging.add(one);
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(one)))
      if (name !== "constructor" && typeof value === "function") Reflect.set(one, name, withLog(name, value));
  }
}

function withLog(name: string, method: Method): Method {
  return function (...received) {
    const request_id = takeRequestId(received);
    const run = () => method.apply(this, received);
    return request_id === undefined ? run() : serveMethod({ request_id, worker: this.worker, path: name }, run);
  };
}

/** Runs a method for a call. Of failures only unexpected ones are logged here: the operation logs its refusals. */
async function serveMethod(call: Pick<LoggedCall, "request_id" | "worker" | "path">, run: () => unknown) {
  const began = systemNow();
  try {
    const { result, hops } = await countHops(async () => run(), call.request_id);
    logSuccessfulCall({ ...call, code: 0, ms: systemNow() - began, hops });
    return result;
  } catch (thrown) {
    const { code, log, isLogged } = reasonOf(thrown);
    if (log !== undefined) logFailedCall({ ...call, code, error: log });
    throw log !== undefined || isLogged ? toLoggedFailure(thrown) : thrown;
  }
}

const logging = new WeakSet<object>();
