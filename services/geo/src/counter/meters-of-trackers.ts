import type { Metered, MeterSearch } from "#shared/contract/meter.ts";
import type { GeoEnv } from "../env.ts";
import { feedOf } from "../object/addresses.ts";

export function meteredOf(env: GeoEnv, wanted: [tracker_id: number, wanted: MeterSearch][]) {
  return inWaves<[number, MeterSearch], Metered>(wanted, ([id, one]) => [id, feedOf(env, id).metered(one)]);
}

/** Without those whose feeds fail: one must not keep a sweep from all others. */
export function meteredOfAble(env: GeoEnv, wanted: [tracker_id: number, wanted: MeterSearch][]) {
  return inWaves<[number, MeterSearch], Metered | undefined>(wanted, ([id, one]) => {
    return [id, Promise.resolve(feedOf(env, id).metered(one)).catch(() => undefined)];
  });
}

export function pinMeters(env: GeoEnv, ids: number[]) {
  return inWaves<number, number | null>(ids, (id) => [id, feedOf(env, id).pinMeter()]);
}

/** Not all feeds wake up together. */
async function inWaves<Item, Answer>(items: Item[], ask: (item: Item) => [id: number, answer: PromiseLike<Answer>]) {
  const found: Record<number, Answer> = {};
  for (let start = 0; start < items.length; start += WAVE) {
    const wave = items.slice(start, start + WAVE).map(async (item) => {
      const [id, answer] = ask(item);
      found[id] = await answer;
    });
    await Promise.all(wave);
  }
  return found;
}

const WAVE = 100;
