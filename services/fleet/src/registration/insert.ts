import { and, eq, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { isTaken, takenColumns } from "#shared/error/failure.ts";
import { folded } from "#shared/text/folded.ts";
import { findModel, SOLD_MODEL } from "../model/list.ts";
import { recording } from "../outbox/audit.ts";
import { activationCode } from "../table/activation-code.ts";
import { bundle } from "../table/bundle.ts";
import { outbox } from "../table/device-outbox.ts";
import { source } from "../table/source.ts";
import { tariff } from "../table/tariff.ts";
import { tracker } from "../table/tracker.ts";
import { selectWhether } from "../tariff/allowed.ts";
import { anchorOfDevice, ensureCounters, recount } from "../telemetry/counter/source.ts";
import { groupExists } from "../tracker/group/exists.ts";
import type { TrackerWithSource } from "../tracker/queries.ts";
import { goodCode } from "./activation-code/queries.ts";
import { soldBy } from "./bundle/queries.ts";
import type { NewTracker } from "./schema.ts";

/** `code` is empty where none was given, `model` null where the dealer that sold the device named it. */
type NewDevice = Pick<NewTracker, "label" | "group_id" | "phone"> & {
  model: string | null;
  device_id: string;
  code: string;
};

/**
 * Device, tracker and the word to geo in one transaction. The tariff's limit is counted in the statement that inserts;
 * without a device nothing follows it. A code gives its tariff, and is used up.
 */
export async function insertTracker(
  db: Database,
  principal: Principal,
  { label, group_id, model, phone, device_id, code }: NewDevice,
  actor: Actor,
): Promise<TrackerWithSource> {
  const { account_id, dealer_id, default_tariff_id } = principal;
  const now = actor.action_date;
  const good = goodCode({ dealer_id }, code);
  const wanted = code
    ? sql`(SELECT ${activationCode.tariff_id} FROM ${activationCode} WHERE ${good})`
    : default_tariff_id;
  const used = sql`(SELECT count(*) FROM ${source} WHERE ${source.account_id} = ${account_id} AND ${source.tariff_id} = ${tariff.id})`;
  const sold = sql`(SELECT ${bundle.model} FROM ${bundle} WHERE ${soldBy({ dealer_id }, device_id)})`;
  const freeUntil = sql`(SELECT date(${now / 1000}, 'unixepoch', ${activationCode.free_days} || ' days') FROM ${activationCode}
    WHERE ${good} AND ${activationCode.free_days} > 0)`;
  // The row before this one in the batch names the device, and that its tracker.
  const ofOutbox = sql`(SELECT ${tracker.id} FROM ${tracker} JOIN ${outbox} ON ${outbox.source_id} = ${tracker.source_id}
    WHERE ${outbox.id} = last_insert_rowid())`;
  const payload = model === null ? { label, device_id } : { label, model, device_id };
  const grouped = groupExists(principal, group_id);
  const isNew = sql`changes() = 1`;
  const anchors = anchorOfDevice(account_id, device_id);
  const [[newSource], , [newTracker], , , left, stock, [group]] = await db
    .batch([
      db
        .insert(source)
        .select(
          db
            .select({
              id: sql<number>`NULL`.as("id"),
              account_id: sql<number>`${account_id}`.as("account_id"),
              dealer_id: tariff.dealer_id,
              device_id: sql<string>`${device_id}`.as("device_id"),
              model: sql<string>`coalesce(${model}, ${sold})`.as("model"),
              blocked: sql<boolean>`0`.as("blocked"),
              tariff_id: sql<number>`${tariff.id}`.as("tariff_id"),
              tariff_changed: sql<number | null>`NULL`.as("tariff_changed"),
              status_listing_id: sql<number | null>`NULL`.as("status_listing_id"),
              creation_date: sql<number>`${now}`.as("creation_date"),
              tariff_end_date: sql<string | null>`${freeUntil}`.as("tariff_end_date"),
              phone: sql<string | null>`${phone || null}`.as("phone"),
              revision: sql<number>`1`.as("revision"),
            })
            .from(tariff)
            .where(
              and(
                sql`${tariff.id} = ${wanted}`,
                eq(tariff.dealer_id, dealer_id),
                sql`${used} < ${tariff.device_limit}`,
                grouped,
                model === null ? sql`${sold} IS NOT NULL` : undefined,
              ),
            ),
        )
        .returning(),
      // One row changes in any case, for what follows to go by.
      code
        ? db
            .update(activationCode)
            .set({ used: now, account_id, source_id: sql`last_insert_rowid()` })
            .where(and(good, isNew))
        : db
            .update(source)
            .set({ revision: 1 })
            .where(and(sql`${source.id} = last_insert_rowid()`, isNew)),
      db
        .insert(tracker)
        .select(
          sql`SELECT NULL, ${account_id}, last_insert_rowid(), 0, ${label}, ${folded(label)}, ${group_id}, NULL, '' WHERE ${isNew}`,
        )
        .returning(),
      db
        .insert(outbox)
        .select(
          sql`SELECT NULL, ${tracker.source_id} FROM ${tracker} WHERE ${isNew} AND ${tracker.id} = last_insert_rowid()`,
        ),
      recording(db, actor, { is: ["tracker", "register"], entry_id: ofOutbox, payload }),
      db.select({ id: activationCode.id }).from(activationCode).where(good),
      db.select({ id: bundle.id }).from(bundle).where(soldBy({ dealer_id }, device_id)),
      selectWhether(db, grouped),
      ensureCounters(db, anchors, countersOfModel(model ?? SOLD_MODEL)),
      ...recount(db, anchors),
    ])
    .catch(refuseDuplicate);
  if (newSource && newTracker) return { tracker: newTracker, source: newSource, tag_bindings: [] };
  if (model === null && stock.length === 0) throw new ApiError(201);
  if (!group?.holds) throw new ApiError(204);
  throw new ApiError(code && left.length === 0 ? 227 : 221);
}

function refuseDuplicate(thrown: unknown): never {
  if (!isTaken(thrown)) throw thrown;
  throw new ApiError(takenColumns(thrown).includes("phone") ? 223 : 224);
}

/** What every tracker of the model counts from its first point on. */
function countersOfModel(model: string) {
  return findModel(model)?.digital_inputs ? ["odometer", "engine_hours"] : ["odometer"];
}
