import { and, eq, sql } from "drizzle-orm";
import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import { write } from "#shared/database/steps.ts";
import { archiveTurn } from "../../table/chunk/archive-turn.ts";
import { chunk } from "../../table/chunk/chunk.ts";
import { retentionTurn } from "../../table/chunk/retention-turn.ts";
import { device } from "../../table/device.ts";

/** Deletes the trackers' points in batches, then the rotations of an account without points. */
export async function deletePoints(db: Database, account_id: number, tracker_ids: number[]) {
  const some = sql`SELECT ${chunk.id} FROM ${chunk}
    WHERE ${chunk.account_id} = ${account_id} AND ${among(chunk.tracker_id, tracker_ids)} LIMIT ${MAX_ROWS_PER_BATCH}`;
  let deleted: unknown[];
  do {
    deleted = await db.delete(chunk).where(sql`${chunk.id} IN (${some})`).returning({ id: chunk.id });
  } while (deleted.length === MAX_ROWS_PER_BATCH);
  await write(db, {
    rotations: [retentionTurn, archiveTurn].map((rotation) =>
      db.delete(rotation).where(sql`${rotation.account_id} = ${account_id}
        AND NOT EXISTS (SELECT 1 FROM ${chunk} WHERE ${chunk.account_id} = ${account_id})`),
    ),
  });
}

/** Deletes the trackers' devices. A device that was registered again belongs to another tracker by now, and stays. */
export async function deleteDevices(db: Database, account_id: number, tracker_ids: number[]) {
  await db.delete(device).where(and(eq(device.account_id, account_id), among(device.tracker_id, tracker_ids)));
}

/** Some 5 MB of points. */
const MAX_ROWS_PER_BATCH = 500;
