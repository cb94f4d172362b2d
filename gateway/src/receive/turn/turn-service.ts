import type { TurnsOfAccounts } from "#shared/contract/turns.ts";
import { ServiceEntrypoint } from "#shared/operation/service-entrypoint.ts";
import type { GatewayEnv } from "../../env.ts";

/** Turns for calls whose account only their service knows. No public route leads here. */
export class TurnService extends ServiceEntrypoint<GatewayEnv> implements TurnsOfAccounts {
  readonly worker = "gateway";

  acquireFor(account_id: number): Promise<Disposable | null> {
    return this.env.ACCOUNT_TURNS.getByName(String(account_id)).acquire();
  }
}
