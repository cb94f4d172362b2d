import type { FleetEnv } from "../env.ts";

/**
 * After the answer, a moment later: what follows closely is delivered together. What fails here, or dies, is left to the
 * sweep.
 */
export function soon(deliver: (env: FleetEnv) => Promise<void>) {
  let nextDelivery = 0;
  return async (env: FleetEnv) => {
    const delayMs = Number(env.AUDIT_DELAY_SECONDS) * 1000;
    // Another call of this isolate is about to deliver; and whoever waits longer than a Worker may is swept before.
    if (Date.now() < nextDelivery || delayMs > LONGEST_WAIT_MS) return;
    nextDelivery = Date.now() + delayMs;
    // Imported when it is needed: only Workers have the module, and the declarations of operations are read elsewhere too.
    const { waitUntil } = await import("cloudflare:workers");
    waitUntil(new Promise((resolve) => setTimeout(resolve, delayMs)).then(() => deliver(env)).catch(() => undefined));
  };
}

const LONGEST_WAIT_MS = 25_000;
