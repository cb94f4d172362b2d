import { waitUntil } from "cloudflare:workers";
import { deliverAudit } from "../audit/deliver.ts";
import type { FleetEnv } from "../env.ts";
import { tellEvents } from "../history/tell.ts";

/**
 * After the answer, a moment later: the audit log hears of changes, the gateway of events. What follows closely is told
 * together. What fails here, or dies, is left to the sweep.
 */
export function tellSoon(env: FleetEnv) {
  const delayMs = Number(env.AUDIT_DELAY_SECONDS) * 1000;
  // Another call of this isolate is about to tell; and whoever waits longer than a Worker may is swept before.
  if (Date.now() < nextTelling || delayMs > LONGEST_WAIT_MS) return;
  nextTelling = Date.now() + delayMs;
  waitUntil(
    new Promise((resolve) => setTimeout(resolve, delayMs)).then(() =>
      Promise.allSettled([deliverAudit(env), tellEvents(env)]),
    ),
  );
}

let nextTelling = 0;
const LONGEST_WAIT_MS = 25_000;
