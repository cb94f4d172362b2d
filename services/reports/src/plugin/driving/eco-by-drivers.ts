import { z } from "zod";
import { SECONDS } from "../../definition/parameters.ts";
import { plugin } from "../../definition/plugin.ts";
import { judged, PENALTIES } from "./penalties.ts";
import { penaltyPart } from "./penalty-part.ts";

export const ecoByDrivers = plugin({
  id: 82,
  title: ["Eco driving by drivers", "Fahrweise nach Fahrern"],
  parameters: z.object({ ...SECONDS, ...PENALTIES }),
  async partOf(data, wishes, writer) {
    return penaltyPart(await judged(data, wishes), writer);
  },
  async partOfEmployee(rides, wishes, writer) {
    const offences = [];
    let meters = 0;
    // One tracker after the other: their points are many.
    for (const { data, isOn } of rides) {
      const one = await judged(data, wishes, isOn);
      offences.push(...one.offences);
      meters += one.meters;
    }
    offences.sort((one, other) => one.start_time - other.start_time);
    return penaltyPart({ offences, meters }, writer);
  },
});
