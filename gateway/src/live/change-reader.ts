import type { Principal } from "#shared/caller/principal.ts";
import type { LiveEntry } from "#shared/contract/live.ts";
import { guardOf } from "../credential/guard/guard-stub.ts";
import type { GatewayEnv } from "../env.ts";
import type { ChangeSource } from "./change-source.ts";
import type { LiveRequest } from "./client-message.ts";
import { LastValuesSource } from "./last-values-source.ts";
import { ReadingsSource } from "./readings-source.ts";
import { isQueried, type Subscription, toTrackerFilter } from "./subscription.ts";

/** Of the socket what is needed to tell it. */
type ReaderSocket = {
  /** Of its credential. */
  credentialKey(): string | undefined;
  isVisible(tracker_id: number): boolean;
  send(of: Subscription, changes: string[]): void;
  /** They are to be asked for once more. */
  retry(of: Subscription, tracker_ids: number[]): void;
  flush(): void;
};

/**
 * What news do not tell is asked for when they come: as any client would ask, by what the caller sees then. One question
 * is under way at a time; what is lost with the object is told once more.
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

  /** False while the last are still being asked for. */
  sendChanges(of: Subscription, tracker_ids: number[]): boolean {
    if (this.#isReading) return false;
    this.#isReading = true;
    this.#readAndSend(of, tracker_ids)
      .catch(() => this.#socket.retry(of, tracker_ids))
      .finally(() => {
        this.#isReading = false;
        this.#socket.flush();
      });
    return true;
  }

  /** All that a request is about, also what was told before; undefined where it comes with the news. */
  async readAll(principal: Principal, request: LiveRequest, entries: LiveEntry[]): Promise<string[] | undefined> {
    if (!isQueried(request)) return undefined;
    const of = { ...request, except: [] };
    const has = toTrackerFilter(of);
    const ids = entries.flatMap(({ tracker_id }) => (has(tracker_id) ? tracker_id : []));
    const answers = this.#sourceOf(of);
    for (const id of ids) answers.forget(of, id);
    return answers.takeChanges(principal, of, ids);
  }

  /** For whoever the caller is by then. */
  async #readAndSend(of: Subscription, tracker_ids: number[]) {
    const key = this.#socket.credentialKey();
    const principal = key && (await guardOf(this.#env, key).principal(key));
    if (!principal) return;
    const visible = tracker_ids.filter(this.#socket.isVisible);
    const changes = await this.#sourceOf(of).takeChanges(principal, of, visible);
    if (changes.length > 0) this.#socket.send(of, changes);
  }

  #sourceOf({ type }: Subscription): ChangeSource {
    return type === "iot_monitor" ? this.#messages : this.#readings;
  }
}
