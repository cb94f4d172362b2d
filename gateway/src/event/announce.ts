import type { GatewayEnv } from "../env.ts";

/**
 * Tells the accounts' objects that events were stored. Failures are dropped: waiting calls look for events once a
 * second, and sweeps find the others.
 */
export async function announceEvents(env: GatewayEnv, account_ids: Iterable<number>): Promise<void> {
  const streams = [...new Set(account_ids)].map((id) => env.ACCOUNT_EVENTS.getByName(String(id)));
  await Promise.allSettled(streams.map((stream) => stream.announce()));
}
