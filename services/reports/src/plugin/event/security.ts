import * as z from "zod";
import { SECONDS, TABS } from "../../definition/parameters.ts";
import { plugin } from "../../definition/plugin.ts";
import { createEventReport } from "./event-report.ts";
import { SECURITY_EVENTS } from "./kinds.ts";

export const security = plugin({
  id: 19,
  title: ["Overall security", "Sicherheit"],
  parameters: z.object({ ...SECONDS, ...TABS, group_by_type: z.boolean().default(false) }),
  reportTracker(data, { group_by_type }, writer) {
    const title = ["Overall security", "Sicherheit"] satisfies [string, string];
    return createEventReport(data, { names: SECURITY_EVENTS, title, byType: group_by_type }, writer);
  },
});
