import { z } from "zod";
import { SECONDS } from "../../definition/parameters.ts";
import { plugin } from "../../definition/plugin.ts";
import { type Judged, judged, PENALTIES } from "./penalties.ts";
import { penaltyPart } from "./penalty-part.ts";

export const ecoByDrivers = plugin({
  id: 82,
  title: ["Eco driving by drivers", "Fahrweise nach Fahrern"],
  parameters: z.object({ ...SECONDS, ...PENALTIES }),
  async partOf(data, wishes, writer) {
    return penaltyPart(await judged(data, wishes), data, writer);
  },
  async partOfEmployee({ rides, ...range }, wishes, writer) {
    const all: Judged = { offences: [], meters: 0, points: 0, ends: [] };
    // One tracker after the other: their points are many.
    for (const { data, isOn } of rides) {
      const one = await judged(data, wishes, isOn);
      all.offences.push(...one.offences);
      all.meters += one.meters;
      all.points += one.points;
      all.ends.push(...one.ends);
    }
    all.offences.sort((one, other) => one.start_time - other.start_time);
    return penaltyPart(all, range, writer);
  },
});
