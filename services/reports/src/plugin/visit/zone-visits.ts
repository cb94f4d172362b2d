import * as z from "zod";
import { SECONDS, SUMMARY, TABS } from "../../definition/parameters.ts";
import { plugin } from "../../definition/plugin.ts";
import { createVisitReport } from "./visit-report.ts";

export const zoneVisits = plugin({
  id: 8,
  title: ["Geofence visits", "Besuche von Zonen"],
  parameters: z.object({
    ...{ ...SECONDS, ...TABS, ...SUMMARY },
    zone_ids: z.array(z.int()).min(1).max(500),
    min_minutes_in_zone: z.int().min(0).max(1440).default(0),
    show_mileage: z.boolean().default(false),
    show_not_visited_zones: z.boolean().default(false),
    /** Charts are never part of JSON answers. */
    hide_charts: z.boolean().default(false),
  }),
  reportTracker(
    data,
    { zone_ids: ids, min_minutes_in_zone, show_mileage, show_not_visited_zones, hide_charts },
    writer,
  ) {
    const options = {
      ...{ minMinutes: min_minutes_in_zone, showsMileage: show_mileage, showsMissed: show_not_visited_zones },
      showsCharts: !hide_charts,
    };
    return createVisitReport(data, { thing: "zone", ids, byThing: false, ...options }, writer);
  },
});
