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
 * Sends due deliveries for at most `MAX_RUN_MS`, several at a time but only one per token, in order. Database calls are
 * sequential, because concurrent writes would lock each other out.
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
        // The delivery is due again when its lease ends.
        .catch((thrown) => {
          broken = thrown;
        })
        .finally(() => running.delete(delivery));
      running.add(delivery);
    }
    // The race of no promises would never end.
    if (attempts.length === 0 && running.size > 0) await Promise.race(running);
  } while (running.size > 0 || attempts.length > 0);
  if (broken) throw broken;
}

/** Retries while the database is busy: a delivery whose attempt is not stored would be sent twice. */
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
  const finished = { id, key, endpoint, isOver: true, tries: 0 };
  // Expired notifications, and those that the user may no longer see, are dropped.
  if (!is_visible || nowMs(env) >= expires) return { ...finished, due: nowMs(env), tries: claimed.tries };
  const payload = payloadOf(category, entry, time_zone);
  const ttlSeconds = Math.ceil((expires - nowMs(env)) / 1000);
  const isUrgent = entry.extra.emergency === true;
  const texts = { title: entry.extra.tracker_label ?? "", text: entry.message };
  const message = { id, endpoint, parameters, payload, ...texts, ttlSeconds, isUrgent };
  const post = application === "w3c_pushapi" ? postPush : postMobile;
  const { outcome, retryAfterMs } = await post(env, message);
  const now = nowMs(env);
  if (outcome === "removed") return { ...finished, due: null };
  if (outcome !== "failed") return { ...finished, due: now };
  const tries = claimed.tries + 1;
  return { ...finished, isOver: false, tries, due: now + Math.max(computeBackoffMs(tries), retryAfterMs) };
}

/** With one connection to the database, the most connections that a Worker may open. */
const MAX_PARALLEL_DELIVERIES = 5;
const BUSY_RETRY_DELAY_MS = 500;
/** Longer than a try may take. */
const LEASE_MS = MINUTE_MS;
const MAX_RUN_MS = 15_000;
