import { openDatabase } from "#shared/database/open.ts";
import { emptied } from "#shared/database/outbox.ts";
import type { FleetEnv } from "../env.ts";
import { deleteUntoldClones, selectUntoldClones } from "./untold-clone-queries.ts";

/** Tells tasks whose points clones show. */
export function deliverClones(env: FleetEnv) {
  const db = openDatabase(env);
  return emptied({
    take: (most) => selectUntoldClones(db, most),
    tell: (rows) => env.TASKS.putClones(rows),
    drop: (rows) => deleteUntoldClones(db, rows),
  });
}
