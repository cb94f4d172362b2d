import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { withTimeLimit } from "./time-limit.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("withTimeLimit fires its signal when the time is over, and leaves no timer behind when the work ends before", async () => {
  const outcome = withTimeLimit(1000, (limit) => new Promise((resolve) => (limit.onabort = () => resolve("over"))));
  vi.advanceTimersByTime(999);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(await outcome).toBe("over");
  expect(await withTimeLimit(1000, async (limit) => limit.aborted)).toBe(false);
  await expect(withTimeLimit(1000, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(vi.getTimerCount()).toBe(0);
});
