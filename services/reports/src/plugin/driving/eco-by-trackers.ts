import { z } from "zod";
import { SECONDS } from "../../definition/parameters.ts";
import { plugin } from "../../definition/plugin.ts";
import { judged, PENALTIES } from "./penalties.ts";
import { penaltyPart } from "./penalty-part.ts";

export const ecoByTrackers = plugin({
  id: 46,
  title: ["Eco driving by trackers", "Fahrweise nach Trackern"],
  parameters: z.object({ ...SECONDS, ...PENALTIES }),
  async partOf(data, wishes, writer) {
    return penaltyPart(await judged(data, wishes), data, writer);
  },
});
