import type { Schemas } from "../../../clients/typescript/src/index.ts";

/** A state as the socket sends it; its times are those of the user's clock. */
export type LiveState = Pick<
  Schemas["TrackerState"],
  "source_id" | "gps" | "connection_status" | "movement_status" | "movement_status_update" | "last_update"
>;
type Listener = (changed: ReadonlySet<number>) => void;
type Schedule = (run: () => void) => void;

/**
 * The newest states by the ids of their sources, outside React. However many arrive, listeners hear which of them have
 * changed once per run of the schedule, which is an animation frame.
 */
export class LiveStates {
  #states = new Map<number, LiveState>();
  #changed = new Set<number>();
  #listeners = new Set<Listener>();
  #schedule: Schedule;
  /** Rises with every change that listeners have heard of. */
  version = 0;

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
  }

  get(source_id: number): LiveState | undefined {
    return this.#states.get(source_id);
  }

  apply(states: LiveState[]) {
    for (const state of states) {
      this.#states.set(state.source_id, state);
      this.#note(state.source_id);
    }
  }

  remove(source_ids: number[]) {
    for (const id of source_ids) if (this.#states.delete(id)) this.#note(id);
  }

  onChange(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #note(source_id: number) {
    if (this.#changed.size === 0) this.#schedule(() => this.#notify());
    this.#changed.add(source_id);
  }

  #notify() {
    const changed = this.#changed;
    this.#changed = new Set();
    this.version++;
    for (const listener of this.#listeners) listener(changed);
  }
}
