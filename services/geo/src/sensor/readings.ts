import type { Told } from "#shared/told.ts";
import type { GeoEnv } from "../env.ts";
import { feedOf } from "../feed/of-tracker.ts";

/** What devices told last; in waves, so that not all feeds wake up together. */
export async function readingsOf(env: GeoEnv, ids: number[], now: number): Promise<Record<number, Told>> {
  const found: [number, Told][] = [];
  for (let start = 0; start < ids.length; start += WAVE) {
    const wave = ids.slice(start, start + WAVE).map(async (id): Promise<[number, Told]> => {
      const { additional, inputs, battery, last_message } = await feedOf(env, id).state(now);
      return [id, { values: additional, inputs, battery, last_message }];
    });
    found.push(...(await Promise.all(wave)));
  }
  return Object.fromEntries(found);
}

const WAVE = 100;
