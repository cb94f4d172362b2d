import { DurableObject } from "cloudflare:workers";
import type { Turns } from "#shared/operation/run-in-turn.ts";
import type { GatewayEnv } from "../env.ts";
import { TurnQueue } from "./turn-queue.ts";

/** One Durable Object per account, named by its id, so that all isolates together keep to its turns. */
export class AccountTurns extends DurableObject<GatewayEnv> implements Turns {
  // In memory only: after a restart of the object all turns are free again.
  #queue = new TurnQueue();

  acquire(id: string): Promise<boolean> {
    return this.#queue.acquire(id);
  }

  release(id: string): Promise<void> {
    return this.#queue.release(id);
  }
}
