import { MINUTE_MS } from "#shared/time/duration.ts";
import type { Identity } from "../../point/point.ts";
import { type EvaluationState, initialState } from "../evaluation/state.ts";

/** How far rules were followed: after the last point, and after some before it, from which late points are followed. */
export class RuleStates {
  #sql: SqlStorage;

  constructor({ sql }: DurableObjectStorage) {
    this.#sql = sql;
    sql.exec("CREATE TABLE IF NOT EXISTS rule_state (time INTEGER PRIMARY KEY, state TEXT NOT NULL)");
  }

  /** The last one before the time; where there is none, one that knows nothing but the point before. */
  stateBefore(time: number, previous: Identity | null): EvaluationState {
    const [row] = this.#sql
      .exec<{ state: string }>(
        "SELECT state FROM rule_state WHERE time < ? ORDER BY time DESC LIMIT 1",
        Math.min(Math.ceil(time), Number.MAX_SAFE_INTEGER),
      )
      .toArray();
    // Written by `replace`.
    if (row) return JSON.parse(row.state);
    const last = previous && { ...previous, precision: null, gsm_lbs: false, speed: 0 };
    const lastMovedAt = previous && { lat: previous.lat, lng: previous.lng };
    return { ...initialState(), last, lastMovedAt };
  }

  /** Those behind the time are these now; in between too many are left out. */
  replace(after: number, states: [time: number, state: string][], now: number, oldest: number) {
    this.#sql.exec("DELETE FROM rule_state WHERE time > ?", Math.max(after, Number.MIN_SAFE_INTEGER));
    for (const [time, state] of states) this.#sql.exec("INSERT INTO rule_state VALUES (?, ?)", time, state);
    // Of those of the last minutes the last alone is of use: the next points follow it.
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

/** States lie so far apart that a late point costs little, and the states little room. */
export const STATE_INTERVAL_MS = 30 * MINUTE_MS;
