import { ApiError } from "../../clients/typescript/src/api-error.ts";
import { FleetClient } from "../../clients/typescript/src/client.ts";
import type { Login } from "../system/operator.ts";

export type Request = (url: string, request?: RequestInit) => Promise<Response>;

/** At most ten requests a second, while the demo is made: it must not slow a small machine. */
const MS_BETWEEN_REQUESTS = 100;

/** Requests one after the other, with a pause in between. Ends by an exception once the signal is aborted. */
export function pacedRequests(pause: (ms: number) => Promise<unknown>, signal?: AbortSignal): Request {
  let last: Promise<unknown> = Promise.resolve();
  return (url, request = {}) => {
    const turn = last.then(() => {
      signal?.throwIfAborted();
      return fetch(url, { ...request, signal: signal ?? null });
    });
    last = turn.catch(() => undefined).then(() => pause(MS_BETWEEN_REQUESTS));
    return turn;
  };
}

export function signedInClient(baseUrl: string, { login, password }: Login, request: Request): FleetClient {
  return new FleetClient({ baseUrl, credentials: { login, password }, fetch: request });
}

/** The code of a refusal by the API; undefined for any other error. */
export function codeOf(thrown: unknown): number | undefined {
  return thrown instanceof ApiError ? thrown.code : undefined;
}

/** The id of the thing that `isSame` finds, or of a new one. An interrupted start may have made some of the things. */
export async function findOrCreate<Thing extends { id: number }>(
  things: Thing[],
  isSame: (thing: Thing) => boolean,
  create: () => Promise<{ id: number }>,
): Promise<number> {
  return things.find(isSame)?.id ?? (await create()).id;
}

/** The ids of things that are named by a record, by its keys. */
export async function idsOf<Key extends string>(
  names: Record<Key, string>,
  idOf: (name: string, index: number) => Promise<number>,
): Promise<Record<Key, number>> {
  const ids: Partial<Record<Key, number>> = {};
  let index = 0;
  for (const key in names) ids[key] = await idOf(names[key], index++);
  return ids as Record<Key, number>; // the loop has gone through all keys
}
