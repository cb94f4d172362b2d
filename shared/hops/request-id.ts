import { servedRequestId } from "./hops.ts";

/**
 * Index of the request id among the arguments of a method of another Worker. No method has as many parameters, so a
 * Worker of an older release, which does not know the id, takes it for none of them.
 */
const REQUEST_ID_INDEX = 8;
/** Methods of the platform, which pass all their arguments on. */
const PLATFORM_METHODS = ["fetch", "connect"];

/** The arguments of a method of another Worker, with the id of the call that needs it. */
export function addRequestId(method: string, given: unknown[]): unknown[] {
  const request_id = servedRequestId();
  if (request_id === undefined || PLATFORM_METHODS.includes(method)) return given;
  const all = [...given];
  all[REQUEST_ID_INDEX] = request_id;
  return all;
}

/** Removes the request id from received arguments; undefined if the caller serves no call, or does not know the id. */
export function takeRequestId(received: unknown[]): string | undefined {
  const [request_id] = received.splice(REQUEST_ID_INDEX);
  return typeof request_id === "string" ? request_id : undefined;
}
