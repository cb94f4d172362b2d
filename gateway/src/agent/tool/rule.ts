import * as z from "zod";
import { agentTool, cursor, localTime, trackerIds } from "./agent-tool.ts";
import { offsetOf, toAnswerPage } from "./answer-page.ts";

export const tryRule = agentTool("try_rule", {
  description:
    'The events that a rule would have made in the past; nothing is stored. `rule` as in /tracker/rule/create, for example {"type": "inoutzone", "name": "Depot", "zone_ids": [7]}; search_operations describes it.',
  input: z.object({
    rule: z.record(z.string(), z.unknown()),
    tracker_ids: trackerIds(),
    from: localTime(),
    to: localTime(),
    cursor: cursor(),
  }),
  async run({ rule, tracker_ids, from, to, cursor }, caller) {
    const offset = offsetOf(cursor);
    const trial = { rule, trackers: tracker_ids, from, to, offset, limit: EVENTS_PER_PAGE };
    const { list, limit_exceeded } = await caller.read("/tracker/rule/try", trial, Trial);
    const shown = list.map(({ location, zone_labels, ...event }) => ({
      ...event,
      ...location,
      ...(zone_labels.length > 0 ? { zones: zone_labels.slice(0, MAX_ZONES) } : {}),
    }));
    return toAnswerPage(shown, offset, limit_exceeded);
  },
});

const Trial = z.object({
  limit_exceeded: z.boolean(),
  list: z.array(
    z.object({
      tracker_id: z.int(),
      event: z.string(),
      time: z.string(),
      location: z.object({ lat: z.number(), lng: z.number() }),
      zone_labels: z.array(z.string()),
      value: z.string().optional(),
    }),
  ),
});
const EVENTS_PER_PAGE = 100;
const MAX_ZONES = 5;
