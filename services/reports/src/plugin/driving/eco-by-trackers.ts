import * as z from "zod";
import { SECONDS } from "../../definition/parameters.ts";
import { plugin } from "../../definition/plugin.ts";
import { judgeDriving, PENALTIES } from "./penalties.ts";
import { createPenaltyReport } from "./penalty-report.ts";

export const ecoByTrackers = plugin({
  id: 46,
  title: ["Eco driving by trackers", "Fahrweise nach Trackern"],
  parameters: z.object({ ...SECONDS, ...PENALTIES }),
  async reportTracker(data, options, writer) {
    return createPenaltyReport(await judgeDriving(data, options), data, writer);
  },
});
