import { and, asc, eq, exists, gt, inArray, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { demand, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { recordChange } from "../../audit/record-queries.ts";
import { credential } from "../../table/credential.ts";
import { pushToken } from "../../table/push/push-token.ts";
import { endCredentials } from "../queries.ts";

/** The user's sessions with their push tokens, and API keys, oldest first. Both are limited in number: there are no pages. */
export function selectSessions(db: Database, principal: Principal, now: number) {
  const { application, category_filter } = pushToken;
  return db
    .select({ credential, push: { application, category_filter } })
    .from(credential)
    .leftJoin(pushToken, eq(pushToken.key, credential.key))
    .where(and(belongsToUser(principal), inArray(credential.kind, LISTED_KINDS), gt(credential.expires_at, now)))
    .orderBy(asc(credential.created), asc(credential.id));
}

/** Ends a session of the user and answers the keys that ended; 201 for any other credential, such as an API key. */
export async function endSession(db: Database, principal: Principal, id: number, actor: Actor) {
  const session = and(belongsToUser(principal), inArray(credential.kind, SESSION_KINDS), eq(credential.id, id));
  const { ended } = await write(db, {
    exists: demand(exists(db.select({ one: sql`1` }).from(credential).where(session)), () => new ApiError(201)),
    ...endCredentials(db, session),
    record: recordChange(db, actor, { is: ["user", "session_delete"], entry_id: principal.user_id }),
  });
  return ended.map(({ key }) => key);
}

function belongsToUser({ account_id, user_id }: Principal) {
  return and(eq(credential.account_id, account_id), eq(credential.user_id, user_id));
}

const SESSION_KINDS = ["session", "delegated"] as const;
export const LISTED_KINDS = [...SESSION_KINDS, "api_key"] as const;
