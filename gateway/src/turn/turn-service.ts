import { WorkerEntrypoint } from "cloudflare:workers";
import type { TurnsOfAccounts } from "#shared/contract/turns.ts";
import type { Turns } from "#shared/operation/run-in-turn.ts";
import type { GatewayEnv } from "../env.ts";

/** Turns for calls whose account only their service knows. No public route leads here. */
export class TurnService extends WorkerEntrypoint<GatewayEnv> implements TurnsOfAccounts {
  acquireFor(account_id: number, id: string): Promise<boolean> {
    return this.#turnsOf(account_id).acquire(id);
  }

  releaseFor(account_id: number, id: string): Promise<void> {
    return this.#turnsOf(account_id).release(id);
  }

  #turnsOf(account_id: number): Turns {
    return this.env.ACCOUNT_TURNS.getByName(String(account_id));
  }
}
