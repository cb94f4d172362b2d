import { z } from "zod";
import { operation } from "../operation.ts";

export const updateSource = operation("/panel/tracker/source/update", {
  summary: "Blocks or unblocks a device; from then on its owner gets 208",
  accepts: ["operator"],
  permission: ["trackers", "update"],
  input: z.object({ tracker_id: z.int(), blocked: z.boolean() }),
  output: z.object({}),
  errors: [13, 201],
  async run({ tracker_id, blocked }, { env, principal }) {
    await env.FLEET.blockSource(principal, tracker_id, blocked);
    return {};
  },
});
