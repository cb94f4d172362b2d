import type { Principal } from "#shared/caller/principal.ts";
import type { LiveEntry } from "#shared/contract/live.ts";
import { guardOf } from "../credential/guard/of-credential.ts";
import type { GatewayEnv } from "../env.ts";
import type { Answers } from "./answers.ts";
import { SocketMessages } from "./last-values.ts";
import type { LiveRequest } from "./message.ts";
import { SocketReadings } from "./readings.ts";
import { isAskedFor, membership, type Subscription } from "./subscription.ts";

/** Of the socket what is needed to tell it. */
type InquiringSocket = {
  /** Of its credential. */
  key(): string | undefined;
  isVisible(tracker_id: number): boolean;
  send(of: Subscription, changes: string[]): void;
  /** They are to be asked for once more. */
  again(of: Subscription, tracker_ids: number[]): void;
  flush(): void;
};

/**
 * What news do not tell is asked for when they come: as any client would ask, by what the caller sees then. One question
 * is under way at a time; what is lost with the object is told once more.
 */
export class Inquiry {
  #env: GatewayEnv;
  #socket: InquiringSocket;
  #isAsking = false;
  #readings: Answers;
  #messages: Answers;

  constructor(env: GatewayEnv, socket: InquiringSocket) {
    this.#env = env;
    this.#socket = socket;
    this.#readings = new SocketReadings(env);
    this.#messages = new SocketMessages(env);
  }

  /** False while the last are still being asked for. */
  tell(of: Subscription, tracker_ids: number[]): boolean {
    if (this.#isAsking) return false;
    this.#isAsking = true;
    this.#send(of, tracker_ids)
      .catch(() => this.#socket.again(of, tracker_ids))
      .finally(() => {
        this.#isAsking = false;
        this.#socket.flush();
      });
    return true;
  }

  /** All that a request is about, also what was told before; undefined where it comes with the news. */
  async first(principal: Principal, request: LiveRequest, entries: LiveEntry[]): Promise<string[] | undefined> {
    if (!isAskedFor(request)) return undefined;
    const of = { ...request, except: [] };
    const has = membership(of);
    const ids = entries.flatMap(({ tracker_id }) => (has(tracker_id) ? tracker_id : []));
    const answers = this.#answersOf(of);
    for (const id of ids) answers.forget(of, id);
    return answers.changes(principal, of, ids);
  }

  /** For whoever the caller is by then. */
  async #send(of: Subscription, tracker_ids: number[]) {
    const key = this.#socket.key();
    const principal = key && (await guardOf(this.#env, key).principal(key));
    if (!principal) return;
    const visible = tracker_ids.filter(this.#socket.isVisible);
    const changes = await this.#answersOf(of).changes(principal, of, visible);
    if (changes.length > 0) this.#socket.send(of, changes);
  }

  #answersOf({ type }: Subscription): Answers {
    return type === "iot_monitor" ? this.#messages : this.#readings;
  }
}
