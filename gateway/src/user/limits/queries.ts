import { and, isNull } from "drizzle-orm";
import type { Limits } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import type { GatewayEnv } from "../../env.ts";
import { user } from "../../table/user.ts";

/** Limits by account id: those set by operators, else the installation's. */
export async function selectLimits(
  db: Database,
  { DEFAULT_LIMITS }: Pick<GatewayEnv, "DEFAULT_LIMITS">,
  account_ids: number[],
): Promise<Record<number, Limits>> {
  const rows = await db
    .select({ id: user.id, limits: user.limits })
    .from(user)
    .where(and(among(user.id, account_ids), isNull(user.master_id)));
  return Object.fromEntries(rows.map(({ id, limits }) => [id, { ...JSON.parse(DEFAULT_LIMITS), ...limits }]));
}
