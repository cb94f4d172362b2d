import {
  ApiError,
  type CallOptions,
  type CallPath,
  FleetClient,
  type Reply,
} from "../../../clients/typescript/src/index.ts";
import type { CallArguments } from "../../../clients/typescript/src/operation-types.ts";
import { watchedFetch } from "./connection.ts";
import { isEnded } from "./ended-session.ts";
import { currentSession, markEnded } from "./session.ts";

export { ApiError };

let current: { hash: string; client: FleetClient } | undefined;

/** A client of this host: for one session, or without one. */
export function clientFor(hash?: string): FleetClient {
  const baseUrl = `${location.origin}/api-v2`;
  // The page shows that the server is away and asks again: a call that waits for long would hide it.
  return new FleetClient({ baseUrl, retries: 1, fetch: watchedFetch, ...(hash ? { credentials: { hash } } : {}) });
}

/** The client of the present session, for files, uploads, lists in pages and live states. */
export function sessionClient(): FleetClient {
  const session = currentSession();
  if (session.status !== "open") return clientFor();
  if (current?.hash !== session.hash) current = { hash: session.hash, client: clientFor(session.hash) };
  return current.client;
}

/** Calls an operation in the present session. A session that has ended is noted, so that the page asks to sign in again. */
export async function call<Path extends CallPath>(
  path: Path,
  ...given: CallArguments<Path, CallOptions>
): Promise<Reply<Path>> {
  const session = currentSession();
  try {
    return await sessionClient().call(path, ...given);
  } catch (thrown) {
    if (session.status === "open" && isEnded(thrown)) markEnded(session.hash);
    throw thrown;
  }
}

/** The code of a refusal; undefined for other failures, such as a server that cannot be reached. */
export function codeOf(thrown: unknown): number | undefined {
  return thrown instanceof ApiError ? thrown.code : undefined;
}
