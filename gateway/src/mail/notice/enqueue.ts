import type { Notice } from "#shared/contract/event/service-notice.ts";
import type { Database } from "#shared/database/open.ts";
import type { GatewayEnv } from "../../env.ts";
import { toAgreementLetter, toNoticeLetter } from "../letter.ts";
import { createAgreementLink, publicUrlOf } from "./agreement-link.ts";
import { type Addressee, insertNotices, selectAddressees } from "./queries.ts";

/**
 * Stores the mails of notices; those of removed accounts are dropped. An address that is no login of the account is asked
 * once whether it agrees, and gets nothing else until it does.
 */
export async function enqueueNotices(db: Database, env: GatewayEnv, notices: Notice[], now: number) {
  const accounts = [...new Set(notices.map(({ account_id }) => account_id))];
  const addresses = [...new Set(notices.map(({ to }) => to.toLowerCase()))];
  const { masters, logins, agreements } = await selectAddressees(db, accounts, addresses);
  const byId = new Map(masters.map((master) => [master.id, master]));
  const allowed = new Set([...logins, ...agreements.filter(({ agreed }) => agreed)].map(addresseeKeyOf));
  const allowedOrAsked = new Set([...allowed, ...agreements.map(addresseeKeyOf)]);
  // The next sweep sends them.
  const due = env.MAIL_URL ? now : null;

  const letters = notices.flatMap((notice) => {
    const master = byId.get(notice.account_id);
    const { id: event_id, to } = notice;
    if (!master || !allowed.has(addresseeKeyOf({ account_id: notice.account_id, address: to }))) return [];
    const { id: account_id, dealer_id } = master;
    return {
      ...toNoticeLetter(notice, master, publicUrlOf(env)),
      event_id,
      account_id,
      dealer_id,
      to,
      created: now,
      due,
    };
  });
  const unasked = new Map(
    notices
      .map(({ account_id, to }) => ({ account_id, address: to.toLowerCase() }))
      .filter((addressee) => byId.has(addressee.account_id) && !allowedOrAsked.has(addresseeKeyOf(addressee)))
      .map((addressee) => [addresseeKeyOf(addressee), addressee]),
  );
  const requestMails = [...unasked.values()].map(async (addressee) => {
    const { dealer_id = 0, locale = "" } = byId.get(addressee.account_id) ?? {};
    const letter = toAgreementLetter({ first_name: "", locale }, await createAgreementLink(env, addressee));
    const event_id = requestIdOf(addressee);
    const { account_id, address: to } = addressee;
    return { ...letter, event_id, account_id, dealer_id, to, created: now, due };
  });
  const requests = [...unasked.values()].map((addressee) => ({
    ...addressee,
    asked: now,
    event_id: requestIdOf(addressee),
  }));
  const mails = [...letters, ...(await Promise.all(requestMails))];
  await insertNotices(db, mails, requests, { now, defaultLimit: JSON.parse(env.DEFAULT_LIMITS).mails });
}

/** The event id of the mail that asks for the agreement. */
function requestIdOf(addressee: Addressee) {
  return `agreement:${addresseeKeyOf(addressee)}`;
}

/** Identifies an address within an account. */
function addresseeKeyOf({ account_id, address }: Addressee) {
  return `${account_id} ${address.toLowerCase()}`;
}
