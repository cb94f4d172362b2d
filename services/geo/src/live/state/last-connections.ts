import type { GeoEnv } from "../../env.ts";
import { feedOf } from "../../object/addresses.ts";

/** When each tracker's last message arrived; in waves, so that not all feeds wake up at once. */
export async function lastConnections(env: GeoEnv, ids: number[], now: number): Promise<Record<number, number | null>> {
  const connections: [number, number | null][] = [];
  for (let start = 0; start < ids.length; start += FEEDS_PER_WAVE) {
    const wave = ids.slice(start, start + FEEDS_PER_WAVE).map(async (id): Promise<[number, number | null]> => {
      return [id, (await feedOf(env, id).state(now)).last_message];
    });
    connections.push(...(await Promise.all(wave)));
  }
  return Object.fromEntries(connections);
}

const FEEDS_PER_WAVE = 100;
