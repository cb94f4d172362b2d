import * as z from "zod";
import { operation } from "../../operation.ts";
import { deliverTrackerRemovals } from "../../outbox/deliver-removed-trackers.ts";
import { removeClone } from "./queries.ts";

export const deleteTracker = operation("/tracker/delete", {
  summary: "Deletes a clone; its original stays",
  right: "admin",
  input: z.object({ tracker_id: z.int() }),
  output: z.object({}),
  errors: [13, 201, 203, 249],
  async run({ tracker_id }, { db, env, principal, actor }) {
    await removeClone(db, principal, tracker_id, actor);
    await deliverTrackerRemovals(env, [{ tracker_id, account_id: principal.account_id }]);
    return {};
  },
});

export const operations = [deleteTracker];
