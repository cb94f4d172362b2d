import * as z from "zod";
import { agentTool, cursor, localTime, trackerIds } from "./agent-tool.ts";
import { offsetOf, toAnswerPage } from "./answer-page.ts";

export const events = agentTool("events", {
  description:
    "The event history of a time range, newest first: zones entered and left, speeding, tasks, check-ins, offline and so on. `types` are names such as inzone, outzone, speedup, offline, task_completed; /history/type/list lists them.",
  input: z.object({
    from: localTime(),
    to: localTime(),
    tracker_ids: trackerIds().optional(),
    types: z.array(z.string().max(60)).min(1).max(100).optional(),
    only_emergency: z.boolean().optional(),
    cursor: cursor(),
  }),
  async run({ from, to, tracker_ids, types, only_emergency, cursor }, caller) {
    const offset = offsetOf(cursor);
    const path = tracker_ids ? "/history/tracker/list" : "/history/user/list";
    const search = {
      trackers: tracker_ids,
      from,
      to,
      events: types,
      only_emergency,
      ascending: false,
      limit: MAX_EVENTS,
    };
    const { list, limit_exceeded } = await caller.read(path, search, History);
    const shown = list.slice(offset).map(({ time, event, message, tracker_id, extra, address, location }) => ({
      ...{ time, event, message, tracker_id, label: extra.tracker_label, address: address || undefined },
      ...(location ? { lat: location.lat, lng: location.lng } : {}),
    }));
    // The operation lists at most 1,000 events: a shorter range shows the older ones.
    return {
      ...toAnswerPage(shown, offset, false),
      ...(limit_exceeded ? { older_events_need_a_shorter_range: true } : {}),
    };
  },
});

const History = z.object({
  limit_exceeded: z.boolean(),
  list: z.array(
    z.object({
      time: z.string(),
      event: z.string(),
      message: z.string(),
      tracker_id: z.int(),
      address: z.string(),
      location: z.object({ lat: z.number(), lng: z.number() }).nullable(),
      extra: z.object({ tracker_label: z.string().optional() }),
    }),
  ),
});
const MAX_EVENTS = 1_000;
