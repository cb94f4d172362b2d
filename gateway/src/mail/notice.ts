import type { ServiceNotice } from "#shared/contract/service-notice.ts";
import type { Database } from "#shared/database/open.ts";
import type { GatewayEnv } from "../env.ts";
import { serviceLetter } from "./letter.ts";
import { insertMail, selectMasters } from "./queries.ts";

/** In the language and the zone of each account's master; of an account that is no more, nobody is told anything. */
export async function keepNotices(db: Database, env: GatewayEnv, notices: ServiceNotice[], now: number) {
  const accounts = [...new Set(notices.map(({ account_id }) => account_id))];
  const masters = await selectMasters(db, accounts);
  const byId = new Map(masters.map((master) => [master.id, master]));
  const rows = notices.flatMap((notice) => {
    const master = byId.get(notice.account_id);
    if (!master) return [];
    const { id: event_id, to } = notice;
    // The next sweep makes the first try.
    const due = env.MAIL_URL ? now : null;
    return {
      ...serviceLetter(notice, master),
      event_id,
      dealer_id: master.dealer_id,
      account_id: master.id,
      to,
      created: now,
      due,
    };
  });
  if (rows.length > 0) await insertMail(db, rows);
}
