import { metersBetween } from "#shared/geometry/distance.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import type { GeoEnv } from "../../env.ts";
import type { CopiedRule, TrackerPosition } from "../../object/account-rules.ts";
import { accountRulesOf } from "../../object/addresses.ts";
import { numberIn, type Surroundings } from "../../object/watched-rule.ts";
import { KINDS } from "../evaluation/kinds.ts";
import { acts, limitsAround } from "../evaluation/limit.ts";
import type { SeenPoint } from "../evaluation/state.ts";
import { namesOf, notice } from "./event-of-finding.ts";
import type { RuleEvents } from "./rule-events.ts";

type Tracker = { account_id: number; tracker_id: number };
type Pair = { rule_id: number; other_id: number; key: string; breached: number };

/**
 * Rules of type `distance_control`: each pair of trackers on its own. They go by where the others are known to be when the
 * tracker's newest point is followed, so that late points of neither change what was told.
 */
export class Distances {
  #sql: SqlStorage;
  #env: GeoEnv;
  #events: RuleEvents;
  /** The point that was judged last, and when each rule told something. */
  #judged = Number.NEGATIVE_INFINITY;
  #told = new Map<number, number>();
  #mayHold = true;

  constructor({ sql }: DurableObjectStorage, env: GeoEnv, events: RuleEvents) {
    this.#sql = sql;
    this.#env = env;
    this.#events = events;
    sql.exec(
      `CREATE TABLE IF NOT EXISTS distance (rule_id INTEGER NOT NULL, other_id INTEGER NOT NULL, key TEXT NOT NULL,
        breached INTEGER NOT NULL, PRIMARY KEY (rule_id, other_id))`,
    );
  }

  /** `point` is the newest one. It throws where nobody tells where the others are. */
  async follow(rules: CopiedRule[], tracker: Tracker, point: SeenPoint, surroundings: Surroundings) {
    const watching = rules.filter(({ type }) => type === "distance_control");
    if (watching.length === 0) this.#forget();
    if (watching.length === 0 || point.gsm_lbs || point.time <= this.#judged) return;
    const ids = [...new Set(watching.flatMap(observedBy))].filter((id) => id !== tracker.tracker_id);
    const places = await accountRulesOf(this.#env, tracker.account_id).positionsOf(ids);

    // From here on nothing waits: what is told and how things are is stored in one go.
    this.#judged = point.time;
    const near = new Map(places.filter((one) => isOfThatTime(one, point)).map((one) => [one.tracker_id, one]));
    const known = this.#known(new Set(watching.map(({ id }) => id)));
    for (const rule of watching) {
      for (const other_id of observedBy(rule)) {
        const place = near.get(other_id);
        if (place)
          this.#judge(rule, place, { tracker, point, surroundings, before: known.get(`${rule.id} ${other_id}`) });
      }
    }
  }

  #judge(
    rule: CopiedRule,
    other: TrackerPosition,
    at: { tracker: Tracker; point: SeenPoint; surroundings: Surroundings; before: Pair | undefined },
  ) {
    const { tracker, point, surroundings, before } = at;
    const meters = metersBetween(point.lat, point.lng, other.lat, other.lng);
    const limit = numberIn(rule, "control_distance_meters") ?? 0;
    const breached = rule.extended.control_type === "approaching" ? meters <= limit : meters > limit;
    const isNew = before?.key !== rule.key;
    if (!isNew && (before?.breached === 1) === breached) return;
    this.#sql.exec(
      "INSERT OR REPLACE INTO distance (rule_id, other_id, key, breached) VALUES (?, ?, ?, ?)",
      ...[rule.id, other.tracker_id, rule.key, breached ? 1 : 0],
    );
    // What is so already it does not tell.
    if (isNew || !acts(rule, point, surroundings)) return;
    const told = this.#told.get(rule.id);
    const { resetMs, primary, secondary = primary } = KINDS.distance_control;
    if (told !== undefined && told !== point.time && point.time - told < resetMs) return;
    this.#told.set(rule.id, point.time);
    const { time, lat, lng, precision } = point;
    const zones = limitsAround(rule, point, surroundings);
    const words = breached ? rule.primary_text : rule.secondary_text;
    this.#events.add(rule.id, {
      ...notice(rule, tracker, breached ? primary : secondary, words, { zones }),
      time,
      location: { lat, lng, ...(precision !== null && { precision }) },
      extra: {
        emergency: rule.alerts.emergency,
        last_known_location: false,
        proximity_object_id: other.tracker_id,
        ...namesOf(zones),
      },
    });
  }

  #forget() {
    if (this.#mayHold) this.#sql.exec("DELETE FROM distance");
    this.#mayHold = false;
  }

  /** Without those of rules that are no more. */
  #known(rules: Set<number>) {
    const rows = this.#sql.exec<Pair>("SELECT rule_id, other_id, key, breached FROM distance").toArray();
    const gone = new Set(rows.flatMap(({ rule_id }) => (rules.has(rule_id) ? [] : [rule_id])));
    for (const rule_id of gone) this.#sql.exec("DELETE FROM distance WHERE rule_id = ?", rule_id);
    this.#mayHold = true;
    return new Map(rows.map((row) => [`${row.rule_id} ${row.other_id}`, row]));
  }
}

function observedBy({ extended: { observed_trackers } }: CopiedRule): number[] {
  return Array.isArray(observed_trackers) ? observed_trackers : [];
}

/** How far apart two are is known where both were placed at about the same time. */
function isOfThatTime(other: TrackerPosition, point: SeenPoint) {
  return Math.abs(other.time - point.time) <= APART_MS;
}

const APART_MS = 10 * MINUTE_MS;
