import type { Actor } from "#shared/caller/audit.ts";
import { recordsIn } from "#shared/database/audit-outbox.ts";
import { auditOutbox } from "../table/audit-outbox.ts";

export const { recordChange, recordEachChange, deliver } = recordsIn(auditOutbox);

/** The author of what happens to a report or schedule without a call: its user, from no address. */
export function ownerOf({ account_id, user_id }: Pick<Actor, "account_id" | "user_id">, now: number): Actor {
  return { account_id, user_id, host: "", user_agent: "", action_date: now };
}
