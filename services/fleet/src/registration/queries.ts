import { and, eq, exists, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { onlyRow } from "#shared/database/rows.ts";
import { demand, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { isTaken, takenColumns } from "#shared/error/failure.ts";
import { foldText } from "#shared/text/fold.ts";
import { recordChange } from "../outbox/audit.ts";
import { deviceOutbox } from "../table/outbox/device-outbox.ts";
import { activationCode } from "../table/registration/activation-code.ts";
import { bundle } from "../table/registration/bundle.ts";
import { tariff } from "../table/registration/tariff.ts";
import { source } from "../table/tracker/source.ts";
import { tracker } from "../table/tracker/tracker.ts";
import { anchorOfDevice, ensureCounters, recount } from "../telemetry/counter/source-queries.ts";
import { groupExists } from "../tracker/group/queries.ts";
import { findModel, SOLD_MODEL } from "../tracker/model/models.ts";
import type { TrackerWithSource } from "../tracker/queries.ts";
import { isUnusedCode } from "./activation-code/queries.ts";
import { isSoldBy } from "./bundle/queries.ts";
import type { NewTracker } from "./schema.ts";

/** `code` is empty without an activation code; `model` is null when the bundle of the dealer names it. */
type NewDevice = Pick<NewTracker, "label" | "group_id" | "phone"> & {
  model: string | null;
  device_id: string;
  code: string;
};

/**
 * Stores device, tracker and the message to geo in one transaction. An activation code determines the tariff and is
 * used up.
 */
export async function insertTracker(
  db: Database,
  principal: Principal,
  device: NewDevice,
  actor: Actor,
): Promise<TrackerWithSource> {
  const { account_id } = principal;
  const { label, group_id, model, device_id, code } = device;
  const payload = model === null ? { label, device_id } : { label, model, device_id };
  const anchors = anchorOfDevice(account_id, device_id);
  const { sources, trackers } = await write(db, {
    ...demandRegistrable(db, principal, device),
    sources: insertSource(db, principal, device, actor.action_date),
    code: code === "" ? undefined : consumeCode(db, principal, code, actor.action_date),
    trackers: db
      .insert(tracker)
      .values({ account_id, source_id: sourceIdOf(device_id), label, label_folded: foldText(label), group_id })
      .returning(),
    record: recordChange(db, actor, { is: ["tracker", "register"], entry_id: sql`last_insert_rowid()`, payload }),
    message: db.insert(deviceOutbox).values({ account_id, source_id: sourceIdOf(device_id) }),
    counters: ensureCounters(db, anchors, countersOfModel(model ?? SOLD_MODEL)),
    ...recount(db, anchors),
  }).catch(refuseDuplicate);
  return { tracker: onlyRow(trackers), source: onlyRow(sources), tag_bindings: [] };
}

/**
 * Demands that the dealer sells the device (201), the group exists (204), the code is valid (227) and the tariff's
 * device limit is not reached (221).
 */
function demandRegistrable(db: Database, principal: Principal, { group_id, model, device_id, code }: NewDevice) {
  const { account_id, dealer_id, default_tariff_id } = principal;
  const tariff_id = code === "" ? sql`${default_tariff_id}` : tariffIdOf(principal, code);
  const used = sql`(SELECT count(*) FROM ${source} WHERE ${source.account_id} = ${account_id} AND ${source.tariff_id} = ${tariff.id})`;
  const sold = db.select().from(bundle).where(isSoldBy(principal, device_id));
  const unusedCode = db.select().from(activationCode).where(isUnusedCode(principal, code));
  const tariffWithQuota = db
    .select()
    .from(tariff)
    .where(
      and(sql`${tariff.id} = ${tariff_id}`, eq(tariff.dealer_id, dealer_id), sql`${used} < ${tariff.device_limit}`),
    );
  return {
    sold: demand(model === null ? exists(sold) : undefined, () => new ApiError(201)),
    group: demand(groupExists(principal, group_id), () => new ApiError(204)),
    good: demand(code === "" ? undefined : exists(unusedCode), () => new ApiError(227)),
    quota: demand(exists(tariffWithQuota), () => new ApiError(221)),
  };
}

function insertSource(
  db: Database,
  principal: Principal,
  { model, phone, device_id, code }: NewDevice,
  creation_date: number,
) {
  const { account_id, dealer_id, default_tariff_id } = principal;
  const sold = sql`(SELECT ${bundle.model} FROM ${bundle} WHERE ${isSoldBy(principal, device_id)})`;
  const freeUntil = sql`(SELECT date(${creation_date / 1000}, 'unixepoch', ${activationCode.free_days} || ' days')
    FROM ${activationCode} WHERE ${isUnusedCode(principal, code)} AND ${activationCode.free_days} > 0)`;
  return db
    .insert(source)
    .values({
      ...{ account_id, dealer_id, device_id, creation_date },
      model: model ?? sold,
      tariff_id: code === "" ? sql`${default_tariff_id}` : tariffIdOf(principal, code),
      tariff_end_date: code === "" ? null : freeUntil,
      phone: phone || null,
    })
    .returning();
}

function consumeCode(db: Database, principal: Principal, code: string, used: number) {
  return db
    .update(activationCode)
    .set({ used, account_id: principal.account_id, source_id: sql`last_insert_rowid()` })
    .where(isUnusedCode(principal, code));
}

function tariffIdOf(principal: Principal, code: string): SQL {
  return sql`(SELECT ${activationCode.tariff_id} FROM ${activationCode} WHERE ${isUnusedCode(principal, code)})`;
}

/** The id of the device that this batch has inserted. */
function sourceIdOf(device_id: string): SQL<number> {
  return sql`(SELECT ${source.id} FROM ${source} WHERE ${source.device_id} = ${device_id})`;
}

function refuseDuplicate(thrown: unknown): never {
  if (!isTaken(thrown)) throw thrown;
  throw new ApiError(takenColumns(thrown).includes("phone") ? 223 : 224);
}

/** The types of counters that a tracker of the model has from its first point on. */
function countersOfModel(model: string) {
  return findModel(model)?.digital_inputs ? ["odometer", "engine_hours"] : ["odometer"];
}
