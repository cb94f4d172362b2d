import { useSyncExternalStore } from "react";

/** Nobody has signed in; a user has; or the user's session has ended while the page was open, which must not lose it. */
export type SessionState =
  | { status: "none" }
  | { status: "open"; hash: string; login: string; stays: boolean }
  | { status: "ended"; login: string; stays: boolean };

type StoredSession = { hash: string; login: string };
type TabMessage = { end: string };

const STORED = "fleet-session";
const listeners = new Set<() => void>();
const tabs = new BroadcastChannel("fleet-session");
let state = restoreSession();

tabs.addEventListener("message", ({ data }: MessageEvent<TabMessage>) => markEnded(data.end));

/** Stores the session of a new sign-in: for this tab, or with `stays` for this browser. */
export function openSession(session: StoredSession, stays: boolean) {
  clearStored();
  (stays ? localStorage : sessionStorage).setItem(STORED, JSON.stringify(session));
  change({ status: "open", ...session, stays });
}

/** Notes that the server has refused this hash. A newer session of the same page is left alone. */
export function markEnded(hash: string) {
  if (state.status !== "open" || state.hash !== hash) return;
  clearStored();
  change({ status: "ended", login: state.login, stays: state.stays });
}

/** Forgets the session; other tabs that use it ask for a new sign-in. */
export function forgetSession() {
  if (state.status === "open") tabs.postMessage({ end: state.hash } satisfies TabMessage);
  clearStored();
  change({ status: "none" });
}

export function currentSession(): SessionState {
  return state;
}

export function useSession(): SessionState {
  return useSyncExternalStore(subscribe, currentSession);
}

function change(next: SessionState) {
  state = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function clearStored() {
  sessionStorage.removeItem(STORED);
  localStorage.removeItem(STORED);
}

function restoreSession(): SessionState {
  for (const storage of [sessionStorage, localStorage]) {
    const stored = parseSession(storage.getItem(STORED));
    if (stored) return { status: "open", ...stored, stays: storage === localStorage };
  }
  return { status: "none" };
}

function parseSession(text: string | null): StoredSession | undefined {
  try {
    const { hash, login }: Partial<StoredSession> = JSON.parse(text ?? "{}");
    return hash && login ? { hash, login } : undefined;
  } catch {
    return undefined;
  }
}
