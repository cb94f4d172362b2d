import { asc, desc, eq, inArray, lt, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import { selectDueByAccount } from "#shared/database/due-by-account.ts";
import type { Database } from "#shared/database/open.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import { mail } from "../table/mail.ts";

/** The dealer's mails, newest first. */
export function selectMail(db: Database, { dealer_id }: Principal, limit: number) {
  return db.select().from(mail).where(eq(mail.dealer_id, dealer_id)).orderBy(desc(mail.id)).limit(limit);
}

/** Leases due mails until `until`, alternating between accounts; at most `MAX_ROWS_PER_SWEEP` at once. */
export function claimDueMails(db: Database, now: number, until: number) {
  const due = selectDueByAccount({ ...WAITING_MAILS, isDue: sql`due <= ${now}` }, MAX_ROWS_PER_SWEEP);
  return db
    .update(mail)
    .set({ due: until, tries: sql`${mail.tries} + 1` })
    .where(sql`${mail.id} IN (${due})`)
    .returning();
}

/**
 * Sets when each mail is tried again. Null: it was sent or refused for good, so its secret is replaced in the stored text.
 */
export async function updateDueTimes(db: Database, dues: { id: number; due: number | null }[]) {
  const values = sql`json_each(${JSON.stringify(dues)})`;
  const due = sql`(SELECT value ->> 'due' FROM ${values} WHERE value ->> 'id' = ${mail.id})`;
  await db
    .update(mail)
    .set({
      due,
      secret: sql`iif(${due} IS NULL, NULL, ${mail.secret})`,
      text: sql`iif(${due} IS NULL AND ${mail.secret} IS NOT NULL, replace(${mail.text}, ${mail.secret}, ${SECRET_PLACEHOLDER}), ${mail.text})`,
      html: sql`iif(${due} IS NULL AND ${mail.secret} IS NOT NULL, replace(${mail.html}, ${mail.secret}, ${SECRET_PLACEHOLDER}), ${mail.html})`,
    })
    .where(sql`${mail.id} IN (SELECT value ->> 'id' FROM ${values})`);
}

/** Deletes mails older than `RETENTION_MS`, which may contain private texts; at most `MAX_ROWS_PER_SWEEP` at once. */
export async function sweepMails(db: Database, now: number) {
  const oldest = db
    .select({ id: mail.id, created: mail.created })
    .from(mail)
    .orderBy(asc(mail.id))
    .limit(MAX_ROWS_PER_SWEEP)
    .as("oldest");
  const old = db
    .select({ id: oldest.id })
    .from(oldest)
    .where(lt(oldest.created, now - RETENTION_MS));
  await db.delete(mail).where(inArray(mail.id, old));
}

/** Replaces a hash or a code in stored texts. */
export const SECRET_PLACEHOLDER = "…";
/** Waiting mails by account; those about log-ins have none and are grouped by dealer. */
const WAITING_MAILS = {
  table: mail,
  account: sql`CASE WHEN account_id IS NULL THEN -dealer_id ELSE account_id END`,
  isWaiting: sql`due IS NOT NULL`,
  order: sql`due`,
};
const MAX_ROWS_PER_SWEEP = 100;
const RETENTION_MS = 30 * DAY_MS;
