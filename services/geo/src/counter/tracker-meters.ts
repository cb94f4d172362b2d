import type { MeterSearch, MeterValues } from "#shared/contract/point/meter.ts";
import type { GeoEnv } from "../env.ts";
import { feedOf } from "../object/addresses.ts";

export function meterValuesOf(env: GeoEnv, searches: [tracker_id: number, search: MeterSearch][]) {
  return callInWaves<[number, MeterSearch], MeterValues>(searches, ([id, search]) => [
    id,
    feedOf(env, id).meterValues(search),
  ]);
}

/** Leaves out trackers whose feeds fail: one tracker must not stop a sweep. */
export function availableMeterValues(env: GeoEnv, searches: [tracker_id: number, search: MeterSearch][]) {
  return callInWaves<[number, MeterSearch], MeterValues | undefined>(searches, ([id, search]) => {
    return [id, Promise.resolve(feedOf(env, id).meterValues(search)).catch(() => undefined)];
  });
}

export function pinMeters(env: GeoEnv, ids: number[]) {
  return callInWaves<number, number | null>(ids, (id) => [id, feedOf(env, id).pinMeter()]);
}

/** Calls feeds in waves, so that not all of them wake up at once. */
async function callInWaves<Item, Answer>(
  items: Item[],
  call: (item: Item) => [id: number, answer: PromiseLike<Answer>],
) {
  const answers: Record<number, Answer> = {};
  for (let start = 0; start < items.length; start += FEEDS_PER_WAVE) {
    const wave = items.slice(start, start + FEEDS_PER_WAVE).map(async (item) => {
      const [id, answer] = call(item);
      answers[id] = await answer;
    });
    await Promise.all(wave);
  }
  return answers;
}

const FEEDS_PER_WAVE = 100;
