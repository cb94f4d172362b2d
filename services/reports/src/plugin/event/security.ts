import { z } from "zod";
import { SECONDS, TABS } from "../../definition/parameters.ts";
import { plugin } from "../../definition/plugin.ts";
import { SECURITY_EVENTS } from "./kinds.ts";
import { eventPart } from "./of-events.ts";

export const security = plugin({
  id: 19,
  title: ["Overall security", "Sicherheit"],
  parameters: z.object({ ...SECONDS, ...TABS, group_by_type: z.boolean().default(false) }),
  partOf(data, { group_by_type }, writer) {
    const title = ["Overall security", "Sicherheit"] satisfies [string, string];
    return eventPart(data, { names: SECURITY_EVENTS, title, byType: group_by_type }, writer);
  },
});
