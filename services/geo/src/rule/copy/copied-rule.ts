import type { TrackerGauge } from "#shared/telemetry/sensor.ts";
import type { CopiedRule } from "../../object/account-rules.ts";
import type { RuleRow } from "../../table/rule/rule.ts";
import { hashOf } from "./hash.ts";

type Gauges = Record<number, TrackerGauge>;
type CopyContext = { time_zone: string; shapes: string; gauges: Gauges };

/** The rule as a tracker's feed evaluates it. */
export function toCopiedRule(row: RuleRow, tracker_id: number, { time_zone, shapes, gauges }: CopyContext): CopiedRule {
  const { id, type, param, schedule, primary_text, secondary_text, private_to } = row;
  const { extended, gauge } = resolveForTracker(row, tracker_id, gauges);
  const { push_enabled, emails, emergency } = row.alerts;
  const key = hashOf(JSON.stringify([type, param, extended, schedule, shapes, gauge]));
  const watched = { id, type, param, extended, isZoned: shapes !== "", schedule, time_zone, gauge, key };
  const alerts = { push_enabled, emails, emergency: emergency || row.extended_params.emergency === true };
  return { ...watched, primary_text, secondary_text, alerts, private_to };
}

type SensorRule = Pick<RuleRow, "type" | "extended_params">;

/**
 * The rule's parameters for this tracker, and the sensor that it watches there. Sensors of other trackers are ignored.
 */
export function resolveForTracker(row: SensorRule, tracker_id: number, gauges: Gauges) {
  const gaugeOfTracker = (id: unknown) => {
    const trackerGauge = typeof id === "number" ? gauges[id] : undefined;
    return trackerGauge?.tracker_id === tracker_id ? trackerGauge.gauge : null;
  };
  const member = SENSOR_MEMBERS[row.type] ?? "";
  const params = trackerParamsOf(row, tracker_id).find(
    (one) => one.tracker_id === tracker_id || gaugeOfTracker(one[member]),
  );
  const extended: Record<string, unknown> = { ...row.extended_params, ...params };
  return { extended, gauge: gaugeOfTracker(extended[member]) };
}

/** Ids of sensors that the rule may watch on the tracker. */
export function sensorIdsOf(row: SensorRule, tracker_id: number): number[] {
  const member = SENSOR_MEMBERS[row.type];
  if (!member) return [];
  const ids = [row.extended_params, ...trackerParamsOf(row, tracker_id)].map((one) => one[member]);
  return ids.filter((id) => typeof id === "number");
}

/** The member that names the sensor, for types that watch one. */
const SENSOR_MEMBERS: Partial<Record<RuleRow["type"], string>> = {
  sensor_range: "sensor_id",
  fuel_level_leap: "sensor_id",
  state_field_control: "virtual_sensor_id",
};

/** Parameters for this tracker, and those without a tracker: they belong to whichever tracker has their sensor. */
function trackerParamsOf(
  { extended_params: { tracker_params } }: SensorRule,
  tracker_id: number,
): Record<string, unknown>[] {
  if (!Array.isArray(tracker_params)) return [];
  return tracker_params.filter((one) => one.tracker_id === tracker_id || (one.tracker_id ?? null) === null);
}
