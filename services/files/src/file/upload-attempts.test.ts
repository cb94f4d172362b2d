import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { UploadAttempts } from "./upload-attempts.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("UploadAttempts ends an older attempt after a second for the newest, which begins when the older is over", async () => {
  const attempts = new UploadAttempts();
  const older = await attempts.begin(1);
  expect((await attempts.begin(2)).isSuperseded).toBe(false);
  const begun: string[] = [];
  const newer = attempts.begin(1).then((attempt) => {
    begun.push("newer");
    return attempt;
  });
  await vi.advanceTimersByTimeAsync(900);
  expect(older.isSuperseded).toBe(false);
  await vi.advanceTimersByTimeAsync(200);
  expect([older.isSuperseded, begun]).toEqual([true, []]);
  older.end();
  await vi.advanceTimersByTimeAsync(100);
  expect((await newer).isSuperseded).toBe(false);
});

test("UploadAttempts supersedes all attempts but the newest, at once if a third waits", async () => {
  const attempts = new UploadAttempts();
  const first = await attempts.begin(1);
  const others = Array.from({ length: 5 }, async () => {
    const attempt = await attempts.begin(1);
    if (attempt.isSuperseded) attempt.end();
    return attempt;
  });
  await vi.advanceTimersByTimeAsync(1_200);
  expect(first.isSuperseded).toBe(true);
  first.end();
  await vi.advanceTimersByTimeAsync(1_000);
  const states = (await Promise.all(others)).map(({ isSuperseded }) => isSuperseded);
  expect(states).toEqual([true, true, true, true, false]);
});

test("UploadAttempts does not wait longer than ten seconds for an attempt that never ends", async () => {
  const attempts = new UploadAttempts();
  await attempts.begin(1);
  const newer = attempts.begin(1);
  await vi.advanceTimersByTimeAsync(10_100);
  expect((await newer).isSuperseded).toBe(false);
});
