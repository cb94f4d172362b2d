import { and, eq, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { credential } from "../table/credential.ts";
import { isOpen, pushDelivery } from "../table/push/push-delivery.ts";
import { pushToken } from "../table/push/push-token.ts";
import type { NewPushToken } from "./schema.ts";

/** Replaces the session's push token. 4 if the session has ended meanwhile: its token would never be deleted. */
export async function bindToken(
  db: Database,
  { key, account_id, user_id }: Principal,
  input: NewPushToken,
  now: number,
) {
  const { application, token, parameters, category_filter } = input;
  const parametersText = parameters && JSON.stringify(parameters);
  const bound = await db.all(sql`
    INSERT INTO ${pushToken} (key, account_id, user_id, application, token, parameters, category_filter)
    SELECT ${key}, ${account_id}, ${user_id}, ${application}, ${token}, ${parametersText}, ${category_filter}
    WHERE EXISTS (SELECT 1 FROM ${credential} WHERE ${credential.key} = ${key})
    ON CONFLICT (key) DO UPDATE SET application = excluded.application, token = excluded.token,
      parameters = excluded.parameters, category_filter = excluded.category_filter,
      due = iif(${pushToken.token} = excluded.token, ${pushToken.due}, ${now}), tries = 0
    RETURNING key`);
  if (bound.length === 0) throw new ApiError(4);
}

/** Deletes the session's push token and its waiting deliveries, which a later token must not get. */
export async function deleteToken(db: Database, { key, account_id }: Principal) {
  await write(db, {
    token: db.delete(pushToken).where(and(eq(pushToken.account_id, account_id), eq(pushToken.key, key))),
    waiting: db.delete(pushDelivery).where(and(eq(pushDelivery.key, key), isOpen)),
  });
}
