import { z } from "zod";
import { DETAILS, detailsMs, FILTER, GRAPH, SECONDS, SENSORS, TABS } from "../../definition/parameters.ts";
import { plugin } from "../../definition/plugin.ts";
import { wantedGauges } from "../../series/readings.ts";
import { withoutDriftPoints } from "../../series/smart-filter.ts";
import { measuredPart } from "./measured.ts";

export const measuring = plugin({
  id: 9,
  title: ["Measuring sensors", "Messfühler"],
  parameters: z.object({
    ...{ ...SECONDS, ...TABS, ...SENSORS, ...GRAPH, ...DETAILS, ...FILTER },
    show_address: z.boolean().default(false),
  }),
  async partOf(data, { sensors, show_address, filter, ...details }, writer) {
    const gauges = wantedGauges((await data.equipment()).gauges, sensors, data.tracker_id);
    const wishes = { gauges, detailsMs: detailsMs(details), showsAddress: show_address, graph: details };
    return measuredPart(await withoutDriftPoints(data, filter), wishes, writer);
  },
});
