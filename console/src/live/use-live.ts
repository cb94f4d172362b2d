import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { sessionClient } from "../session/api.ts";
import { isEnded } from "../session/ended-session.ts";
import { markEnded, useSession } from "../session/session.ts";
import { trackersQuery } from "../tracker/queries.ts";
import { type LiveState, LiveStates } from "./live-states.ts";

/** `lost` until the server answers again; `ended` if it refuses the subscription. */
export type Connection = "connecting" | "live" | "lost" | "ended";

const REQUEST = { type: "state_batch", target: { type: "all" }, rate_limit: "1s", format: "compact" } as const;

/**
 * Keeps the states of all trackers by one socket while the page is open. After an interruption the first message has all
 * states again, so that nothing is asked for periodically.
 */
export function useLive(): { states: LiveStates; connection: Connection } {
  const [states] = useState(() => new LiveStates((run) => requestAnimationFrame(run)));
  const [connection, setConnection] = useState<Connection>("connecting");
  const queries = useQueryClient();
  const session = useSession();
  const hash = session.status === "open" ? session.hash : undefined;
  useEffect(() => {
    if (!hash) return;
    const end = new AbortController();
    const onConnection = (isConnected: boolean) => {
      if (!end.signal.aborted) setConnection(isConnected ? "live" : "lost");
    };
    void follow().catch((thrown) => {
      if (end.signal.aborted) return;
      setConnection("ended");
      if (isEnded(thrown) || /session has ended/.test(String(thrown))) markEnded(hash);
    });
    return () => end.abort();

    async function follow() {
      for await (const { event, data } of sessionClient().live([REQUEST], { signal: end.signal, onConnection })) {
        if (event === "state_batch")
          states.apply(data as LiveState[]); // as the API describes it
        // A tracker was blocked, unblocked or removed.
        else if (event === "lifecycle") void queries.invalidateQueries({ queryKey: trackersQuery.queryKey });
      }
    }
  }, [hash, states, queries]);
  return { states, connection };
}

/** Renders again when states have changed: at most once a frame, and as often as the socket sends. */
export function useVersion(states: LiveStates): number {
  return useSyncExternalStore(
    (listener) => states.onChange(listener),
    () => states.version,
  );
}

/** Reads the list of trackers again when a state arrives of one that it does not have: it was registered meanwhile. */
export function useNewTrackers(states: LiveStates, known: ReadonlySet<number> | undefined) {
  const queries = useQueryClient();
  const asked = useRef(new Set<number>());
  useEffect(() => {
    if (!known) return;
    return states.onChange((changed) => {
      const fresh = [...changed].filter((id) => states.get(id) && !known.has(id) && !asked.current.has(id));
      if (fresh.length === 0) return;
      for (const id of fresh) asked.current.add(id);
      void queries.invalidateQueries({ queryKey: trackersQuery.queryKey });
    });
  }, [states, known, queries]);
}
