import type { Gauge } from "#shared/telemetry/sensor.ts";
import type { RuleRow } from "../table/rule.ts";
import { hashOf } from "./hash.ts";
import type { CopiedRule } from "./rule-book.ts";

type Surrounded = { time_zone: string; shapes: string; gauges: Record<number, Gauge> };

/** A rule as the tracker's feed follows it. */
export function copiedRule(row: RuleRow, tracker_id: number, { time_zone, shapes, gauges }: Surrounded): CopiedRule {
  const { id, type, param, schedule, primary_text, secondary_text, private_to } = row;
  const extended = { ...row.extended_params, ...ofTracker(row, tracker_id) };
  const { push_enabled, emails, emergency } = row.alerts;
  const [sensor_id] = sensorsOf(row, tracker_id);
  const gauge = sensor_id === undefined ? null : (gauges[sensor_id] ?? null);
  const key = hashOf(JSON.stringify([type, param, extended, schedule, shapes, gauge]));
  const watched = { id, type, param, extended, isZoned: shapes !== "", schedule, time_zone, gauge, key };
  const alerts = { push_enabled, emails, emergency: emergency || row.extended_params.emergency === true };
  return { ...watched, primary_text, secondary_text, alerts, private_to };
}

type Measuring = Pick<RuleRow, "type" | "extended_params">;

/** The sensor that the rule watches on the tracker, if any. */
export function sensorsOf(row: Measuring, tracker_id: number): number[] {
  const name = SENSORS[row.type];
  if (!name) return [];
  const id: unknown = { ...row.extended_params, ...ofTracker(row, tracker_id) }[name];
  return typeof id === "number" ? [id] : [];
}

/** Which member names the sensor, of the types that watch one. */
const SENSORS: Partial<Record<RuleRow["type"], string>> = {
  sensor_range: "sensor_id",
  fuel_level_leap: "sensor_id",
  state_field_control: "virtual_sensor_id",
};

/** What the rule says of this tracker alone. */
export function ofTracker(
  { extended_params: { tracker_params } }: Pick<RuleRow, "extended_params">,
  tracker_id: number,
): Record<string, unknown> {
  if (!Array.isArray(tracker_params)) return {};
  const own: unknown = tracker_params.find((one) => one?.tracker_id === tracker_id);
  return typeof own === "object" && own !== null ? { ...own } : {};
}
