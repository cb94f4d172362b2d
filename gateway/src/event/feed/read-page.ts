import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { systemNow } from "#shared/time/clock.ts";
import type { GatewayEnv } from "../../env.ts";
import { type EventPage, type EventSearch, selectEvents } from "../queries.ts";

type Subscriber = { db: Database; env: GatewayEnv; principal: Principal };

/**
 * The next page. If it has no events, the call waits for them, for at most `wait` seconds. `check` may refuse the first
 * page before the wait.
 */
export async function readPage(
  { db, env, principal }: Subscriber,
  search: EventSearch,
  wait: number,
  check: (page: EventPage) => void,
): Promise<EventPage> {
  const until = systemNow() + wait * 1000;
  let page = await selectEvents(db, principal, search);
  check(page);
  let readAt = until - wait * 1000;
  for (let rounds = 1; isAtEnd(page) && systemNow() < until; rounds++) {
    const isAwake = await waitForNext(env, principal.account_id, page.through, until);
    if (!isAwake) break;
    // Events that the reader does not see wake it, too.
    if (rounds > 1) await delay(Math.min(readAt + READ_INTERVAL_MS, until) - systemNow());
    readAt = systemNow();
    const reader = await currentReader(env, principal);
    page = await selectEvents(db, reader, { ...search, after: page.through });
  }
  return page;
}

function isAtEnd({ events, through, last }: EventPage) {
  return events.length === 0 && through >= last;
}

/** False if the account's object ended meanwhile, as at a deployment: the caller calls again. */
async function waitForNext(env: GatewayEnv, account_id: number, after: number, until: number) {
  const seconds = (until - systemNow()) / 1000;
  const stream = env.ACCOUNT_EVENTS.getByName(String(account_id));
  return stream.waitForEvents(after, seconds).then(
    () => true,
    () => false,
  );
}

/** The caller with its rights and visible trackers after the wait. */
async function currentReader(env: GatewayEnv, { key }: Principal): Promise<Principal> {
  const principal = await env.GUARDS.getByName(key).principal(key);
  if (!principal) throw new ApiError(4);
  return principal;
}

function delay(ms: number) {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
}

const READ_INTERVAL_MS = 1000;
