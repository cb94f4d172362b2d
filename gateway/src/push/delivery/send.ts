import { openDatabase } from "#shared/database/open.ts";
import { nowMs, systemNow } from "#shared/time/clock.ts";
import { HOUR_MS, MINUTE_MS } from "#shared/time/duration.ts";
import type { GatewayEnv } from "../../env.ts";
import { computeBackoffMs } from "../../mail/backoff.ts";
import { payloadOf } from "./payload.ts";
import { postPush } from "./post.ts";
import { postMobile } from "./post-mobile.ts";
import { type DeliveryAttempt, type DueDelivery, storeAttemptsAndClaim } from "./queries.ts";

/**
 * Sends what is due, as long as a Worker may work on. A token gets one after the other, in their order; a service that is
 * slow to answer holds up one of the lanes. The database is asked once at a time: lanes that all write to it would lock
 * each other out.
 */
export async function sendPushes(env: GatewayEnv, now: () => number = systemNow): Promise<void> {
  const end = now() + MAX_RUN_MS;
  const running = new Set<Promise<void>>();
  const attempts: DeliveryAttempt[] = [];
  let broken: unknown;
  do {
    const free = now() < end ? MAX_PARALLEL_DELIVERIES - running.size : 0;
    for (const one of await storeAndClaimWithRetry(env, attempts.splice(0), free)) {
      const delivery = tryDelivery(env, one)
        .then((outcome) => void attempts.push(outcome))
        // It is tried anew when its time has run out.
        .catch((thrown) => {
          broken = thrown;
        })
        .finally(() => running.delete(delivery));
      running.add(delivery);
    }
    // Of none a race would never end.
    if (attempts.length === 0 && running.size > 0) await Promise.race(running);
  } while (running.size > 0 || attempts.length > 0);
  if (broken) throw broken;
}

/** What was sent and is not noted would be sent again: a database that is busy is asked again. */
async function storeAndClaimWithRetry(
  env: GatewayEnv,
  attempts: DeliveryAttempt[],
  limit: number,
  retriesLeft = 2,
): Promise<DueDelivery[]> {
  const now = nowMs(env);
  try {
    return await storeAttemptsAndClaim(openDatabase(env), attempts, { now, until: now + LEASE_MS, limit });
  } catch (thrown) {
    if (retriesLeft === 0) throw thrown;
    await new Promise((resolve) => setTimeout(resolve, BUSY_RETRY_DELAY_MS));
    return storeAndClaimWithRetry(env, attempts, limit, retriesLeft - 1);
  }
}

async function tryDelivery(env: GatewayEnv, claimed: DueDelivery): Promise<DeliveryAttempt> {
  const { id, key, application, endpoint, parameters, category, entry, stored, time_zone, is_visible } = claimed;
  const expires = stored + Number(env.RETRY_HOURS) * HOUR_MS;
  const over = { id, key, endpoint, isOver: true, tries: 0 };
  // What it may hear no more is passed over, as is what nobody would look at any more.
  if (!is_visible || nowMs(env) >= expires) return { ...over, due: nowMs(env), tries: claimed.tries };
  const payload = payloadOf(category, entry, time_zone);
  const ttlSeconds = Math.ceil((expires - nowMs(env)) / 1000);
  const isUrgent = entry.extra.emergency === true;
  const shown = { title: entry.extra.tracker_label ?? "", text: entry.message };
  const message = { id, endpoint, parameters, payload, ...shown, ttlSeconds, isUrgent };
  const post = application === "w3c_pushapi" ? postPush : postMobile;
  const { outcome, retryAfterMs } = await post(env, message);
  const now = nowMs(env);
  if (outcome === "removed") return { ...over, due: null };
  if (outcome !== "failed") return { ...over, due: now };
  const tries = claimed.tries + 1;
  return { ...over, isOver: false, tries, due: now + Math.max(computeBackoffMs(tries), retryAfterMs) };
}

/** With one to the database as many connections as a Worker may have open. */
const MAX_PARALLEL_DELIVERIES = 5;
const BUSY_RETRY_DELAY_MS = 500;
/** Longer than a try takes. */
const LEASE_MS = MINUTE_MS;
const MAX_RUN_MS = 15_000;
