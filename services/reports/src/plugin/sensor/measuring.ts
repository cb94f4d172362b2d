import * as z from "zod";
import { DETAILS, FILTER, GRAPH, SECONDS, SENSORS, TABS, toIntervalMs } from "../../definition/parameters.ts";
import { plugin } from "../../definition/plugin.ts";
import { selectGauges } from "../../series/readings.ts";
import { withoutDriftPoints } from "../../series/smart-filter.ts";
import { createMeasuringReport } from "./measuring-report.ts";

export const measuring = plugin({
  id: 9,
  title: ["Measuring sensors", "Messfühler"],
  parameters: z.object({
    ...{ ...SECONDS, ...TABS, ...SENSORS, ...GRAPH, ...DETAILS, ...FILTER },
    show_address: z.boolean().default(false),
  }),
  async reportTracker(data, { sensors, show_address, filter, ...details }, writer) {
    const gauges = selectGauges((await data.equipment()).gauges, sensors, data.tracker_id);
    const options = { gauges, detailsMs: toIntervalMs(details), showsAddress: show_address, graph: details };
    return createMeasuringReport(await withoutDriftPoints(data, filter), options, writer);
  },
});
