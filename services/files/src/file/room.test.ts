import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Room, type Space } from "./room.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("Room never holds more bytes than it may, and serves uploads in the order in which they came", async () => {
  const room = new Room(10, 5_000);
  const [one, other] = [await room.take(6), await room.take(4)];
  const large = room.take(7);
  await vi.advanceTimersByTimeAsync(5);
  const small = room.take(1);
  other.release();
  expect(await comesIn(small)).toBe(false);
  expect(room.held).toBe(6);
  one.release();
  expect(await comesIn(large)).toBe(true);
  expect(await comesIn(small)).toBe(true);
  expect(room.held).toBe(8);
});

test("Room refuses an upload that waited too long with 14, and the next upload finds its space", async () => {
  const room = new Room(10, 50);
  const held = await room.take(10);
  const refused = expect(room.take(1)).rejects.toMatchObject({ code: 14 });
  await vi.advanceTimersByTimeAsync(60);
  await refused;
  held.release();
  expect(await comesIn(room.take(10))).toBe(true);
});

test("Room frees the space of an aborted upload after a minute, and keeps that of an upload that goes on", async () => {
  let now = 1_000_000;
  const room = new Room(10, 5_000, () => now);
  await room.take(5);
  const slow = await room.take(5);
  now += 50_000;
  slow.use();
  now += 20_000;
  await room.take(5);
  expect(room.held).toBe(10);
});

/** Whether an upload has its space 60 milliseconds later. */
async function comesIn(taking: Promise<Space>) {
  let isIn = false;
  void taking.then(() => {
    isIn = true;
  });
  await vi.advanceTimersByTimeAsync(60);
  return isIn;
}
