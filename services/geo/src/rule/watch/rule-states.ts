import { MINUTE_MS } from "#shared/time/duration.ts";
import type { Identity } from "../../point/point.ts";
import { type EvaluationState, initialState } from "../evaluation/state.ts";

/** Evaluation states after the last point and after some earlier ones, from which late points are evaluated. */
export class RuleStates {
  #sql: SqlStorage;

  constructor({ sql }: DurableObjectStorage) {
    this.#sql = sql;
    sql.exec("CREATE TABLE IF NOT EXISTS rule_state (time INTEGER PRIMARY KEY, state TEXT NOT NULL)");
  }

  /** The last state before `time`; without one, a state that knows only the previous point. */
  stateBefore(time: number, previous: Identity | null): EvaluationState {
    const [row] = this.#sql
      .exec<{ state: string }>(
        "SELECT state FROM rule_state WHERE time < ? ORDER BY time DESC LIMIT 1",
        Math.min(Math.ceil(time), Number.MAX_SAFE_INTEGER),
      )
      .toArray();
    // The value was written by `replace`.
    if (row) return JSON.parse(row.state);
    const last = previous && { ...previous, precision: null, gsm_lbs: false, speed: 0 };
    const lastMovedAt = previous && { lat: previous.lat, lng: previous.lng };
    return { ...initialState(), last, lastMovedAt };
  }

  /** Replaces the states after `after`, and thins out older ones. */
  replace(after: number, states: [time: number, state: string][], now: number, oldest: number) {
    this.#sql.exec("DELETE FROM rule_state WHERE time > ?", Math.max(after, Number.MIN_SAFE_INTEGER));
    for (const [time, state] of states) this.#sql.exec("INSERT INTO rule_state VALUES (?, ?)", time, state);
    // Within an interval only the last state is kept: new points continue from it.
    this.#sql.exec(
      `DELETE FROM rule_state WHERE time < (SELECT max(time) FROM rule_state) AND CAST(time / ? AS INTEGER) = (
        SELECT CAST(later.time / ? AS INTEGER) FROM rule_state AS later WHERE later.time > rule_state.time ORDER BY later.time LIMIT 1)`,
      ...[STATE_INTERVAL_MS, STATE_INTERVAL_MS],
    );
    this.#sql.exec(
      "DELETE FROM rule_state WHERE time < ? AND time < (SELECT max(time) FROM rule_state)",
      Math.min(now, oldest),
    );
  }

  clear() {
    this.#sql.exec("DELETE FROM rule_state");
  }
}

/** The interval between states: a late point re-evaluates at most this much, and states need little storage. */
export const STATE_INTERVAL_MS = 30 * MINUTE_MS;
