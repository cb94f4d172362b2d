import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { bodyTimeout } from "./timeout.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const after = (ms: number) => new Promise<string>((resolve) => setTimeout(() => resolve("read"), ms));

test("bodyTimeout gives up a body that stalls for twenty seconds, and waits on for one whose bytes keep coming", async () => {
  const { within, end } = bodyTimeout();
  for (let byte = 0; byte < 10; byte++) {
    const reading = within(after(19_000));
    await vi.advanceTimersByTimeAsync(19_000);
    expect(await reading).toBe("read");
  }
  const stalled = expect(within(after(20_001))).rejects.toMatchObject({ code: 5 });
  await vi.advanceTimersByTimeAsync(20_000);
  await stalled;
  end();
});

test("bodyTimeout gives up a body after its whole time, however steadily its bytes drip", async () => {
  const { within } = bodyTimeout(60_000);
  for (let byte = 0; byte < 5; byte++) {
    const reading = within(after(11_000));
    await vi.advanceTimersByTimeAsync(11_000);
    await reading;
  }
  const dripping = expect(within(after(11_000))).rejects.toMatchObject({ code: 5 });
  await vi.advanceTimersByTimeAsync(5_000);
  await dripping;
});

test("bodyTimeout fails with 5 for a body that breaks off, and leaves no timer behind", async () => {
  const { within, end } = bodyTimeout();
  await expect(within(Promise.reject(new Error("cut off")))).rejects.toMatchObject({ code: 5 });
  end();
  expect(vi.getTimerCount()).toBe(0);
});

test("bodyTimeout gives up a body soon after it has been ended", async () => {
  let isEnded = false;
  const { within, end } = bodyTimeout(undefined, () => isEnded);
  const reading = within(after(15_000));
  await vi.advanceTimersByTimeAsync(15_000);
  expect(await reading).toBe("read");
  const ended = expect(within(after(15_000))).rejects.toMatchObject({ code: 5 });
  isEnded = true;
  await vi.advanceTimersByTimeAsync(100);
  await ended;
  end();
});
