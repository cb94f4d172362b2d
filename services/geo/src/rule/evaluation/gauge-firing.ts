import { type Gauge, gaugeValue } from "#shared/telemetry/sensor.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import { numberIn, type WatchedRule } from "../../object/watched-rule.ts";
import { KINDS } from "./kinds.ts";
import type { Firing, Moment } from "./moment.ts";
import type { RuleState } from "./state.ts";

/** What rules find that watch a sensor. A point that tells nothing of it changes nothing. */
export function gaugeFirings(rule: WatchedRule, known: RuleState, moment: Moment): Firing[] {
  const { gauge } = rule;
  const value = gauge && gaugeValue(gauge, (name) => moment.point.attributes?.[name]);
  if (value === null || value === undefined || !gauge) return [];
  const fired =
    rule.type === "sensor_range" ? rangeSide(rule, known, value) : leapSide(gauge, known, moment.point.time, value);
  if (!fired) return [];
  const { primary, secondary = primary } = KINDS[rule.type];
  const { time, lat, lng, precision } = moment.point;
  const event = fired === "primary" ? primary : secondary;
  return [
    { event, text: fired, time, lat, lng, precision, zones: [], value: String(value), sensor_id: gauge.sensor.id },
  ];
}

/** Out needs a value beyond the range by the threshold, in again one within it by the threshold. */
function rangeSide(rule: WatchedRule, known: RuleState, value: number): Firing["text"] | null {
  const threshold = numberIn(rule, "threshold") ?? 0.03;
  const min = numberIn(rule, "min") ?? Number.NEGATIVE_INFINITY;
  const max = numberIn(rule, "max") ?? Number.POSITIVE_INFINITY;
  const isFirst = known.value === null;
  known.value = value;
  if (!known.holds && (value > max + threshold || value < min - threshold)) {
    known.holds = true;
    return isFirst ? null : "primary";
  }
  if (known.holds && value >= min + threshold && value <= max - threshold) {
    known.holds = false;
    return "secondary";
  }
  return null;
}

/** A change by more than the sensor's accuracy within ten minutes. What was told begins anew. */
function leapSide(gauge: Gauge, known: RuleState, time: number, value: number): Firing["text"] | null {
  const accuracy = gauge.sensor.type === "metering" ? gauge.sensor.accuracy : 0;
  const recent = known.recent.filter(([then]) => time - then <= LEAP_MS).slice(1 - MOST_RECENT);
  const [lowest, highest] = [Math.min(...recent.map(([, one]) => one)), Math.max(...recent.map(([, one]) => one))];
  known.recent = [...recent, [time, value]];
  const [rise, fall] = [value - lowest, highest - value];
  if (recent.length === 0 || Math.max(rise, fall) <= accuracy) return null;
  known.recent = [[time, value]];
  return rise >= fall ? "primary" : "secondary";
}

const LEAP_MS = 10 * MINUTE_MS;
const MOST_RECENT = 60;
