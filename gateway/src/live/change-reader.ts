import type { Principal } from "#shared/caller/principal.ts";
import type { LiveEntry } from "#shared/contract/live.ts";
import { guardOf } from "../credential/guard/guard-stub.ts";
import type { GatewayEnv } from "../env.ts";
import type { ChangeSource } from "./change-source.ts";
import type { LiveRequest } from "./client-message.ts";
import { LastValuesSource } from "./last-values-source.ts";
import { ReadingsSource } from "./readings-source.ts";
import { isQueried, type Subscription, toTrackerFilter } from "./subscription.ts";

/** The parts of a socket that the reader uses. */
type ReaderSocket = {
  /** The keyed hash of the socket's credential; undefined before the first subscription. */
  credentialKey(): string | undefined;
  isVisible(tracker_id: number): boolean;
  send(subscription: Subscription, changes: string[]): void;
  /** Puts the trackers back into the subscription's buffer, after a failure. */
  retry(subscription: Subscription, tracker_ids: number[]): void;
  flush(): void;
};

/**
 * Reads the data of subscriptions that live updates do not contain, with the caller's present rights. One query runs at a
 * time. An evicted socket forgets what was sent, so clients may get it twice.
 */
export class ChangeReader {
  #env: GatewayEnv;
  #socket: ReaderSocket;
  #isReading = false;
  #readings: ChangeSource;
  #messages: ChangeSource;

  constructor(env: GatewayEnv, socket: ReaderSocket) {
    this.#env = env;
    this.#socket = socket;
    this.#readings = new ReadingsSource(env);
    this.#messages = new LastValuesSource(env);
  }

  /** Reads and sends what changed of these trackers; false while an earlier query runs. */
  sendChanges(subscription: Subscription, tracker_ids: number[]): boolean {
    if (this.#isReading) return false;
    this.#isReading = true;
    this.#readAndSend(subscription, tracker_ids)
      .catch(() => this.#socket.retry(subscription, tracker_ids))
      .finally(() => {
        this.#isReading = false;
        this.#socket.flush();
      });
    return true;
  }

  /** All data of a new request, including what was sent before; undefined if live updates contain it. */
  async readAll(principal: Principal, request: LiveRequest, entries: LiveEntry[]): Promise<string[] | undefined> {
    if (!isQueried(request)) return undefined;
    const subscription = { ...request, except: [] };
    const has = toTrackerFilter(subscription);
    const ids = entries.flatMap(({ tracker_id }) => (has(tracker_id) ? tracker_id : []));
    const source = this.#sourceOf(subscription);
    for (const id of ids) source.forget(subscription, id);
    return source.takeChanges(principal, subscription, ids);
  }

  /** Loads the principal anew, because its rights may have changed since the subscription. */
  async #readAndSend(subscription: Subscription, tracker_ids: number[]) {
    const key = this.#socket.credentialKey();
    const principal = key && (await guardOf(this.#env, key).principal(key));
    if (!principal) return;
    const visible = tracker_ids.filter(this.#socket.isVisible);
    const changes = await this.#sourceOf(subscription).takeChanges(principal, subscription, visible);
    if (changes.length > 0) this.#socket.send(subscription, changes);
  }

  #sourceOf({ type }: Subscription): ChangeSource {
    return type === "iot_monitor" ? this.#messages : this.#readings;
  }
}
