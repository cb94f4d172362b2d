import * as z from "zod";
import { SECONDS } from "../../definition/parameters.ts";
import { plugin } from "../../definition/plugin.ts";
import { type DrivingResult, judgeDriving, PENALTIES } from "./penalties.ts";
import { createPenaltyReport } from "./penalty-report.ts";

export const ecoByDrivers = plugin({
  id: 82,
  title: ["Eco driving by drivers", "Fahrweise nach Fahrern"],
  parameters: z.object({ ...SECONDS, ...PENALTIES }),
  async reportTracker(data, options, writer) {
    return createPenaltyReport(await judgeDriving(data, options), data, writer);
  },
  async reportEmployee({ rides, ...range }, options, writer) {
    const all: DrivingResult = { offences: [], meters: 0, points: 0, ends: [] };
    // One tracker after the other, because each has many points.
    for (const { data, isOn } of rides) {
      const one = await judgeDriving(data, options, isOn);
      all.offences.push(...one.offences);
      all.meters += one.meters;
      all.points += one.points;
      all.ends.push(...one.ends);
    }
    all.offences.sort((one, other) => one.start_time - other.start_time);
    return createPenaltyReport(all, range, writer);
  },
});
