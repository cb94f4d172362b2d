import { openDatabase } from "#shared/database/open.ts";
import { deliverOutbox } from "#shared/database/outbox.ts";
import type { FleetEnv } from "../env.ts";
import { deleteUndeliveredClones, selectUndeliveredClones } from "./undelivered-clone-queries.ts";

/** Tells the tasks service which tracker's points each new clone shows. */
export function deliverClones(env: FleetEnv) {
  const db = openDatabase(env);
  return deliverOutbox({
    select: (limit) => selectUndeliveredClones(db, limit),
    deliver: (rows) => env.TASKS.putClones(rows),
    remove: (rows) => deleteUndeliveredClones(db, rows),
  });
}
