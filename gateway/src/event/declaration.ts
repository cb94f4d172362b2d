import type * as z from "zod";
import type { Right } from "#shared/caller/principal.ts";

/**
 * The users who see events of a type: `tracker`: the master, and sub-users who see the event's tracker; `everyone`: all
 * users of the account; `owner`: the master, and the sub-user who made the change, while it sees all `trackers` of the data;
 * `master`: the master alone.
 */
export type Audience = "tracker" | "everyone" | "owner" | "master";

export type EventDeclaration = {
  /** A sentence for the description of the API. */
  summary: string;
  audience: Audience;
  /** The right that a sub-user needs besides. */
  right?: Right;
  data: z.ZodObject;
};
