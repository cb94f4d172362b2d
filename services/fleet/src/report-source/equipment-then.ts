import type { Principal } from "#shared/caller/principal.ts";
import type { EquipmentThen } from "#shared/contract/report-source.ts";
import { openDatabase } from "#shared/database/open.ts";
import { read } from "#shared/database/steps.ts";
import type { FleetEnv } from "../env.ts";
import { countersOf, toCounted } from "../telemetry/counter/queries.ts";
import { type Counted, meterSearchFor, valueThen } from "../telemetry/counter/value.ts";
import { equipmentSteps, toEquipment } from "./queries.ts";

export async function equipmentThen(
  env: FleetEnv,
  principal: Principal,
  tracker_id: number,
  time: number,
): Promise<EquipmentThen | null> {
  const db = openDatabase(env);
  const { counters, ...rows } = await read(db, {
    ...equipmentSteps(db, principal, tracker_id),
    counters: countersOf(db, principal, [tracker_id], { type: "odometer", until: time }),
  });
  const equipment = toEquipment(rows);
  const [counter] = counters;
  const feed_id = rows.usable[0]?.feed_id;
  const isCounted = counter !== undefined && feed_id !== undefined;
  return (
    equipment && { ...equipment, odometer: isCounted ? await shownAt(env, feed_id, toCounted(counter), time) : null }
  );
}

/** By what was set before the moment, and the points from then on. */
async function shownAt(env: FleetEnv, feed_id: number, odometer: Counted, time: number): Promise<number | null> {
  const segments = odometer.segments.filter(({ from_time, set_time }) => Math.max(from_time, set_time ?? 0) <= time);
  if (segments.length === 0) return null;
  const search = meterSearchFor([{ ...odometer, segments }]);
  const { metered, values } = await env.GEO.meteredAt(feed_id, search, time);
  return values && valueThen({ ...odometer, segments }, search, metered, { time, values });
}
