import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BytesUnderWay } from "./under-way.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("BytesUnderWay takes as many bytes as its limit, then refuses with 15 until some are given back", () => {
  const room = new BytesUnderWay(100);
  const first = room.take(60);
  room.take(40);
  expect(() => room.take(1)).toThrow(expect.objectContaining({ code: 15 }));
  room.giveBack(first);
  room.take(60);
});

test("BytesUnderWay frees the bytes of a call that was aborted", async () => {
  const room = new BytesUnderWay(100);
  const slow = room.take(50);
  room.take(50);
  await vi.advanceTimersByTimeAsync(24_000);
  room.see(slow);
  await vi.advanceTimersByTimeAsync(2_000);
  room.take(50);
  expect(() => room.take(1)).toThrow(expect.objectContaining({ code: 15 }));
});
