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

  /** `points` are those that the clock has reached. */
  observe(received: number, facts: Facts | null, points: Point[]) {
    this.#state.last_message = received;
    this.observePoints(points);
    const told = facts?.time ?? points.at(-1)?.time ?? received;
    // By a clock that is ahead it would stand against all that comes until then.
    if (facts) observeFacts(this.#state, facts, Math.min(told, received));
  }

  observePoints(points: Point[]) {
    for (const point of points) observePoint(this.#state, point);
  }

  store() {
    this.#kv.put("state", this.#state);
  }
}
