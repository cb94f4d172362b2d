import * as z from "zod";
import type { HistoryEntry } from "#shared/contract/event/event.ts";
import { EVENT_NAMES } from "#shared/contract/event/event.ts";
import { dateTime } from "#shared/operation/fields.ts";
import type { EventRow } from "../table/event.ts";

/** A larger `limit` is refused with 212. */
export const MAX_EVENTS_PER_LIST = 1000;

/** Parameters that choose events. */
export const EVENT_FILTERS = {
  from: dateTime(),
  to: dateTime(),
  events: z.array(z.enum(EVENT_NAMES)).max(1000).nullable().default(null),
  only_emergency: z.boolean().default(false),
  only_unread: z.boolean().default(false),
};

/** Parameters that order and limit a list of events. */
export const LIST_OPTIONS = {
  limit: z.int().min(1).default(MAX_EVENTS_PER_LIST),
  /** Oldest first; false: newest first. */
  ascending: z.boolean().default(true),
  /** Accepted for compatibility; events have no files. */
  add_tracker_files: z.boolean().default(false),
};

export const ASSET_TYPES = ["vehicle", "employee"] as const;
/** Parameters that choose vehicles and employees: those named, or all of the types. */
export const ASSET_FILTERS = {
  assets: z
    .array(z.object({ id: z.int(), type: z.enum(ASSET_TYPES) }))
    .max(10_000)
    .nullable()
    .default(null),
  asset_types: z.array(z.enum(ASSET_TYPES)).max(100).nullable().default(null),
};

export function isForward({ from, to }: { from: number; to: number }) {
  return from <= to;
}
export const RANGE_ERROR = { path: ["to"], error: "must not be before from" };

/** Converts a row to an entry of the history. A label is put in front of the message. */
export function toEntry(row: EventRow & { is_read: boolean }, label?: string): HistoryEntry {
  const { id, is_read, message, time, event, tracker_id, rule_id, track_id, location, address, employee_id } = row;
  const fullMessage = label ? `${label}: ${message}` : message;
  const characters = [...fullMessage];
  const cut = characters.length > MAX_MESSAGE_CHARACTERS;
  return {
    ...{ id, type: "tracker", is_read, time, event, tracker_id, track_id, location, address },
    message: cut ? characters.slice(0, MAX_MESSAGE_CHARACTERS).join("") : fullMessage,
    rule_id: rule_id ?? undefined,
    extra: {
      ...row.extra,
      employee_id: row.extra.employee_id ?? employee_id ?? undefined,
      ...(cut ? { full_message: fullMessage } : {}),
    },
  };
}

const MAX_MESSAGE_CHARACTERS = 256;
