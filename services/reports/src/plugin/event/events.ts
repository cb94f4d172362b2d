import * as z from "zod";
import { EVENT_NAMES } from "#shared/contract/event/event.ts";
import { SECONDS, TABS } from "../../definition/parameters.ts";
import { plugin } from "../../definition/plugin.ts";
import { createEventReport } from "./event-report.ts";

export const events = plugin({
  id: 11,
  title: ["All events", "Alle Ereignisse"],
  parameters: z.object({
    ...{ ...SECONDS, ...TABS },
    group_by_type: z.boolean().default(false),
    /** An empty list means all types. */
    event_types: z.array(z.enum(EVENT_NAMES)).max(1000).default([]),
  }),
  reportTracker(data, { group_by_type, event_types }, writer) {
    const names = event_types.length > 0 ? event_types : null;
    return createEventReport(data, { names, title: ["All events", "Alle Ereignisse"], byType: group_by_type }, writer);
  },
});
