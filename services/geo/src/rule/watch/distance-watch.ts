import { metersBetween } from "#shared/geometry/distance.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import type { GeoEnv } from "../../env.ts";
import type { CopiedRule, TrackerPosition } from "../../object/account-rules.ts";
import { accountRulesOf } from "../../object/addresses.ts";
import { numberIn, type ZoneIndex } from "../../object/watched-rule.ts";
import { RULE_KINDS } from "../evaluation/rule-kinds.ts";
import type { SeenPoint } from "../evaluation/state.ts";
import { isRuleActive, limitingZonesAt } from "../evaluation/zone-limit.ts";
import { eventBase, zoneNamesOf } from "./history-event.ts";
import type { RuleEvents } from "./rule-events.ts";

type Tracker = { account_id: number; tracker_id: number };
type Pair = { rule_id: number; other_id: number; key: string; breached: number };

/**
 * Evaluates rules of type `distance_control` for each pair of trackers. They compare the tracker's newest point with
 * the other tracker's current position, so late points change nothing.
 */
export class DistanceWatch {
  #sql: SqlStorage;
  #env: GeoEnv;
  #events: RuleEvents;
  /** The time of the last evaluated point, and of each rule's last event. */
  #lastTime = Number.NEGATIVE_INFINITY;
  #eventTimes = new Map<number, number>();
  #mayHaveRows = true;

  constructor({ sql }: DurableObjectStorage, env: GeoEnv, events: RuleEvents) {
    this.#sql = sql;
    this.#env = env;
    this.#events = events;
    sql.exec(
      `CREATE TABLE IF NOT EXISTS distance (rule_id INTEGER NOT NULL, other_id INTEGER NOT NULL, key TEXT NOT NULL,
        breached INTEGER NOT NULL, PRIMARY KEY (rule_id, other_id))`,
    );
  }

  /** Evaluates the newest point. Throws if the positions of the other trackers cannot be read. */
  async evaluate(rules: CopiedRule[], tracker: Tracker, point: SeenPoint, zoneIndex: ZoneIndex) {
    const watching = rules.filter(({ type }) => type === "distance_control");
    if (watching.length === 0) this.#deleteAll();
    if (watching.length === 0 || point.gsm_lbs || point.time <= this.#lastTime) return;
    const ids = [...new Set(watching.flatMap(observedIds))].filter((id) => id !== tracker.tracker_id);
    const positions = await accountRulesOf(this.#env, tracker.account_id).positionsOf(ids);

    // No await from here on: events and states are stored in one write.
    this.#lastTime = point.time;
    const near = new Map(positions.filter((one) => isAtSameTime(one, point)).map((one) => [one.tracker_id, one]));
    const pairs = this.#loadPairs(new Set(watching.map(({ id }) => id)));
    for (const rule of watching) {
      for (const other_id of observedIds(rule)) {
        const position = near.get(other_id);
        if (position)
          this.#evaluatePair(rule, position, {
            tracker,
            point,
            zoneIndex,
            before: pairs.get(`${rule.id} ${other_id}`),
          });
      }
    }
  }

  #evaluatePair(
    rule: CopiedRule,
    other: TrackerPosition,
    at: { tracker: Tracker; point: SeenPoint; zoneIndex: ZoneIndex; before: Pair | undefined },
  ) {
    const { tracker, point, zoneIndex, before } = at;
    const meters = metersBetween(point, other);
    const limit = numberIn(rule, "control_distance_meters") ?? 0;
    const breached = rule.extended.control_type === "approaching" ? meters <= limit : meters > limit;
    const isNew = before?.key !== rule.key;
    if (!isNew && (before?.breached === 1) === breached) return;
    this.#sql.exec(
      "INSERT OR REPLACE INTO distance (rule_id, other_id, key, breached) VALUES (?, ?, ?, ?)",
      ...[rule.id, other.tracker_id, rule.key, breached ? 1 : 0],
    );
    // No event for the first state of a pair, nor where the rule does not apply.
    if (isNew || !isRuleActive(rule, point, zoneIndex)) return;
    const lastEvent = this.#eventTimes.get(rule.id);
    const { resetMs, primary, secondary = primary } = RULE_KINDS.distance_control;
    if (lastEvent !== undefined && lastEvent !== point.time && point.time - lastEvent < resetMs) return;
    this.#eventTimes.set(rule.id, point.time);
    const { time, lat, lng, precision } = point;
    const zones = limitingZonesAt(rule, point, zoneIndex);
    const text = breached ? rule.primary_text : rule.secondary_text;
    this.#events.add(rule.id, {
      ...eventBase(rule, tracker, breached ? primary : secondary, text, { zones }),
      time,
      location: { lat, lng, ...(precision !== null && { precision }) },
      extra: {
        emergency: rule.alerts.emergency,
        last_known_location: false,
        proximity_object_id: other.tracker_id,
        ...zoneNamesOf(zones),
      },
    });
  }

  #deleteAll() {
    if (this.#mayHaveRows) this.#sql.exec("DELETE FROM distance");
    this.#mayHaveRows = false;
  }

  /** The stored pairs; those of deleted rules are deleted. */
  #loadPairs(rules: Set<number>) {
    const rows = this.#sql.exec<Pair>("SELECT rule_id, other_id, key, breached FROM distance").toArray();
    const deletedRules = new Set(rows.flatMap(({ rule_id }) => (rules.has(rule_id) ? [] : [rule_id])));
    for (const rule_id of deletedRules) this.#sql.exec("DELETE FROM distance WHERE rule_id = ?", rule_id);
    this.#mayHaveRows = true;
    return new Map(rows.map((row) => [`${row.rule_id} ${row.other_id}`, row]));
  }
}

function observedIds({ extended: { observed_trackers } }: CopiedRule): number[] {
  return Array.isArray(observed_trackers) ? observed_trackers : [];
}

/** A distance is meaningful only for positions of about the same time. */
function isAtSameTime(other: TrackerPosition, point: SeenPoint) {
  return Math.abs(other.time - point.time) <= MAX_TIME_DIFFERENCE_MS;
}

const MAX_TIME_DIFFERENCE_MS = 10 * MINUTE_MS;
