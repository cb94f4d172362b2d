import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type MemoryReservation, UploadMemory } from "./upload-memory.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("UploadMemory never holds more bytes than it may, and serves uploads in the order in which they came", async () => {
  const memory = new UploadMemory({ bytes: 10, perAccount: 10, waitMs: 5_000 });
  const [one, other] = [await memory.reserve(6, 1), await memory.reserve(4, 2)];
  const large = memory.reserve(7, 3);
  await vi.advanceTimersByTimeAsync(5);
  const small = memory.reserve(1, 4);
  other.release();
  expect(await comesIn(small)).toBe(false);
  expect(memory.reservedBytes).toBe(6);
  one.release();
  expect(await comesIn(large)).toBe(true);
  expect(await comesIn(small)).toBe(true);
  expect(memory.reservedBytes).toBe(8);
});

test("UploadMemory lets uploads of an account at its limit wait for its own alone, and not those of other accounts", async () => {
  const memory = new UploadMemory({ bytes: 10, perAccount: 6, waitMs: 5_000 });
  const [first] = [await memory.reserve(4, 1), await memory.reserve(2, 1)];
  const next = memory.reserve(1, 1);
  await vi.advanceTimersByTimeAsync(5);
  expect(await comesIn(memory.reserve(4, 2))).toBe(true);
  expect(await comesIn(next)).toBe(false);
  first.release();
  expect(await comesIn(next)).toBe(true);
});

test("UploadMemory refuses an upload that waited too long with 14, and the next upload gets its memory", async () => {
  const memory = new UploadMemory({ bytes: 10, perAccount: 10, waitMs: 50 });
  const held = await memory.reserve(10, 1);
  const refused = expect(memory.reserve(1, 2)).rejects.toMatchObject({ code: 14 });
  await vi.advanceTimersByTimeAsync(60);
  await refused;
  held.release();
  expect(await comesIn(memory.reserve(10, 1))).toBe(true);
});

test("UploadMemory frees the memory of an aborted upload after a minute, and keeps that of a running one", async () => {
  let now = 1_000_000;
  const memory = new UploadMemory({ bytes: 10, perAccount: 10, waitMs: 5_000 }, () => now);
  await memory.reserve(5, 1);
  const slow = await memory.reserve(5, 1);
  now += 50_000;
  slow.renew();
  now += 20_000;
  await memory.reserve(5, 1);
  expect(memory.reservedBytes).toBe(10);
});

/** True if a reservation succeeds within 60 milliseconds. */
async function comesIn(taking: Promise<MemoryReservation>) {
  let isIn = false;
  void taking.then(() => {
    isIn = true;
  });
  await vi.advanceTimersByTimeAsync(60);
  return isIn;
}
