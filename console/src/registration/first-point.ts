import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { LiveState } from "../live/live-states.ts";
import { useTrackerMessages } from "../live/use-tracker-messages.ts";
import { trackersQuery } from "../tracker/queries.ts";

/** The state of a tracker as soon as it has a position; live, without asking again. */
export function useFirstPoint(tracker_id: number): LiveState | undefined {
  const queries = useQueryClient();
  const [state, setState] = useState<LiveState>();
  useTrackerMessages(tracker_id, "state_batch", (data) => {
    const found = (data as LiveState[]).find(({ gps }) => gps.updated); // as the API describes it
    if (!found) return;
    setState(found);
    void queries.invalidateQueries({ queryKey: trackersQuery.queryKey });
  });
  return state;
}
