import { openDatabase } from "#shared/database/open.ts";
import type { GatewayEnv } from "../env.ts";
import { selectLateWebhooks } from "./delivery/queries.ts";
import { senderOf } from "./delivery/sender-stub.ts";

/** Wakes senders that have not read all events: a wake-up behind the events may have been lost. */
export async function wakeLateSenders(env: GatewayEnv): Promise<void> {
  const late = await selectLateWebhooks(openDatabase(env));
  await Promise.allSettled(late.map(({ id }) => senderOf(env, id).wake()));
}
