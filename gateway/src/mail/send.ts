import { asc, inArray, lt, sql } from "drizzle-orm";
import { type Database, openDatabase } from "#shared/database/open.ts";
import { nowMs } from "#shared/time/clock.ts";
import { DAY_MS, MINUTE_MS } from "#shared/time/duration.ts";
import type { GatewayEnv } from "../env.ts";
import { mail } from "../table/mail.ts";
import { nextTry } from "./back-off.ts";
import type { Letter } from "./letter.ts";
import { type Mail, type Outcome, postMail } from "./post.ts";

type Addressed = { dealer_id: number; to: string; now: number };

/** The row of a new mail, for the batch of the change that causes it; `sendNow` or `sendSoon` then makes the first try. */
export function mailRow(env: GatewayEnv, { dealer_id, to, now }: Addressed, letter: Letter) {
  // Due already, in case that whoever was to make the first try died over it.
  const sending = env.MAIL_URL ? { due: now + LEASE_MS, tries: 1 } : { due: null, tries: 0 };
  return { ...letter, ...sending, dealer_id, to, created: now };
}

/** Makes the first try while the caller waits; what comes of it is noted after the answer. */
export async function sendNow(env: GatewayEnv, sent: MailRow): Promise<Outcome | "kept"> {
  if (!env.MAIL_URL) return "kept";
  const outcome = await postMail(env.MAIL_URL, sent);
  await afterAnswer(note(openDatabase(env), env, [{ ...sent, outcome }]));
  return outcome;
}

/** Makes the first try after the answer. */
export async function sendSoon(env: GatewayEnv, sent: MailRow): Promise<void> {
  const { MAIL_URL } = env;
  if (!MAIL_URL) return;
  const trying = postMail(MAIL_URL, sent);
  await afterAnswer(trying.then((outcome) => note(openDatabase(env), env, [{ ...sent, outcome }])));
}

/** Tries again whatever is due, a bounded part at a time. */
export async function sendDue(env: GatewayEnv): Promise<void> {
  const { MAIL_URL } = env;
  if (!MAIL_URL) return;
  const db = openDatabase(env);
  const now = nowMs(env);
  // Taken over by moving it away: no other sweep tries it at the same time.
  const claimed = await db
    .update(mail)
    .set({ due: now + LEASE_MS, tries: sql`${mail.tries} + 1` })
    .where(
      sql`${mail.id} IN (SELECT ${mail.id} FROM ${mail} WHERE ${mail.due} <= ${now} ORDER BY ${mail.due} LIMIT ${SWEPT})`,
    )
    .returning();
  if (claimed.length === 0) return;
  const tried = claimed.map(async (row) => ({ ...row, outcome: await postMail(MAIL_URL, row) }));
  await note(db, env, await Promise.all(tried));
}

/** Removes mail of long ago, a bounded part at a time: nobody needs it, and its links are none of anybody's business. */
export async function sweepMail(db: Database, now: number) {
  const oldest = db
    .select({ id: mail.id, created: mail.created })
    .from(mail)
    .orderBy(asc(mail.id))
    .limit(SWEPT)
    .as("oldest");
  const old = db
    .select({ id: oldest.id })
    .from(oldest)
    .where(lt(oldest.created, now - KEPT_MS));
  await db.delete(mail).where(inArray(mail.id, old));
}

type MailRow = Mail & { created: number; tries: number };

async function note(db: Database, env: GatewayEnv, tried: (MailRow & { outcome: Outcome })[]) {
  const now = nowMs(env);
  const dues = tried.map(({ id, outcome, ...row }) => ({
    id,
    due: outcome === "failed" ? nextTry(row, now, Number(env.RETRY_HOURS)) : null,
  }));
  const values = sql`json_each(${JSON.stringify(dues)})`;
  await db
    .update(mail)
    .set({ due: sql`(SELECT value ->> 'due' FROM ${values} WHERE value ->> 'id' = ${mail.id})` })
    .where(sql`${mail.id} IN (SELECT value ->> 'id' FROM ${values})`);
}

/** Imported when it is needed: only Workers have the module, and the declarations of operations are read elsewhere too. */
async function afterAnswer(work: Promise<unknown>) {
  const { waitUntil } = await import("cloudflare:workers");
  // What fails here is still due.
  waitUntil(work.catch(() => undefined));
}

/** Longer than a try takes. */
const LEASE_MS = MINUTE_MS;
const SWEPT = 100;
const KEPT_MS = 30 * DAY_MS;
