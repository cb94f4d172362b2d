import type { Limits } from "#shared/caller/principal.ts";
import type { AccountLimits as AccountLimitsContract } from "#shared/contract/gateway.ts";
import { openDatabase } from "#shared/database/open.ts";
import { ServiceEntrypoint } from "#shared/operation/service-entrypoint.ts";
import type { GatewayEnv } from "../../env.ts";
import { selectLimits } from "./queries.ts";

/** Limits of accounts, for services that create rows on a schedule. No public route leads here. */
export class AccountLimits extends ServiceEntrypoint<GatewayEnv> implements AccountLimitsContract {
  limitsOf(account_ids: number[]): Promise<Record<number, Limits>> {
    return selectLimits(openDatabase(this.env), this.env, account_ids);
  }
}
