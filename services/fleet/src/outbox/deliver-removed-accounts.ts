import { among, openDatabase } from "#shared/database/open.ts";
import type { FleetEnv } from "../env.ts";
import { goneAccount } from "../table/removed-account.ts";

/** Tells files of accounts that are no more. */
export async function deliverGone(env: FleetEnv) {
  const db = openDatabase(env);
  const rows = await db.select().from(goneAccount).limit(DELIVERED);
  const ids = rows.map(({ account_id }) => account_id);
  if (ids.length === 0) return;
  await env.FILES.removeAccounts(ids);
  await db.delete(goneAccount).where(among(goneAccount.account_id, ids));
}

const DELIVERED = 500;
