import type { Principal } from "#shared/caller/principal.ts";
import { openDatabase } from "#shared/database/open.ts";
import { read } from "#shared/database/steps.ts";
import type { FleetEnv } from "../env.ts";
import { countersOf, toCounted } from "../telemetry/counter/queries.ts";
import { meterSearchFor, valueThen } from "../telemetry/counter/value.ts";
import { selectUsable } from "../tracker/origin-queries.ts";

/** By what was set before the moment, and the points from then on. */
export async function odometerAt(
  env: FleetEnv,
  principal: Principal,
  tracker_id: number,
  time: number,
): Promise<number | null> {
  const db = openDatabase(env);
  const { usable, counters } = await read(db, {
    usable: selectUsable(db, principal, [tracker_id]),
    counters: countersOf(db, principal, [tracker_id], { type: "odometer", until: time }),
  });
  const [odometer] = counters.map(toCounted);
  const feed_id = usable[0]?.feed_id;
  if (!odometer || feed_id === undefined) return null;
  const segments = odometer.segments.filter(({ from_time, set_time }) => Math.max(from_time, set_time ?? 0) <= time);
  if (segments.length === 0) return null;
  const search = meterSearchFor([{ ...odometer, segments }]);
  const { metered, values } = await env.GEO.meteredThen(feed_id, search, time);
  return values && valueThen({ ...odometer, segments }, search, metered, { time, values });
}
