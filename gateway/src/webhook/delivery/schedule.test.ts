import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS, SECOND_MS } from "#shared/time/duration.ts";
import { nextAttempt } from "./schedule.ts";

test("nextAttempt spreads ten attempts over 75 to 84 hours, and gives up behind the last", () => {
  for (const [chance, hours] of [
    [0, 75],
    [1, 83],
  ] as const) {
    let now = 0;
    let attempts = 1;
    for (
      let next = nextAttempt(attempts, now, 0, chance);
      next !== null;
      next = nextAttempt(attempts, now, 0, chance)
    ) {
      now = next;
      attempts++;
    }
    expect([attempts, Math.floor(now / HOUR_MS)]).toEqual([10, hours]);
  }
});

test("nextAttempt waits as long as the receiver asked for, at most a day, and never shorter than its own pause", () => {
  expect(nextAttempt(1, 0, 90 * SECOND_MS, 0)).toBe(90 * SECOND_MS);
  expect(nextAttempt(1, 0, 7 * DAY_MS, 0)).toBe(DAY_MS);
  expect(nextAttempt(2, 0, SECOND_MS, 0)).toBe(300 * SECOND_MS);
});
