import { asc, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { rowIf } from "#shared/database/rows.ts";
import { read, write } from "#shared/database/steps.ts";
import { recordChange } from "../../outbox/audit.ts";
import { output } from "../../table/telemetry/output.ts";
import { isOnOriginal, isOwn, selectUsable } from "../../tracker/origin-queries.ts";

export type Output = { number: number; title: string };

/** The trackers with their outputs; clones have the outputs of their originals. */
export function selectOutputs(db: Database, principal: Principal, ids: number[]) {
  return read(db, {
    trackers: selectUsable(db, principal, ids),
    outputs: db
      .select()
      .from(output)
      .where(isOnOriginal(principal, output, ids))
      .orderBy(asc(output.number)),
  });
}

export async function upsertOutput(
  db: Database,
  principal: Principal,
  tracker_id: number,
  { number, title }: Output,
  actor: Actor,
) {
  const row = { account_id: principal.account_id, tracker_id, number, title };
  await write(db, {
    title: db
      .insert(output)
      .select(rowIf(output, row, isOwn(principal, tracker_id)))
      .onConflictDoUpdate({
        target: [output.account_id, output.tracker_id, output.number],
        set: { title: sql`excluded.title` },
      }),
    record: recordChange(db, actor, { is: ["output", "update"], entry_id: tracker_id, payload: { number, title } }),
  });
}
