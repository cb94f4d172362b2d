import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { systemNow } from "#shared/time/clock.ts";
import { RequestPace } from "./request-pace.ts";

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

async function startsOf(pace: RequestPace, count: number): Promise<number[]> {
  const starts: number[] = [];
  const begin = () => void starts.push(systemNow());
  const all = Promise.all(Array.from({ length: count }, () => pace.next().then(begin)));
  await vi.runAllTimersAsync();
  await all;
  return starts;
}

test("RequestPace begins requests that come together one gap apart", async () => {
  expect(await startsOf(new RequestPace(1000), 4)).toEqual([0, 1000, 2000, 3000]);
});

test("RequestPace begins a request at once where the gap is over", async () => {
  const pace = new RequestPace(1000);
  await startsOf(pace, 1);
  await vi.advanceTimersByTimeAsync(5000);
  expect(await startsOf(pace, 2)).toEqual([5000, 6000]);
});

test("RequestPace lets requests wait until a rest is over", async () => {
  const pace = new RequestPace(1000);
  pace.rest(30_000);
  expect(await startsOf(pace, 1)).toEqual([30_000]);
});
