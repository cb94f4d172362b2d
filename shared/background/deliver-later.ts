import { waitUntil } from "cloudflare:workers";
import { systemNow } from "../time/clock.ts";

/**
 * After the answer, a moment later: others hear of what changed. What follows closely is told together. What fails
 * here, or dies, is left to a sweep. `mostMs`: what somebody waits for is told after so long at the latest.
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
    // Another call of this isolate is about to tell; and whoever waits longer than a Worker may is swept before.
    if (now() < next || givenMs > MAX_WAIT_MS) return;
    next = now() + delayMs;
    waitUntil(new Promise((resolve) => setTimeout(resolve, delayMs)).then(() => tell(env)).catch(() => undefined));
  };
}

const MAX_WAIT_MS = 25_000;
