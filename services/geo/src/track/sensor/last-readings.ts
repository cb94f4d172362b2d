import type { LastReadings } from "#shared/contract/point/last-readings.ts";
import type { GeoEnv } from "../../env.ts";
import { feedOf } from "../../object/addresses.ts";

/** Last readings of devices, read from limited numbers of feeds at a time. */
export async function readLastReadings(env: GeoEnv, ids: number[], now: number): Promise<Record<number, LastReadings>> {
  const readings: [number, LastReadings][] = [];
  for (let start = 0; start < ids.length; start += MAX_PARALLEL_CALLS) {
    const wave = ids.slice(start, start + MAX_PARALLEL_CALLS).map(async (id): Promise<[number, LastReadings]> => {
      const { additional, inputs, battery, last_message } = await feedOf(env, id).state(now);
      return [id, { values: additional, inputs, battery, last_message }];
    });
    readings.push(...(await Promise.all(wave)));
  }
  return Object.fromEntries(readings);
}

const MAX_PARALLEL_CALLS = 100;
