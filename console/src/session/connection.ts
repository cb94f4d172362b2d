import { useSyncExternalStore } from "react";
import { noteServerTime } from "./clock.ts";

type Listener = () => void;

/** Statuses of proxies, and of a system that is being restarted. */
const AWAY = [502, 503, 504];
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 15_000;

const listeners = new Set<Listener>();
const recoveryListeners = new Set<Listener>();
let isReachable = true;
let timer: ReturnType<typeof setTimeout> | undefined;
let pauseMs = FIRST_PAUSE_MS;

/** Sends a request and notes whether the server can be reached. */
export async function watchedFetch(url: string, request: RequestInit): Promise<Response> {
  try {
    const response = await fetch(url, request);
    noteServerTime(response);
    if (AWAY.includes(response.status)) lose();
    return response;
  } catch (thrown) {
    if (!request.signal?.aborted) lose();
    throw thrown;
  }
}

/** Tries at once to reach the server. */
export async function probe() {
  clearTimeout(timer);
  const response = await fetch("/health").catch(() => undefined);
  if (response?.ok) return recover();
  timer = setTimeout(probe, pauseMs);
  pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
}

export function useIsReachable(): boolean {
  return useSyncExternalStore(
    (listener) => add(listeners, listener),
    () => isReachable,
  );
}

/** Calls the listener each time that the server can be reached again. */
export function onRecovery(listener: Listener): () => void {
  return add(recoveryListeners, listener);
}

function lose() {
  if (!isReachable) return;
  isReachable = false;
  pauseMs = FIRST_PAUSE_MS;
  timer = setTimeout(probe, pauseMs);
  for (const listener of listeners) listener();
}

function recover() {
  if (isReachable) return;
  isReachable = true;
  for (const listener of [...listeners, ...recoveryListeners]) listener();
}

function add(to: Set<Listener>, listener: Listener) {
  to.add(listener);
  return () => void to.delete(listener);
}

window.addEventListener("online", () => {
  if (!isReachable) void probe();
});
