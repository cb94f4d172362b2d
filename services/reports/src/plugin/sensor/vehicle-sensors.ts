import { z } from "zod";
import { DETAILS, detailsMs, GRAPH, SECONDS, SENSORS, TABS } from "../../definition/parameters.ts";
import { plugin } from "../../definition/plugin.ts";
import { wantedGauges } from "../../series/readings.ts";
import { measuredPart } from "./measured.ts";

export const vehicleSensors = plugin({
  id: 22,
  title: ["Vehicle sensors", "Fahrzeugsensoren"],
  parameters: z.object({ ...SECONDS, ...TABS, ...SENSORS, ...GRAPH, ...DETAILS }),
  async partOf(data, { sensors, ...details }, writer) {
    const gauges = wantedGauges((await data.equipment()).gauges, sensors, data.tracker_id);
    const wishes = { gauges, detailsMs: detailsMs(details), showsAddress: false, graph: details };
    return measuredPart(data, wishes, writer);
  },
});
