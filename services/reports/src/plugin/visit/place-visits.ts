import * as z from "zod";
import { SECONDS, SUMMARY, TABS } from "../../definition/parameters.ts";
import { plugin } from "../../definition/plugin.ts";
import { createVisitReport } from "./visit-report.ts";

export const placeVisits = plugin({
  id: 85,
  title: ["POI visits", "Besuche von Orten"],
  parameters: z
    .object({
      ...{ ...SECONDS, ...TABS, ...SUMMARY },
      place_ids: z.array(z.int()).max(30).default([]),
      /** Uses the places assigned to the tracker's drivers instead. */
      fetch_places_by_employees: z.boolean().default(false),
      min_minutes_in_place: z.int().min(1).max(1440).default(5),
      show_mileage: z.boolean().default(false),
      show_not_visited_places: z.boolean().default(false),
      /** Charts are never part of JSON answers. */
      hide_charts: z.boolean().default(false),
    })
    .refine(({ place_ids, fetch_places_by_employees }) => place_ids.length > 0 !== fetch_places_by_employees, {
      path: ["place_ids"],
      error: "must be named, or places be fetched by employees, and not both",
    }),
  async reportTracker(data, { place_ids, fetch_places_by_employees, ...parameters }, writer) {
    const { min_minutes_in_place, show_mileage, show_not_visited_places } = parameters;
    const ids = fetch_places_by_employees ? await data.placesOfDrivers() : place_ids;
    const options = {
      minMinutes: min_minutes_in_place,
      showsMileage: show_mileage,
      showsMissed: show_not_visited_places,
      showsCharts: !parameters.hide_charts,
    };
    return createVisitReport(data, { thing: "place", ids, byThing: false, ...options }, writer);
  },
});
