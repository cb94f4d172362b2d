import * as z from "zod";
import { FILTER, GRAPH, SECONDS, SUMMARY } from "../../definition/parameters.ts";
import { plugin } from "../../definition/plugin.ts";
import { withoutDrift } from "../../series/smart-filter.ts";
import { createFuelReport } from "./fuel-report.ts";

const Share = z.number().min(0.01).max(0.99);

export const fuel = plugin({
  id: 10,
  title: ["Fuel volume", "Kraftstoffstand"],
  parameters: z.object({
    ...{ ...SECONDS, ...SUMMARY, ...FILTER, ...GRAPH },
    detailed_by_dates: z.boolean().default(true),
    /** With it, losses while the engine is off are no consumption. */
    use_ignition_data_for_consumption: z.boolean().default(false),
    /** Further charts, which JSON answers leave out; distance is drawn over time only. */
    include_mileage_plot: z.boolean().default(false),
    include_speed_plot: z.boolean().default(false),
    /** Ignores readings that differ from both neighbours by more than this share of the tank. */
    surge_filter: z.boolean().default(false),
    surge_filter_threshold: Share.default(0.2),
    /** Ignores readings at a greater speed in km/h. */
    speed_filter: z.boolean().default(false),
    speed_filter_threshold: z.int().min(0).max(400).default(10),
  }),
  async reportTracker(data, parameters, writer) {
    const { surge_filter, surge_filter_threshold, speed_filter, speed_filter_threshold } = parameters;
    const options = {
      filters: {
        surge: surge_filter ? surge_filter_threshold : null,
        speed: speed_filter ? speed_filter_threshold : null,
      },
      showsDrains: true,
      showsDays: parameters.detailed_by_dates,
      byIgnition: parameters.use_ignition_data_for_consumption,
      plots: parameters,
    };
    return createFuelReport(await withoutDrift(data, parameters.filter), options, writer);
  },
});
