import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { LiveState } from "../live/live-states.ts";
import { sessionClient } from "../session/api.ts";
import { trackersQuery } from "../tracker/queries.ts";

/** The state of a tracker as soon as it has a position; live, without asking again. */
export function useFirstPoint(tracker_id: number): LiveState | undefined {
  const queries = useQueryClient();
  const [state, setState] = useState<LiveState>();
  useEffect(() => {
    const end = new AbortController();
    void follow().catch(() => undefined); // the frame shows a session that has ended
    return () => end.abort();

    async function follow() {
      const target = { type: "selected" as const, tracker_ids: [tracker_id] };
      const request = { type: "state_batch" as const, target, format: "compact" as const };
      for await (const { event, data } of sessionClient().live([request], { signal: end.signal })) {
        if (event !== "state_batch") continue;
        const found = (data as LiveState[]).find(({ gps }) => gps.updated); // as the API describes it
        if (!found) continue;
        setState(found);
        void queries.invalidateQueries({ queryKey: trackersQuery.queryKey });
      }
    }
  }, [tracker_id, queries]);
  return state;
}
