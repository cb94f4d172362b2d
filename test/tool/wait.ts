import { setTimeout as pause } from "node:timers/promises";
import { inspect } from "node:util";

/** A busy machine is no fault: a wait ends when its condition holds, and fails only where it never will. */
export const MAX_WAIT_MS = 120_000;
/** The first pause, which grows: reading again and again takes time from what is waited for. */
const [FIRST_PAUSE_MS, GROWTH, MAX_PAUSE_MS] = [20, 1.4, 250];

/**
 * Reads a value again and again until `isMet` accepts it, and returns it. A read that throws is tried again. After two
 * minutes it fails with `condition` (a clause such as "the feed has stored its points") and the last value or error.
 */
export async function waitUntil<Value>(
  condition: string,
  read: () => Value | Promise<Value>,
  isMet: (value: Value) => boolean = Boolean,
): Promise<Value> {
  const deadline = AbortSignal.timeout(MAX_WAIT_MS);
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * GROWTH, MAX_PAUSE_MS)) {
    const outcome = await attempt(read);
    if ("value" in outcome && isMet(outcome.value)) return outcome.value;
    if (deadline.aborted) {
      const last = "value" in outcome ? outcome.value : outcome.error;
      throw new Error(
        `Waited ${MAX_WAIT_MS / 1000} s in vain until ${condition}. Last seen: ${inspect(last, { depth: 6 })}`,
      );
    }
    await pause(pauseMs);
  }
}

async function attempt<Value>(read: () => Value | Promise<Value>): Promise<{ value: Value } | { error: unknown }> {
  try {
    return { value: await read() };
  } catch (error) {
    return { error };
  }
}
