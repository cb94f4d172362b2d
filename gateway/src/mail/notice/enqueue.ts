import type { Notice } from "#shared/contract/service-notice.ts";
import type { Database } from "#shared/database/open.ts";
import type { GatewayEnv } from "../../env.ts";
import { toAgreementLetter, toNoticeLetter } from "../letter.ts";
import { createAgreementLink, publicUrlOf } from "./agreement-link.ts";
import { type Addressee, insertNotices, selectAddressees } from "./queries.ts";

/**
 * In the language and the zone of each account's master; of an account that is no more, nobody is told anything. An address
 * that is no login of the account is asked first, once, and is told of nothing until it agrees.
 */
export async function enqueueNotices(db: Database, env: GatewayEnv, notices: Notice[], now: number) {
  const accounts = [...new Set(notices.map(({ account_id }) => account_id))];
  const addresses = [...new Set(notices.map(({ to }) => to.toLowerCase()))];
  const { masters, logins, agreements } = await selectAddressees(db, accounts, addresses);
  const byId = new Map(masters.map((master) => [master.id, master]));
  const willing = new Set([...logins, ...agreements.filter(({ agreed }) => agreed)].map(addresseeKeyOf));
  const known = new Set([...willing, ...agreements.map(addresseeKeyOf)]);
  // The next sweep makes the first try.
  const due = env.MAIL_URL ? now : null;

  const letters = notices.flatMap((notice) => {
    const master = byId.get(notice.account_id);
    const { id: event_id, to } = notice;
    if (!master || !willing.has(addresseeKeyOf({ account_id: notice.account_id, address: to }))) return [];
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
  const strangers = new Map(
    notices
      .map(({ account_id, to }) => ({ account_id, address: to.toLowerCase() }))
      .filter((one) => byId.has(one.account_id) && !known.has(addresseeKeyOf(one)))
      .map((one) => [addresseeKeyOf(one), one]),
  );
  const questions = [...strangers.values()].map(async (addressee) => {
    const { dealer_id = 0, locale = "" } = byId.get(addressee.account_id) ?? {};
    const letter = toAgreementLetter({ first_name: "", locale }, await createAgreementLink(env, addressee));
    const event_id = requestIdOf(addressee);
    const { account_id, address: to } = addressee;
    return { ...letter, event_id, account_id, dealer_id, to, created: now, due };
  });
  const asked = [...strangers.values()].map((one) => ({ ...one, asked: now, event_id: requestIdOf(one) }));
  const mails = [...letters, ...(await Promise.all(questions))];
  await insertNotices(db, mails, asked, { now, defaultLimit: JSON.parse(env.DEFAULT_LIMITS).mails });
}

/** Of the mail that asks. */
function requestIdOf(addressee: Addressee) {
  return `agreement:${addresseeKeyOf(addressee)}`;
}

/** One for each account and address. */
function addresseeKeyOf({ account_id, address }: Addressee) {
  return `${account_id} ${address.toLowerCase()}`;
}
