import type { LastValues } from "#shared/contract/point/last-values.ts";
import { type FeedState, observeFacts, observePoints, unknownState } from "../object/feed-state.ts";
import type { Facts } from "../point/facts.ts";
import type { Point } from "../point/point.ts";
import { LastMessages } from "./last-messages.ts";

/** The last known state of the tracker. It is derived from the journal, and stored before rows are deleted there. */
export class LastState {
  #kv: SyncKvStorage;
  #state: FeedState;
  #messages: LastMessages;

  constructor(storage: DurableObjectStorage) {
    this.#kv = storage.kv;
    this.#state = storage.kv.get<FeedState>("state") ?? unknownState();
    this.#messages = new LastMessages(storage);
  }

  get current(): FeedState {
    return this.#state;
  }

  values(): LastValues {
    return this.#messages.current();
  }

  /** Notes that a message arrived, also one without new points. */
  observeMessage(received: number, facts: Facts | null) {
    this.#state.last_message = received;
    // Bounded by the server's time: a value from the future would hide all newer ones until then.
    if (facts) this.#observeFacts({ ...facts, time: Math.min(facts.time, received) }, received);
  }

  /** `points` must not be ahead of the clock. */
  observePoints(received: number, points: Point[]) {
    observePoints(this.#state, points);
    this.#messages.addPoints(points, received);
  }

  store() {
    this.#kv.put("state", this.#state);
    this.#messages.store();
  }

  #observeFacts(facts: Facts, received: number) {
    observeFacts(this.#state, facts);
    const { time, battery_level, additional } = facts;
    this.#messages.add(time, received, { ...additional, ...(battery_level === undefined ? {} : { battery_level }) });
  }
}
