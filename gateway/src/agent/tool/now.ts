import * as z from "zod";
import { mayWrite } from "./agent-caller.ts";
import { agentTool } from "./agent-tool.ts";

export const now = agentTool("now", {
  description:
    "The current local time, who the user is, its time zone and units, how many trackers it sees, and whether changes are permitted.",
  input: z.object({}),
  async run(_input, caller) {
    const { principal } = caller;
    const trackers = await caller.allTrackers(MAX_COUNTED_TRACKERS);
    return {
      local_time: caller.localTime(),
      time_zone: principal.time_zone,
      units: principal.measurement_system,
      user_id: principal.user_id,
      kind: principal.kind,
      rights: principal.kind === "master" ? "all" : principal.rights,
      trackers: trackers.length < MAX_COUNTED_TRACKERS ? trackers.length : `${MAX_COUNTED_TRACKERS} or more`,
      may_write: mayWrite(principal),
    };
  },
});

const MAX_COUNTED_TRACKERS = 1_000;
