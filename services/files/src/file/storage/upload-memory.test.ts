import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type MemoryReservation, UploadMemory } from "./upload-memory.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("UploadMemory never holds more bytes than it may, and serves uploads in the order in which they came", async () => {
  const room = new UploadMemory(10, 5_000);
  const [one, other] = [await room.reserve(6), await room.reserve(4)];
  const large = room.reserve(7);
  await vi.advanceTimersByTimeAsync(5);
  const small = room.reserve(1);
  other.release();
  expect(await comesIn(small)).toBe(false);
  expect(room.reservedBytes).toBe(6);
  one.release();
  expect(await comesIn(large)).toBe(true);
  expect(await comesIn(small)).toBe(true);
  expect(room.reservedBytes).toBe(8);
});

test("UploadMemory refuses an upload that waited too long with 14, and the next upload gets its memory", async () => {
  const room = new UploadMemory(10, 50);
  const held = await room.reserve(10);
  const refused = expect(room.reserve(1)).rejects.toMatchObject({ code: 14 });
  await vi.advanceTimersByTimeAsync(60);
  await refused;
  held.release();
  expect(await comesIn(room.reserve(10))).toBe(true);
});

test("UploadMemory frees the memory of an aborted upload after a minute, and keeps that of a running one", async () => {
  let now = 1_000_000;
  const room = new UploadMemory(10, 5_000, () => now);
  await room.reserve(5);
  const slow = await room.reserve(5);
  now += 50_000;
  slow.renew();
  now += 20_000;
  await room.reserve(5);
  expect(room.reservedBytes).toBe(10);
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
