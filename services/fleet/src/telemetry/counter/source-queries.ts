import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#shared/database/open.ts";
import { counter } from "../../table/telemetry/counter.ts";
import { counterSegment } from "../../table/telemetry/counter-segment.ts";
import { sensor } from "../../table/telemetry/sensor.ts";
import { source } from "../../table/tracker/source.ts";
import { tracker } from "../../table/tracker/tracker.ts";

/** Trackers of one account with the moments from which changed counters count anew: `rows` selects `id` and `time`. */
export type Anchors = { account_id: number; rows: SQL };

/**
 * Anchors at the times of the trackers' last points; null, for a tracker without points, means from the first point on.
 */
export function anchorsAt(account_id: number, times: Record<number, number | null>): Anchors {
  const rows = sql`(SELECT CAST(key AS INTEGER) AS id, coalesce(value, 0) AS time FROM json_each(${JSON.stringify(times)}))`;
  return { account_id, rows };
}

/** The anchor of the tracker that this batch registers with the device. */
export function anchorOfDevice(account_id: number, device_id: string): Anchors {
  const rows = sql`(SELECT ${tracker.id} AS id, 0 AS time FROM ${tracker} JOIN ${source} ON ${source.id} = ${tracker.source_id}
    WHERE ${source.device_id} = ${device_id} AND ${source.account_id} = ${account_id} AND NOT ${tracker.clone})`;
  return { account_id, rows };
}

/**
 * Last steps of a batch that changes sensors or counters: starts a new segment at the anchor for each counter whose
 * source changed, keeping what it counted before, and creates the counters that new sensors need.
 */
export function recount(db: Database, { account_id, rows }: Anchors) {
  const anchors = sql`${rows} AS anchor`;
  const ofSensors = (types: SQL) => sql`EXISTS (SELECT 1 FROM ${sensor} AS s WHERE s.account_id = ${account_id}
    AND s.tracker_id = anchor.id AND s.sensor_type IN (${types}))`;
  const isOfAccount = sql`${counter.account_id} = ${account_id}`;
  return {
    missing: db
      .insert(counter)
      .select(
        sql`SELECT NULL, ${account_id}, anchor.id, 'fuel_consumed', 1, NULL FROM ${anchors}
          WHERE ${ofSensors(sql`'fuel_consumption', 'flow_meter', 'instant_consumption'`)}
          UNION ALL SELECT NULL, ${account_id}, anchor.id, 'engine_hours', 1, NULL FROM ${anchors}
          WHERE ${ofSensors(sql`'ignition', 'virtual_ignition'`)}`,
      )
      .onConflictDoNothing(),
    released: db
      .update(counter)
      .set({ sensor_id: null })
      .where(
        sql`${isOfAccount} AND ${counter.sensor_id} IS NOT NULL AND ${counter.tracker_id} IN (SELECT id FROM ${anchors})
          AND NOT EXISTS (SELECT 1 FROM ${sensor} AS s WHERE s.id = ${counter.sensor_id} AND ${IS_METERING})`,
      ),
    segments: db.insert(counterSegment).select(
      sql`SELECT NULL, account_id, id, time, multiplier, source, NULL, NULL FROM (
          SELECT ${counter.account_id}, ${counter.id}, anchor.time, ${counter.multiplier}, ${CURRENT_SOURCE} AS source
          FROM ${anchors} JOIN ${counter} ON ${isOfAccount} AND ${counter.tracker_id} = anchor.id ORDER BY ${counter.id}
        ) AS now WHERE NOT EXISTS (
          SELECT 1 FROM ${counterSegment} AS last WHERE last.id = (SELECT max(id) FROM ${counterSegment} AS one WHERE one.counter_id = now.id)
          AND last.multiplier = now.multiplier AND last.source = now.source)`,
    ),
  };
}

/** Creates the counters of these types that the anchored trackers lack. */
export function ensureCounters(db: Database, { account_id, rows }: Anchors, types: string[]) {
  return db
    .insert(counter)
    .select(
      sql`SELECT NULL, ${account_id}, anchor.id, kind.value, 1, NULL
        FROM ${rows} AS anchor JOIN json_each(${JSON.stringify(types)}) AS kind WHERE TRUE ORDER BY kind.key`,
    )
    .onConflictDoNothing();
}

/** Condition on a sensor `s`: the counter's odometer can count by it. */
export const IS_METERING = sql`s.type = 'metering' AND s.slot IS NOT NULL AND s.account_id = ${counter.account_id}
  AND s.tracker_id = ${counter.tracker_id}`;

const IS_OF_TRACKER = sql`s.account_id = ${counter.account_id} AND s.tracker_id = ${counter.tracker_id}`;

/** Terms for the sensors of a type. Composite sensors have no input of their own; their parts count. */
function termsByInput(kind: "rise" | "hours", sensor_type: string) {
  return sql`nullif((SELECT json_group_array(json_object('of', ${sql.raw(`'${kind} a:'`)} || input_name, 'times', 1.0 / divider))
    FROM (SELECT s.input_name, s.divider FROM ${sensor} AS s WHERE ${IS_OF_TRACKER} AND s.type = 'metering' AND s.slot IS NOT NULL
      AND s.sensor_type = ${sql.raw(`'${sensor_type}'`)} ORDER BY s.id)), '[]')`;
}

/**
 * The current source of a counter as a JSON array of terms. Equal sources have equal texts, so changes are found by
 * comparing.
 */
export const CURRENT_SOURCE = sql`CASE ${counter.type}
  WHEN 'odometer' THEN coalesce((SELECT json_array(json_object('of', 'rise a:' || s.input_name, 'times', 1.0 / s.divider))
    FROM ${sensor} AS s WHERE s.id = ${counter.sensor_id}), '[{"of":"meters","times":0.001}]')
  WHEN 'engine_hours' THEN coalesce(
    (SELECT json_array(json_object('of', 'hours i:' || s.input_number, 'times', 1))
      FROM ${sensor} AS s WHERE ${IS_OF_TRACKER} AND s.type = 'discrete' AND s.sensor_type = 'ignition'),
    (SELECT json_array(json_object('of', 'hours v:' || json_array(s.input_name, json_object(
        'calc_method', json_extract(s.parameters, '$.calc_method'), 'range_from', json_extract(s.parameters, '$.range_from'),
        'range_to', json_extract(s.parameters, '$.range_to'), 'bit_index', json_extract(s.parameters, '$.bit_index'))), 'times', 1))
      FROM ${sensor} AS s WHERE ${IS_OF_TRACKER} AND s.sensor_type = 'virtual_ignition'),
    '[{"of":"hours i:1","times":1}]')
  ELSE coalesce(${termsByInput("rise", "fuel_consumption")}, ${termsByInput("rise", "flow_meter")},
    ${termsByInput("hours", "instant_consumption")}, '[]') END`;
