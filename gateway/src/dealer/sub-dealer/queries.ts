import { and, asc, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { onlyRow } from "#shared/database/rows.ts";
import { demand, demandChange, write } from "#shared/database/steps.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { isTaken, takenColumns } from "#shared/error/failure.ts";
import { selectDealerTrees } from "../../credential/blocking-queries.ts";
import { endCredentials, selectKeysOfDealers } from "../../credential/queries.ts";
import { credential } from "../../table/credential.ts";
import { type DealerRow, dealer } from "../../table/dealer.ts";
import { CAN_UNBLOCK_DEALERS, operator } from "../../table/operator.ts";
import type { NewSubDealer } from "./schema.ts";

type FirstOperator = { login: string; password: string; permissions: Record<string, string[]> };

/** Inserts a sub-dealer and its first operator in one write; 13 unless the caller's dealer may have sub-dealers. */
export async function insertSubDealer(
  db: Database,
  principal: Principal,
  { title, email, jur_name, jur_country, link_monitoring }: NewSubDealer,
  { login, password, permissions }: FirstOperator,
) {
  const row = {
    ...{ title, email, jur_name, jur_country },
    parent_id: principal.dealer_id,
    ui_domain: link_monitoring,
    block_type: "INITIAL_BLOCK",
    settings: { service_title: title },
    features: [],
    limited_domain: false,
  } satisfies typeof dealer.$inferInsert;
  const canHaveSubDealers = sql`(${isGlobal(principal)} OR EXISTS (SELECT 1 FROM ${dealer}, json_each(${dealer.features})
    WHERE ${dealer.id} = ${principal.dealer_id} AND value = 'subpaas'))`;
  const { created } = await write(db, {
    canHave: demand(canHaveSubDealers, () => new ApiError(13)),
    created: db.insert(dealer).values(row).returning({ id: dealer.id }),
    operator: db.insert(operator).values({ dealer_id: sql`last_insert_rowid()`, login, password, permissions }),
  }).catch(throwTakenError);
  return onlyRow(created).id;
}

export function selectSubDealers(db: Database, principal: Principal) {
  return db.select().from(dealer).where(isSubDealerOf(principal)).orderBy(asc(dealer.id));
}

export async function requireSubDealer(db: Database, principal: Principal, id: number) {
  const row = await db
    .select()
    .from(dealer)
    .where(isSubDealerOf(principal, eq(dealer.id, id)))
    .get();
  if (!row) throw new ApiError(201);
  return row;
}

type DealerChanges = Partial<Omit<DealerRow, "settings">>;

/** Changes a sub-dealer, and the password of its first operator; answers the keys of the guards to refresh. */
export function changeSubDealer(
  db: Database,
  principal: Principal,
  id: number,
  changes: DealerChanges,
  password?: string,
) {
  return changeDealer(
    db,
    isSubDealerOf(principal, eq(dealer.id, id)),
    id,
    changes,
    password,
    canGrant(principal, changes.features),
  );
}

/** For a demand: the operator's own dealer has all these features, or the operator is `global`. */
function canGrant(principal: Principal, features: string[] = []) {
  const ownFeatures = sql`SELECT value FROM ${dealer}, json_each(${dealer.features}) WHERE ${dealer.id} = ${principal.dealer_id}`;
  const lacking = sql`SELECT 1 FROM json_each(${JSON.stringify(features)}) WHERE value NOT IN (${ownFeatures})`;
  return sql`(${isGlobal(principal)} OR NOT EXISTS (${lacking}))`;
}

/** Blocks or unblocks a dealer; its own operators may block the root dealer, above which nobody stands. */
export function changeBlocking(db: Database, principal: Principal, id: number, block_type: DealerRow["block_type"]) {
  const isTop = sql`(${dealer.parent_id} IS NULL AND (${dealer.id} = ${principal.dealer_id} OR ${isGlobal(principal)}))`;
  const reachable = and(eq(dealer.id, id), sql`(${isTop} OR ${isSubDealerOf(principal)})`);
  return changeDealer(db, reachable, id, { block_type });
}

/**
 * Changes a dealer. Blocking it or changing the password ends the sessions of its operators. Answers the keys of ended
 * credentials and of those whose guards must learn of the block.
 */
async function changeDealer(
  db: Database,
  reachable: SQL | undefined,
  id: number,
  changes: DealerChanges,
  password?: string,
  canGrantFeatures?: SQL,
) {
  const endsSessions = (changes.block_type ?? "NOT_BLOCKED") !== "NOT_BLOCKED" || password !== undefined;
  const first = sql`(SELECT min(${operator.id}) FROM ${operator} WHERE ${operator.dealer_id} = ${id})`;
  const operators = sql`(SELECT ${operator.id} FROM ${operator} WHERE ${operator.dealer_id} = ${id} AND NOT ${CAN_UNBLOCK_DEALERS})`;
  const sessions = and(eq(credential.kind, "operator"), sql`${credential.user_id} IN ${operators}`);
  const { ended = [], remaining = [] } = await write(db, {
    canGrant: demand(canGrantFeatures, () => invalid("features", "must be among those of your own dealer")),
    update: db
      .update(dealer)
      // Sets `id`, because an update without columns would be an error.
      .set({ id, ...changes })
      .where(reachable),
    exists: demandChange(() => new ApiError(201)),
    password: password === undefined ? undefined : db.update(operator).set({ password }).where(eq(operator.id, first)),
    ...(endsSessions && endCredentials(db, sessions)),
    remaining: changes.block_type && selectKeysOfDealers(db, selectDealerTrees(eq(dealer.id, id))),
  }).catch(throwTakenError);
  return [...ended, ...remaining].map(({ key }) => key);
}

/** Condition: sub-dealers of the operator's own dealer; all sub-dealers if the operator is `global`. */
function isSubDealerOf(principal: Principal, ...conditions: SQL[]) {
  const isOwn = sql`(${dealer.parent_id} = ${principal.dealer_id} OR ${isGlobal(principal)})`;
  return and(isNotNull(dealer.parent_id), isOwn, ...conditions);
}

function isGlobal({ permissions }: Principal) {
  return sql`${permissions.subpaas?.includes("global") ? 1 : 0}`;
}

function throwTakenError(thrown: unknown): never {
  if (!isTaken(thrown)) throw thrown;
  throw new ApiError(takenColumns(thrown).includes("ui_domain") ? 247 : 206);
}
