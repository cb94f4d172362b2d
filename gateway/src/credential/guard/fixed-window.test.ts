import { expect, test } from "vitest";
import { countCall } from "./fixed-window.ts";

test("countCall refills the limit when the clock's window ends, not a window after the first call", () => {
  const policy = { limit: 1, windowMs: 1_000 };
  const { window } = countCall(undefined, policy, 59_900);
  expect(countCall(window, policy, 59_990).rate).toMatchObject({ allowed: false, resetMs: 10 });
  expect(countCall(window, policy, 60_000).rate).toMatchObject({ allowed: true, remaining: 0 });
});

test("countCall lets exactly the limit pass in one window, however many call", () => {
  const policy = { limit: 50, windowMs: 1_000 };
  let window: ReturnType<typeof countCall>["window"] | undefined;
  let passed = 0;
  for (let call = 0; call < 200; call++) {
    const taken = countCall(window, policy, 7_000 + call);
    window = taken.window;
    if (taken.rate.allowed) passed++;
  }
  expect(passed).toBe(50);
});
