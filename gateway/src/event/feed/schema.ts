import * as z from "zod";
import { dateTime } from "#shared/operation/fields.ts";
import type { EventRow } from "../../table/event.ts";

export const FeedEvent = z.object({
  /** Unique over all accounts. */
  id: z.string(),
  /** The place of the event in the account: a later event has a larger one. */
  sequence: z.int(),
  /** `<thing>.<what happened>`; the webhooks of this description are the list of types. */
  type: z.string(),
  time: dateTime(),
  /** The user whose call made the change; 0 for an operator, null when no call did. */
  user_id: z.int().nullable(),
  /** The members that the type's webhook describes. */
  data: z.record(z.string(), z.unknown()),
});

export function toFeedEvent({ event_id, sequence, type, time, user_id, data }: EventRow): z.output<typeof FeedEvent> {
  return { id: event_id, sequence, type, time, user_id, data };
}
