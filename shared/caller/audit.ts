import type { Principal } from "./principal.ts";

/** A change as the audit log keeps it, written in the batch of the change. */
export type AuditEntry = {
  /** Unique: an entry that is delivered twice is one. */
  event_id: string;
  account_id: number;
  /** The master, a sub-user, or 0 for an operator. */
  user_id: number;
  entry_category: string;
  entry_id: number | null;
  action: string;
  payload: Record<string, unknown> | null;
  host: string;
  user_agent: string;
  /** UTC milliseconds. */
  action_date: number;
};

/** Who makes a change, from where and when. */
export type Actor = Pick<AuditEntry, "account_id" | "user_id" | "host" | "user_agent" | "action_date">;

/** What is changed. The payload is small and holds no secret: ids, labels, the names of changed members. */
export type Change = {
  /** `<category>_<action>`, for callers to filter by. */
  is: readonly [entry_category: string, action: string];
  entry_id?: number | null;
  payload?: Record<string, unknown> | null;
};

/** The call's; an operator acts in accounts of others, where it has no id. */
export function actorOf(
  { kind, account_id, user_id }: Pick<Principal, "kind" | "account_id" | "user_id">,
  { address, user_agent }: { address: string; user_agent: string },
  now: number,
): Actor {
  return {
    account_id,
    user_id: kind === "operator" ? 0 : user_id,
    host: address,
    user_agent: user_agent.slice(0, LONGEST_AGENT),
    action_date: now,
  };
}

/** The entry of a change that is known before the batch. */
export function newEntry(
  actor: Actor,
  { is: [entry_category, action], entry_id = null, payload = null }: Change,
): AuditEntry {
  return { ...actor, event_id: crypto.randomUUID(), entry_category, entry_id, action, payload };
}

/** The names of the members that a change sets. */
export function membersOf(changes: object): string[] {
  return Object.entries(changes).flatMap(([name, value]) => (value === undefined ? [] : name));
}

/** Ids for a payload: however many there are, it stays small. */
export function someOf(ids: number[]) {
  return ids.length > MOST_IDS ? { ids: ids.slice(0, MOST_IDS), count: ids.length } : { ids };
}

/** A header may have thousands of characters. */
const LONGEST_AGENT = 500;
const MOST_IDS = 100;
