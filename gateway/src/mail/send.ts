import { type Database, openDatabase } from "#shared/database/open.ts";
import { nowMs } from "#shared/time/clock.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import type { GatewayEnv } from "../env.ts";
import { runAfterAnswer } from "../run-after-answer.ts";
import { computeRetryTime } from "./backoff.ts";
import type { Letter } from "./letter.ts";
import { type Mail, type Outcome, postMail } from "./post.ts";
import { claimDueMails, updateDueTimes } from "./queries.ts";

type MailAddress = { dealer_id: number; to: string; now: number };

/** The row of a new mail, for the write of the change that causes it; `sendNow` or `sendAfterAnswer` then sends it. */
export function toMailRow(env: GatewayEnv, { dealer_id, to, now }: MailAddress, letter: Letter) {
  // Leased to the first try. If this Worker dies, a sweep finds the mail due after the lease.
  const sending = env.MAIL_URL ? { due: now + LEASE_MS, tries: 1 } : { due: null, tries: 0 };
  return { ...letter, ...sending, dealer_id, to, created: now };
}

/** Makes the first try while the caller waits; the outcome is stored after the answer. */
export async function sendNow(env: GatewayEnv, queued: QueuedMail): Promise<Outcome | "kept"> {
  if (!env.MAIL_URL) return "kept";
  const outcome = await postMail(env.MAIL_URL, queued);
  await runAfterAnswer(storeOutcomes(openDatabase(env), env, [{ ...queued, outcome }]));
  return outcome;
}

/** Makes the first try after the answer. */
export async function sendAfterAnswer(env: GatewayEnv, queued: QueuedMail): Promise<void> {
  const { MAIL_URL } = env;
  if (!MAIL_URL) return;
  const trying = postMail(MAIL_URL, queued);
  await runAfterAnswer(trying.then((outcome) => storeOutcomes(openDatabase(env), env, [{ ...queued, outcome }])));
}

/** Retries due mails, at most one batch of them. */
export async function sendDueMails(env: GatewayEnv): Promise<void> {
  const { MAIL_URL } = env;
  if (!MAIL_URL) return;
  const db = openDatabase(env);
  const now = nowMs(env);
  const claimed = await claimDueMails(db, now, now + LEASE_MS);
  if (claimed.length === 0) return;
  const attempts = claimed.map(async (row) => ({ ...row, outcome: await postMail(MAIL_URL, row) }));
  await storeOutcomes(db, env, await Promise.all(attempts));
}

type QueuedMail = Mail & { created: number; tries: number };

type MailAttempt = QueuedMail & { outcome: Outcome };

async function storeOutcomes(db: Database, env: GatewayEnv, attempts: MailAttempt[]) {
  const now = nowMs(env);
  const dues = attempts.map(({ id, outcome, ...row }) => ({
    id,
    due: outcome === "failed" ? computeRetryTime(row, now, Number(env.RETRY_HOURS)) : null,
  }));
  await updateDueTimes(db, dues);
}

/** Longer than a try may take. */
const LEASE_MS = MINUTE_MS;
