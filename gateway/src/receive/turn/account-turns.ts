import { DurableObject, RpcTarget } from "cloudflare:workers";
import type { Turns } from "#shared/operation/run-in-turn.ts";
import type { GatewayEnv } from "../../env.ts";
import { TurnQueue } from "./turn-queue.ts";

/** One Durable Object per account, named by its id, so that all isolates together keep to its turns. */
export class AccountTurns extends DurableObject<GatewayEnv> implements Turns {
  // In memory only: after a restart of the object all turns are free again.
  #queue = new TurnQueue();

  async acquire(): Promise<HeldTurn | null> {
    const id = crypto.randomUUID();
    return (await this.#queue.acquire(id)) ? new HeldTurn(() => this.#queue.release(id)) : null;
  }
}

/** A turn that a call holds. The runtime disposes of it when the call ends or is cancelled. */
class HeldTurn extends RpcTarget implements Disposable {
  readonly #release: () => void;

  constructor(release: () => void) {
    super();
    this.#release = release;
  }

  [Symbol.dispose]() {
    this.#release();
  }
}
