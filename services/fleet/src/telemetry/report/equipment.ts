import type { Principal } from "#shared/caller/principal.ts";
import type { EquipmentAtTime } from "#shared/contract/report-source.ts";
import { openDatabase } from "#shared/database/open.ts";
import { read } from "#shared/database/steps.ts";
import type { FleetEnv } from "../../env.ts";
import { selectCounterRows, toSegmentedCounter } from "../counter/queries.ts";
import { meterSearchFor, type SegmentedCounter, valueAtMoment } from "../counter/value.ts";
import { equipmentSteps, toEquipment } from "./queries.ts";

export async function readEquipmentAt(
  env: FleetEnv,
  principal: Principal,
  tracker_id: number,
  time: number,
): Promise<EquipmentAtTime | null> {
  const db = openDatabase(env);
  const { counters, ...rows } = await read(db, {
    ...equipmentSteps(db, principal, tracker_id),
    counters: selectCounterRows(db, principal, [tracker_id], { type: "odometer", until: time }),
  });
  const equipment = toEquipment(rows);
  const [counter] = counters;
  const feed_id = rows.usable[0]?.feed_id;
  const isCounted = counter !== undefined && feed_id !== undefined;
  return (
    equipment && {
      ...equipment,
      odometer: isCounted ? await odometerAt(env, feed_id, toSegmentedCounter(counter), time) : null,
    }
  );
}

/** The odometer at `time`, from the segments and set values before it and the points since. */
async function odometerAt(
  env: FleetEnv,
  feed_id: number,
  odometer: SegmentedCounter,
  time: number,
): Promise<number | null> {
  const segments = odometer.segments.filter(({ from_time, set_time }) => Math.max(from_time, set_time ?? 0) <= time);
  if (segments.length === 0) return null;
  const search = meterSearchFor([{ ...odometer, segments }]);
  const { metered, values } = await env.GEO.meterValuesAt(feed_id, search, time);
  return values && valueAtMoment({ ...odometer, segments }, search, metered, { time, values });
}
