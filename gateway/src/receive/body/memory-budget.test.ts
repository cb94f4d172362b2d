import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { MemoryBudget } from "./memory-budget.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("MemoryBudget takes as many bytes as its limit, then refuses with 15 until some are given back", () => {
  const room = new MemoryBudget(100);
  const first = room.reserve(60);
  room.reserve(40);
  expect(() => room.reserve(1)).toThrow(expect.objectContaining({ code: 15 }));
  room.release(first);
  room.reserve(60);
});

test("MemoryBudget frees the bytes of a call that was aborted", async () => {
  const room = new MemoryBudget(100);
  const slow = room.reserve(50);
  room.reserve(50);
  await vi.advanceTimersByTimeAsync(24_000);
  room.renew(slow);
  await vi.advanceTimersByTimeAsync(2_000);
  room.reserve(50);
  expect(() => room.reserve(1)).toThrow(expect.objectContaining({ code: 15 }));
});
