import { and, asc, count, eq, gt, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { ProtocolId } from "#shared/contract/tracker/retranslation.ts";
import type { Database } from "#shared/database/open.ts";
import { demandQuota } from "#shared/database/quota.ts";
import { isThere, onlyRow, throwIfTaken } from "#shared/database/rows.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { demand, demandChange, outdatedError, read, retryOutdated, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { mergeChanges } from "#shared/operation/changes.ts";
import type { Page } from "#shared/operation/list-answer.ts";
import { seal, unseal } from "#shared/secret/seal.ts";
import type { FleetEnv } from "../../env.ts";
import { recordChange } from "../../outbox/audit.ts";
import { type RetranslatorRow, retranslator } from "../../table/forwarding/retranslator.ts";
import { trackerRetranslator } from "../../table/forwarding/tracker-retranslator.ts";
import { isBoundTo, markTargetsChanged, selectTargetsOfAccount } from "../target-queries.ts";
import {
  type BoundTracker,
  type ChangedRetranslator,
  NewRetranslator,
  type Retranslator,
  requireProtocol,
} from "./schema.ts";

type CheckedRetranslator = NewRetranslator & { protocol_id: ProtocolId };

/** All retranslators of the account by id, in pages. */
export async function selectRetranslators(
  db: Database,
  env: FleetEnv,
  principal: Principal,
  after = 0,
): Promise<Page<Retranslator>> {
  const rows = await db
    .select()
    .from(retranslator)
    .where(visibleTo(principal, retranslator, gt(retranslator.id, after)))
    .orderBy(asc(retranslator.id))
    .limit(MAX_ROWS_PER_PAGE);
  const last = rows.at(-1);
  const full = rows.length === MAX_ROWS_PER_PAGE && last;
  const items = await Promise.all(rows.map((row) => toRetranslator(row, env)));
  return { items, next: full ? () => selectRetranslators(db, env, principal, last.id) : undefined };
}

type BindingSearch = { ids: number[] | undefined; with_bindings: boolean };

/** The number of trackers bound to each of these retranslators, or to each of the account's; the trackers if wanted. */
export async function selectBoundTrackers(db: Database, principal: Principal, { ids, with_bindings }: BindingSearch) {
  const { bound, rows } = await read(db, {
    bound: db
      .select({ retranslator_id: retranslator.id, trackers: count(trackerRetranslator.tracker_id) })
      .from(retranslator)
      .leftJoin(
        trackerRetranslator,
        sql`${trackerRetranslator.account_id} = ${retranslator.account_id} AND ${trackerRetranslator.retranslator_id} = ${retranslator.id}`,
      )
      .where(visibleTo(principal, retranslator, ids && among(retranslator.id, ids)))
      .groupBy(retranslator.id)
      .orderBy(asc(retranslator.id)),
    rows: with_bindings ? selectBindingRows(db, principal, ids ?? []) : undefined,
  });
  return { bound, bindings: rows?.map(toBoundTracker) };
}

function selectBindingRows(db: Database, principal: Principal, ids: number[]) {
  return db
    .select({ tracker_id: trackerRetranslator.tracker_id, fake_device_id: trackerRetranslator.fake_device_id })
    .from(trackerRetranslator)
    .where(visibleTo(principal, trackerRetranslator, among(trackerRetranslator.retranslator_id, ids)))
    .orderBy(asc(trackerRetranslator.tracker_id));
}

function toBoundTracker({ tracker_id, fake_device_id }: { tracker_id: number; fake_device_id: string | null }) {
  return { tracker_id, fake_device_id: fake_device_id ?? undefined } satisfies BoundTracker;
}

export async function insertRetranslator(
  db: Database,
  env: FleetEnv,
  principal: Principal,
  input: CheckedRetranslator,
  actor: Actor,
): Promise<number> {
  const { account_id } = principal;
  const row = { ...(await rowOf(input, env)), account_id, revision: 1 };
  const { inserted } = await write(db, {
    quota: demandQuota(principal, "retranslators", retranslator),
    inserted: db.insert(retranslator).values(row).returning({ id: retranslator.id }),
    record: recordChange(db, actor, {
      is: ["retranslator", "create"],
      entry_id: sql`last_insert_rowid()`,
      payload: { name: input.name },
    }),
  }).catch(throwIfTaken(247));
  return onlyRow(inserted).id;
}

/** Changes a retranslator; answers the messages for the feeds of its trackers. */
export function changeRetranslator(
  db: Database,
  env: FleetEnv,
  principal: Principal,
  { id, ...changes }: ChangedRetranslator,
  actor: Actor,
) {
  const own = visibleTo(principal, retranslator, eq(retranslator.id, id));
  return retryOutdated(async () => {
    const row = await db.select().from(retranslator).where(own).get();
    if (!row) throw new ApiError(201);
    const input = mergeChanges(NewRetranslator, await toRetranslator(row, env), changes, "retranslator");
    const { id: protocol_id } = requireProtocol(input, env.ALLOW_PRIVATE_TARGETS === "1");
    const isCurrent = isThere(retranslator, and(own, eq(retranslator.revision, row.revision)));
    const { targets } = await write(db, {
      current: demand(isCurrent, outdatedError),
      update: db
        .update(retranslator)
        .set({ ...(await rowOf({ ...input, protocol_id }, env)), revision: row.revision + 1 })
        .where(own),
      record: recordChange(db, actor, { is: ["retranslator", "update"], entry_id: id, payload: { name: input.name } }),
      mark: markTargetsChanged(db, isBoundTo(principal.account_id, id)),
      targets: selectTargetsOfAccount(db, principal),
    }).catch(throwIfTaken(247));
    return targets;
  });
}

/**
 * Removes a retranslator with its bindings; answers the messages for the feeds of its trackers, which then drop the
 * points that wait for it.
 */
export async function removeRetranslator(db: Database, principal: Principal, id: number, actor: Actor) {
  const { targets } = await write(db, {
    deletion: db.delete(retranslator).where(visibleTo(principal, retranslator, eq(retranslator.id, id))),
    existed: demandChange(() => new ApiError(201)),
    record: recordChange(db, actor, { is: ["retranslator", "delete"], entry_id: id }),
    mark: markTargetsChanged(db, isBoundTo(principal.account_id, id)),
    bindings: db
      .delete(trackerRetranslator)
      .where(visibleTo(principal, trackerRetranslator, eq(trackerRetranslator.retranslator_id, id))),
    targets: selectTargetsOfAccount(db, principal),
  });
  return targets;
}

async function rowOf({ login, password, ...input }: CheckedRetranslator, { ENCRYPTION_KEY }: FleetEnv) {
  return { ...input, login: login ?? "", password: password ? await seal(password, ENCRYPTION_KEY) : null };
}

async function toRetranslator(
  { account_id, revision, login, password, ...row }: RetranslatorRow,
  { ENCRYPTION_KEY }: FleetEnv,
): Promise<Retranslator> {
  return {
    ...row,
    login: login || undefined,
    password: password === null ? undefined : await unseal(password, ENCRYPTION_KEY),
  };
}

/** A page of the longest rows is some 5 MB. */
const MAX_ROWS_PER_PAGE = 1000;
