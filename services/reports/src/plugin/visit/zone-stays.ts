import * as z from "zod";
import { SECONDS } from "../../definition/parameters.ts";
import { plugin } from "../../definition/plugin.ts";
import { createVisitReport } from "./visit-report.ts";

export const zoneStays = plugin({
  id: 84,
  title: ["Stay in zones", "Aufenthalt in Zonen"],
  parameters: z.object({
    ...SECONDS,
    zone_ids: z.array(z.int()).min(1).max(30),
    min_minutes_in_zone: z.int().min(1).max(1440).default(5),
    /** Adds the tags of the zones. */
    show_tags: z.boolean().default(false),
  }),
  reportTracker(data, { zone_ids: ids, min_minutes_in_zone: minMinutes, show_tags: showsTags }, writer) {
    const options = { minMinutes, showsMileage: false, showsMissed: false, showsCharts: false, showsTags };
    return createVisitReport(data, { thing: "zone", ids, byThing: true, ...options }, writer);
  },
});
