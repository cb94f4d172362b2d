import type { Principal } from "#shared/caller/principal.ts";
import { CHANGE_CATALOGUE } from "./change-catalogue.ts";
import type { ChangeType } from "./change-types.ts";
import type { Audience, EventDeclaration } from "./declaration.ts";
import { HISTORY_CATALOGUE, type HistoryType } from "./history-catalogue.ts";

/** The type of an event: `<thing>.<what happened>`. */
export type EventType = ChangeType | HistoryType;

/** Every type of event, with the schema of its data and who sees it. */
export const CATALOGUE: Record<EventType, EventDeclaration> = { ...CHANGE_CATALOGUE, ...HISTORY_CATALOGUE };

// Object.keys loses the names.
export const EVENT_TYPES = (Object.keys(CATALOGUE) as EventType[]).sort();

/** The types of this audience that a sub-user with these rights sees. */
export function typesFor({ rights }: Pick<Principal, "rights">, audience: Audience): EventType[] {
  return EVENT_TYPES.filter((type) => {
    const { right, audience: declared } = CATALOGUE[type];
    return declared === audience && (right === undefined || rights.includes(right));
  });
}
