import { DurableObject } from "cloudflare:workers";
import { openDatabase } from "#shared/database/open.ts";
import { systemNow } from "#shared/time/clock.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import type { GatewayEnv } from "../env.ts";
import type { AccountStream } from "./account-stream.ts";
import { selectLastSequence, selectListeners } from "./queries.ts";

/** One Durable Object per account, named by its id: calls that wait for events share its queries. */
export class AccountEvents extends DurableObject<GatewayEnv> implements AccountStream {
  // In memory only: after a restart of the object its callers fail, and read again.
  #wakeUps = new Set<() => void>();
  #last = 0;
  #check: Promise<void> | undefined;
  #listeners: Promise<number[]> | undefined;
  #listenersRead = 0;

  async announce(): Promise<void> {
    // The announced sequence is unknown: waiting calls read it themselves.
    for (const wakeUp of [...this.#wakeUps]) wakeUp();
    const listeners = await this.#currentListeners();
    // A sweep wakes those that cannot be reached now.
    await Promise.allSettled(listeners.map((id) => this.env.WEBHOOK_SENDERS.getByName(String(id)).wake()));
  }

  async refreshListeners(): Promise<void> {
    this.#listeners = undefined;
  }

  /** The account's enabled webhooks, read once a minute at most. */
  async #currentListeners(): Promise<number[]> {
    const now = systemNow();
    if (!this.#listeners || now - this.#listenersRead > LISTENERS_AGE_MS) {
      this.#listenersRead = now;
      this.#listeners = selectListeners(openDatabase(this.env), Number(this.ctx.id.name));
      this.#listeners.catch(() => {
        this.#listeners = undefined;
      });
    }
    return this.#listeners.catch(() => []);
  }

  async waitForEvents(after: number, seconds: number): Promise<void> {
    if (this.#wakeUps.size >= MAX_WAITING_CALLS) return;
    const deadline = systemNow() + seconds * 1000;
    const { promise: announced, resolve: wakeUp } = Promise.withResolvers<void>();
    let isAwake = false;
    const end = announced.then(() => {
      isAwake = true;
    });
    const timer = setTimeout(wakeUp, deadline - systemNow());
    this.#wakeUps.add(wakeUp);
    try {
      while (!isAwake && this.#last <= after) await Promise.race([end, this.#checkLater()]);
    } finally {
      this.#wakeUps.delete(wakeUp);
      clearTimeout(timer);
    }
  }

  /** Reads the last sequence after `CHECK_INTERVAL_MS`, once for all waiting calls. */
  #checkLater(): Promise<void> {
    this.#check ??= this.#readLast().finally(() => {
      this.#check = undefined;
    });
    return this.#check;
  }

  async #readLast() {
    await new Promise((resolve) => setTimeout(resolve, CHECK_INTERVAL_MS));
    if (this.#wakeUps.size === 0) return;
    // A database that is away is asked again a second later.
    this.#last = await selectLastSequence(openDatabase(this.env), Number(this.ctx.id.name)).catch(() => this.#last);
  }
}

const CHECK_INTERVAL_MS = 1000;
const LISTENERS_AGE_MS = MINUTE_MS;
/** Further calls do not wait: they answer at once. */
const MAX_WAITING_CALLS = 200;
