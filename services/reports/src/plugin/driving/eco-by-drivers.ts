import { z } from "zod";
import { SECONDS } from "../../definition/parameters.ts";
import { plugin } from "../../definition/plugin.ts";
import { type DrivingResult, judgeDriving, PENALTIES } from "./penalties.ts";
import { createPenaltyReport } from "./penalty-report.ts";

export const ecoByDrivers = plugin({
  id: 82,
  title: ["Eco driving by drivers", "Fahrweise nach Fahrern"],
  parameters: z.object({ ...SECONDS, ...PENALTIES }),
  async reportTracker(data, wishes, writer) {
    return createPenaltyReport(await judgeDriving(data, wishes), data, writer);
  },
  async reportEmployee({ rides, ...range }, wishes, writer) {
    const all: DrivingResult = { offences: [], meters: 0, points: 0, ends: [] };
    // One tracker after the other: their points are many.
    for (const { data, isOn } of rides) {
      const one = await judgeDriving(data, wishes, isOn);
      all.offences.push(...one.offences);
      all.meters += one.meters;
      all.points += one.points;
      all.ends.push(...one.ends);
    }
    all.offences.sort((one, other) => one.start_time - other.start_time);
    return createPenaltyReport(all, range, writer);
  },
});
