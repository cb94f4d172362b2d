import { and, eq, or, type SQL, sql } from "drizzle-orm";
import { ApiError } from "#shared/api-error.ts";
import { type Database, only, taken } from "#shared/database.ts";
import type { NewPlan } from "#shared/plan.ts";
import type { Principal } from "#shared/principal.ts";
import { source } from "../source/table.ts";
import { plan } from "./table.ts";

export async function insertPlan(db: Database, { dealer_id }: Principal, input: NewPlan) {
  const inserted = await db
    .insert(plan)
    .values({ ...input, dealer_id })
    .returning({ id: plan.id })
    .catch(taken(244));
  return only(inserted).id;
}

export async function updatePlan(db: Database, principal: Principal, id: number, changes: Partial<NewPlan>) {
  const ofDealer = ownPlan(principal, id);
  // Nothing to change is no reason to fail, but the plan must be there.
  const updated = await db
    .update(plan)
    .set({ dealer_id: principal.dealer_id, ...changes })
    .where(ofDealer)
    .returning({ id: plan.id })
    .catch(taken(244));
  if (updated.length === 0) throw new ApiError(201);
}

export async function hasPlan(db: Database, principal: Principal, id: number) {
  return (await db.select({ id: plan.id }).from(plan).where(ownPlan(principal, id)).get()) !== undefined;
}

/** Of the plans of the account's devices, and of the one that new devices get. */
export async function selectMapFilters(db: Database, { account_id, default_tariff_id }: Principal) {
  const used = db.select({ id: source.tariff_id }).from(source).where(eq(source.account_id, account_id));
  const wanted: SQL | undefined = or(sql`${plan.id} IN ${used}`, eq(plan.id, default_tariff_id ?? 0));
  const rows = await db.select({ map_filter: plan.map_filter }).from(plan).where(wanted);
  return rows.map(({ map_filter }) => map_filter);
}

function ownPlan({ dealer_id }: Principal, id: number) {
  return and(eq(plan.dealer_id, dealer_id), eq(plan.id, id));
}
