import type { Principal } from "./principal.ts";
import type { ChangeKind } from "./recorded-change.ts";

/** An entry of the audit log, written in the batch of the change that it records. */
export type AuditEntry = {
  /** Unique: an entry that is delivered twice is recorded once. */
  event_id: string;
  account_id: number;
  /** Id of the master or sub-user; 0 for an operator. */
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

/** Author, address and time of a change. */
export type Actor = Pick<AuditEntry, "account_id" | "user_id" | "host" | "user_agent" | "action_date">;

/** A change. The payload is small and holds no secret: ids, labels, names of changed members. */
export type Change = {
  /** `<category>_<action>`: callers filter by it. */
  is: ChangeKind;
  entry_id?: number | null;
  payload?: Record<string, unknown> | null;
};

/** The author of the call's changes; an operator acts in accounts in which it has no user id. */
export function actorOf(
  { kind, account_id, user_id }: Pick<Principal, "kind" | "account_id" | "user_id">,
  { address, user_agent }: { address: string; user_agent: string },
  now: number,
): Actor {
  return {
    account_id,
    user_id: kind === "operator" ? 0 : user_id,
    host: address,
    user_agent: user_agent.slice(0, MAX_AGENT_CHARACTERS),
    action_date: now,
  };
}

/** The entry of a change whose details are known before the batch. */
export function newEntry(
  actor: Actor,
  { is: [entry_category, action], entry_id = null, payload = null }: Change,
): AuditEntry {
  return { ...actor, event_id: crypto.randomUUID(), entry_category, entry_id, action, payload };
}

/** Names of the members that a change sets. */
export function membersOf(changes: object): string[] {
  return Object.entries(changes).flatMap(([name, value]) => (value === undefined ? [] : name));
}

/** The first ids and their number, so that the payload stays small. */
export function someOf(ids: number[]) {
  return ids.length > MAX_IDS ? { ids: ids.slice(0, MAX_IDS), count: ids.length } : { ids };
}

/** User agents are cut to this many characters. */
const MAX_AGENT_CHARACTERS = 500;
const MAX_IDS = 100;
