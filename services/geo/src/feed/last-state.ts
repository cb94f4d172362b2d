import type { Point } from "../point/point.ts";
import { type Facts, type FeedState, observeFacts, observePoint, unknownState } from "./state.ts";

/** What the tracker was last known to do. It follows from the journal, and is stored before rows leave the journal. */
export class LastState {
  #kv: SyncKvStorage;
  #state: FeedState;

  constructor({ kv }: DurableObjectStorage) {
    this.#kv = kv;
    this.#state = kv.get<FeedState>("state") ?? unknownState();
  }

  get current(): FeedState {
    return this.#state;
  }

  observe(received: number, facts: Facts | null, points: Point[]) {
    this.#state.last_message = received;
    for (const point of points) observePoint(this.#state, point);
    if (facts) observeFacts(this.#state, facts, facts.time ?? points.at(-1)?.time ?? received);
  }

  store() {
    this.#kv.put("state", this.#state);
  }
}
