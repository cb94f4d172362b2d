import { WorkerEntrypoint } from "cloudflare:workers";
import type { Limits } from "#shared/caller/principal.ts";
import type { AccountLimits as AccountLimitsContract } from "#shared/contract/gateway.ts";
import { openDatabase } from "#shared/database/open.ts";
import type { GatewayEnv } from "../../env.ts";
import { selectLimits } from "./queries.ts";

/** Limits of accounts, for services that create rows on a schedule. No public route leads here. */
export class AccountLimits extends WorkerEntrypoint<GatewayEnv> implements AccountLimitsContract {
  limitsOf(account_ids: number[]): Promise<Record<number, Limits>> {
    return selectLimits(openDatabase(this.env), this.env, account_ids);
  }
}
