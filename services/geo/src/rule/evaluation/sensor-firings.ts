import { type Gauge, gaugeValue } from "#shared/telemetry/sensor.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import { numberIn, type WatchedRule } from "../../object/watched-rule.ts";
import type { Firing, PointContext } from "./point-context.ts";
import { RULE_KINDS } from "./rule-kinds.ts";
import type { RuleState } from "./state.ts";

/** Firings of rules on a sensor. A point without a value of the sensor changes nothing. */
export function findGaugeFirings(rule: WatchedRule, ruleState: RuleState, pointContext: PointContext): Firing[] {
  const { gauge } = rule;
  const value = gauge && gaugeValue(gauge, (name) => pointContext.point.attributes?.[name]);
  if (value === null || value === undefined || !gauge) return [];
  const text =
    rule.type === "sensor_range"
      ? rangeTextOf(rule, ruleState, value)
      : leapTextOf(gauge, ruleState, pointContext.point.time, value);
  if (!text) return [];
  const { primary, secondary = primary } = RULE_KINDS[rule.type];
  const { time, lat, lng, precision } = pointContext.point;
  const event = text === "primary" ? primary : secondary;
  return [
    { event, text: text, time, lat, lng, precision, zones: [], value: String(value), sensor_id: gauge.sensor.id },
  ];
}

/** Leaving the range takes a value outside by the threshold, returning one inside by the threshold. */
function rangeTextOf(rule: WatchedRule, ruleState: RuleState, value: number): Firing["text"] | null {
  const threshold = numberIn(rule, "threshold") ?? 0.03;
  const min = numberIn(rule, "min") ?? Number.NEGATIVE_INFINITY;
  const max = numberIn(rule, "max") ?? Number.POSITIVE_INFINITY;
  const isFirst = ruleState.lastValue === null;
  ruleState.lastValue = value;
  if (!ruleState.isConditionMet && (value > max + threshold || value < min - threshold)) {
    ruleState.isConditionMet = true;
    return isFirst ? null : "primary";
  }
  if (ruleState.isConditionMet && value >= min + threshold && value <= max - threshold) {
    ruleState.isConditionMet = false;
    return "secondary";
  }
  return null;
}

/**
 * A leap is a change by more than the sensor's accuracy within ten minutes. After an event the comparison starts anew.
 */
function leapTextOf(gauge: Gauge, ruleState: RuleState, time: number, value: number): Firing["text"] | null {
  const accuracy = gauge.sensor.type === "metering" ? gauge.sensor.accuracy : 0;
  const recent = ruleState.recentValues.filter(([then]) => time - then <= MAX_LEAP_MS).slice(1 - MAX_RECENT_VALUES);
  const [lowest, highest] = [Math.min(...recent.map(([, one]) => one)), Math.max(...recent.map(([, one]) => one))];
  ruleState.recentValues = [...recent, [time, value]];
  const [rise, fall] = [value - lowest, highest - value];
  if (recent.length === 0 || Math.max(rise, fall) <= accuracy) return null;
  ruleState.recentValues = [[time, value]];
  return rise >= fall ? "primary" : "secondary";
}

const MAX_LEAP_MS = 10 * MINUTE_MS;
const MAX_RECENT_VALUES = 60;
