import * as z from "zod";
import { DETAILS, GRAPH, SECONDS, SENSORS, TABS, toIntervalMs } from "../../definition/parameters.ts";
import { plugin } from "../../definition/plugin.ts";
import { selectGauges } from "../../series/readings.ts";
import { createMeasuringReport } from "./measuring-report.ts";

export const vehicleSensors = plugin({
  id: 22,
  title: ["Vehicle sensors", "Fahrzeugsensoren"],
  parameters: z.object({ ...SECONDS, ...TABS, ...SENSORS, ...GRAPH, ...DETAILS }),
  async reportTracker(data, { sensors, ...details }, writer) {
    const gauges = selectGauges((await data.equipment()).gauges, sensors, data.tracker_id);
    const options = { gauges, detailsMs: toIntervalMs(details), showsAddress: false, graph: details };
    return createMeasuringReport(data, options, writer);
  },
});
