import { useEffect, useRef } from "react";
import { sessionClient } from "../session/api.ts";

/** Passes on the data of live messages about one tracker while the page is open: `state_batch` or `iot_monitor`. */
export function useTrackerMessages(
  tracker_id: number,
  type: "state_batch" | "iot_monitor",
  onData: (data: unknown) => void,
) {
  const latest = useRef(onData);
  latest.current = onData;
  useEffect(() => {
    const end = new AbortController();
    void follow().catch(() => undefined); // the frame shows a session that has ended
    return () => end.abort();

    async function follow() {
      const request = { type, target: { type: "selected" as const, tracker_ids: [tracker_id] }, rate_limit: "1s" };
      for await (const { event, data } of sessionClient().live([request], { signal: end.signal }))
        if (event === type) latest.current(data);
    }
  }, [tracker_id, type]);
}
