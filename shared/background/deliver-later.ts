import { waitUntil } from "cloudflare:workers";
import { systemNow } from "../time/clock.ts";

/**
 * Returns a function that delivers changes a moment after the answer; calls within the delay share one delivery. A
 * sweep repeats deliveries that fail. `mostMs` bounds the delay of urgent ones.
 */
export function deliverLater<Env extends { AUDIT_DELAY_SECONDS: string }>(
  tell: (env: Env) => Promise<unknown>,
  mostMs = Number.POSITIVE_INFINITY,
  now: () => number = systemNow,
) {
  let next = 0;
  return (env: Env) => {
    const givenMs = Number(env.AUDIT_DELAY_SECONDS) * 1000;
    const delayMs = Math.min(givenMs, mostMs);
    // Another call of this isolate is about to deliver, or the delay exceeds what a Worker may wait: then the sweep
    // does.
    if (now() < next || givenMs > MAX_WAIT_MS) return;
    next = now() + delayMs;
    waitUntil(new Promise((resolve) => setTimeout(resolve, delayMs)).then(() => tell(env)).catch(() => undefined));
  };
}

const MAX_WAIT_MS = 25_000;
