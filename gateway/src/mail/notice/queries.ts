import { and, eq, or, sql } from "drizzle-orm";
import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import { demandChange, read, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import { mail } from "../../table/mail.ts";
import { mailAgreement } from "../../table/mail-agreement.ts";
import { user } from "../../table/user.ts";

export type Addressee = { account_id: number; address: string };

/** The masters of the accounts, and those of the addresses that are logins or were asked for their agreement. */
export async function selectAddressees(db: Database, accounts: number[], addresses: string[]) {
  const ofAccounts = or(among(user.id, accounts), among(user.master_id, accounts));
  return read(db, {
    masters: db
      .select({ id: user.id, dealer_id: user.dealer_id, locale: user.locale, time_zone: user.time_zone })
      .from(user)
      .where(and(among(user.id, accounts), sql`${user.master_id} IS NULL`)),
    // A user has proved that its login is its own address; for a sub-user its master answers.
    logins: db
      .select({ account_id: sql<number>`coalesce(${user.master_id}, ${user.id})`, address: user.login_key })
      .from(user)
      .where(and(ofAccounts, eq(user.activated, true), sql`${user.login_key} IN ${selectTexts(addresses)}`)),
    agreements: db
      .select()
      .from(mailAgreement)
      .where(
        and(among(mailAgreement.account_id, accounts), sql`${mailAgreement.address} IN ${selectTexts(addresses)}`),
      ),
  });
}

/**
 * Stores mails and requests for agreement. Mails whose event id is stored already are ignored, and so are those above the
 * account's limit for a day.
 */
export async function insertNotices(
  db: Database,
  mails: NewMail[],
  requests: AgreementRequest[],
  { now, defaultLimit }: { now: number; defaultLimit: number },
) {
  if (mails.length === 0) return;
  await write(db, {
    mails: mails.map((one) => insertWithinLimit(db, one, now, defaultLimit)),
    asked: requests.map((one) => insertAgreementRequest(db, one)),
  });
}

/** Notes that an address was asked, if the mail that asks is stored: above the day's limit it is asked another time. */
function insertAgreementRequest(db: Database, { account_id, address, asked, event_id }: AgreementRequest) {
  return db.run(sql`INSERT INTO ${mailAgreement} (account_id, address, asked) SELECT ${account_id}, ${address}, ${asked}
    WHERE EXISTS (SELECT 1 FROM ${mail} WHERE ${mail.event_id} = ${event_id}) ON CONFLICT DO NOTHING`);
}
/** A request for agreement; `event_id` is that of the mail that asks. */
type AgreementRequest = Addressee & { asked: number; event_id: string };
type NewMail = Pick<
  typeof mail.$inferSelect,
  "event_id" | "account_id" | "dealer_id" | "to" | "subject" | "text" | "html" | "created" | "due"
>;

/** Inserts a mail within the account's limit for a day: the operator's, else `defaultLimit` of the installation. */
function insertWithinLimit(db: Database, row: NewMail, now: number, defaultLimit: number) {
  const { event_id, account_id, dealer_id, to, subject, text, html, created, due } = row;
  const sent = sql`SELECT count(*) FROM ${mail} WHERE ${mail.account_id} = ${account_id} AND ${mail.created} > ${now - DAY_MS}`;
  const limit = sql`SELECT coalesce(${user.limits} ->> '$.mails', ${defaultLimit}) FROM ${user} WHERE ${user.id} = ${account_id}`;
  return db.run(sql`INSERT INTO ${mail} (event_id, account_id, dealer_id, "to", subject, text, html, created, due)
    SELECT ${event_id}, ${account_id}, ${dealer_id}, ${to}, ${subject}, ${text}, ${html}, ${created}, ${due}
    WHERE (${sent}) < (${limit}) ON CONFLICT DO NOTHING`);
}

/** Stores that the addressee agrees; 201 if it was never asked. */
export async function storeAgreement(db: Database, { account_id, address }: Addressee) {
  await write(db, {
    agreed: db
      .update(mailAgreement)
      .set({ agreed: true })
      .where(and(eq(mailAgreement.account_id, account_id), eq(mailAgreement.address, address))),
    wasAsked: demandChange(() => new ApiError(201)),
  });
}

function selectTexts(texts: string[]) {
  return sql`(SELECT value FROM json_each(${JSON.stringify(texts)}))`;
}
