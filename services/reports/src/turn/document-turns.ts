import { DurableObject } from "cloudflare:workers";
import { systemNow } from "#shared/time/clock.ts";
import type { ReportsEnv } from "../env.ts";
import { nextTurn, type Turn, type Turns } from "./turn.ts";

/** One object per account: no two Workers make documents for it at once. */
export class DocumentTurns extends DurableObject<ReportsEnv> implements Turns {
  // In memory on purpose: where this object is lost, nobody waits for what it knew.
  #held: Turn | undefined;

  async begin(): Promise<Turn | null> {
    // By the runtime's clock: the one of the calls may be moved for tests.
    const turn = nextTurn(this.#held, crypto.randomUUID(), systemNow());
    if (!turn) return null;
    this.#held = turn;
    return turn;
  }

  async end({ id }: Turn): Promise<void> {
    if (this.#held?.id === id) this.#held = undefined;
  }
}
