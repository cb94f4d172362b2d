import { eq, type SQL, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { throwIfTaken } from "#shared/database/rows.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { type DealerRow, type DealerSettings, dealer } from "../table/dealer.ts";

/** Changes to how a dealer presents the service; members left out stay. */
export type PresentationChanges = Partial<
  Pick<DealerRow, "ui_domain" | "limited_domain" | "allowed_maps" | "default_user_time_zone">
> & { settings: Partial<DealerSettings> };

export function requireDealer(db: Database, id: number) {
  return requireDealerWhere(db, eq(dealer.id, id), 12);
}

/** Finds a dealer by its domain, regardless of case. */
export function requireDealerOfDomain(db: Database, domain: string) {
  return requireDealerWhere(db, eq(sql`lower(${dealer.ui_domain})`, domain.toLowerCase()), 12);
}

/** The dealer of the calling operator; 4 if it was deleted during the call. */
export function requireOwnDealer(db: Database, { dealer_id }: Principal) {
  return requireDealerWhere(db, eq(dealer.id, dealer_id), 4);
}

export async function changePresentation(
  db: Database,
  { dealer_id }: Principal,
  { settings, ...changes }: PresentationChanges,
) {
  // `json_patch` removes members that are null. Their default then applies, which is null for every nullable member.
  const patched = sql`json_patch(${dealer.settings}, ${JSON.stringify(settings)})`;
  await db
    .update(dealer)
    .set({ ...changes, settings: patched })
    .where(eq(dealer.id, dealer_id))
    .catch(throwIfTaken(247));
}

export async function changeTrackerDefaults(
  db: Database,
  { dealer_id }: Principal,
  tracker_defaults: DealerRow["tracker_defaults"],
) {
  await db.update(dealer).set({ tracker_defaults }).where(eq(dealer.id, dealer_id));
}

async function requireDealerWhere(db: Database, condition: SQL, errorCode: 4 | 12): Promise<DealerRow> {
  const row = await db.select().from(dealer).where(condition).get();
  if (!row) throw new ApiError(errorCode);
  return row;
}
