import { expect, test } from "vitest";
import { systemNow } from "../../shared/time/clock.ts";
import { feed, newAccount, type Reply } from "../tool/call/account.ts";
import { writeUtc } from "../tool/call/utc-time.ts";
import { effort } from "../tool/effort.ts";

const POINTS = effort({ few: 20_000, many: 62_000 });
const SECONDS = 43;
const BATCH = 500;
const HOUR = Math.floor(3600 / SECONDS);
/** Ten minutes after each hour: enough to end a drive. */
const PAUSE = 14;

test("a month of points in any order, sent twice, is stored once and answered whole", async () => {
  const account = await newAccount({ time_zone: "UTC" });
  const { id: tracker_id, source } = await account.newTracker();
  const start = Math.floor(systemNow() / 1000 - POINTS * SECONDS - 3600) * 1000;
  const points = shuffle(Array.from({ length: POINTS }, (_, index) => pointAt(start, index)));

  for (const pass of ["first", "second"] as const) {
    let accepted = 0;
    for (let sent = 0; sent < POINTS; sent += BATCH) {
      const reply = await feed(source.device_id, points.slice(sent, sent + BATCH));
      accepted += reply.accepted;
      expect(reply.accepted + reply.duplicates).toBe(BATCH);
    }
    expect(accepted, pass).toBe(pass === "first" ? POINTS : 0);
  }

  const range = { tracker_id, from: writeUtc(start), to: writeUtc(start + POINTS * SECONDS * 1000) };
  const { list, total } = await account.must("/track/list", range);
  expect(list).toHaveLength(Math.ceil(POINTS / (HOUR + PAUSE)));
  expect(total.length).toBeGreaterThan(POINTS / 6.2);
  const ids = list.map(({ id }: Reply) => id);
  expect(new Set(ids).size).toBe(list.length);

  const all = await account.must("/track/read", { ...range, simplify: false, filter: false });
  expect(all.list.map(({ get_time }: Reply) => get_time)).toEqual(
    Array.from({ length: POINTS }, (_, index) => writeUtc(start + index * SECONDS * 1000)),
  );
  const few = await account.must("/track/read", range);
  expect(few.list.length).toBeGreaterThan(2000);
  expect(few.list.length).toBeLessThanOrEqual(3000);

  const whole = await account.must("/track/list", { ...range, with_points: true });
  expect(whole.list.map(({ points, points_list }: Reply) => points_list.length === points)).not.toContain(false);
  expect(whole.total).toEqual(total);
});

/** An hour of driving in a wide oval, then a pause. */
function pointAt(start: number, index: number) {
  const drives = index % (HOUR + PAUSE) < HOUR;
  const driven = Math.floor(index / (HOUR + PAUSE)) * HOUR + Math.min(index % (HOUR + PAUSE), HOUR - 1);
  const [north, east] = [Math.sin(driven / 500), Math.cos(driven / 500)];
  const place = { lat: Number((50 + north).toFixed(6)), lng: Number((8 + 1.5 * east).toFixed(6)) };
  return { time: start + index * SECONDS * 1000, ...place, speed: drives ? 36 : 0, satellites: 9 };
}

/** Shuffles items by a fixed seed, so that every run has the same order. */
function shuffle<Item>(items: Item[]): Item[] {
  let seed = 7;
  const keyed = items.map((item) => {
    seed = (seed * 16_807) % 2_147_483_647;
    return { item, key: seed };
  });
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
}
