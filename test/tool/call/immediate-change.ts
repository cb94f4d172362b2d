import { expect } from "vitest";
import { effort } from "../effort.ts";

const CONNECTIONS = effort({ few: 8, many: 20 });
const CALLS_AFTERWARDS = effort({ few: 2, many: 5 });

/** Calls on several connections during a change; expects that no call begun after its answer sees the old state. */
export async function expectImmediateChange(seesOldState: () => Promise<boolean>, change: () => Promise<unknown>) {
  // Also fills the caches: the change may be over before any of the other calls is answered.
  expect(await seesOldState()).toBe(true);
  let isChanged = false;
  let hasFailed = false;
  const late: boolean[] = [];
  const callers = Array.from({ length: CONNECTIONS }, async () => {
    for (let left = CALLS_AFTERWARDS; left > 0 && !hasFailed; ) {
      const isLate = isChanged;
      const isOld = await seesOldState();
      if (!isLate) continue;
      late.push(isOld);
      left--;
    }
  });
  try {
    await change();
    isChanged = true;
  } catch (error) {
    hasFailed = true;
    throw error;
  } finally {
    await Promise.all(callers);
  }
  expect(late).toEqual(Array(CONNECTIONS * CALLS_AFTERWARDS).fill(false));
}
