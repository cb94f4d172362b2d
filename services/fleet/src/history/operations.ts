import * as z from "zod";
import { EVENT_NAMES, EVENTS, HistoryEntry } from "#shared/contract/event/event.ts";
import { visibleSince } from "#shared/contract/tracker/stored-range.ts";
import { storedSince } from "#shared/contract/tracker/tariff.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { dateTime } from "#shared/operation/fields.ts";
import { requireSpan } from "#shared/time/span.ts";
import { operation } from "../operation.ts";
import {
  countAssetEvents,
  countUnread,
  markEventRead,
  requireEvent,
  selectAssetEvents,
  selectTrackerEvents,
  selectUnread,
  selectUserEvents,
} from "./queries.ts";
import { markAllRead } from "./read-queries.ts";
import { eventRetentionOf } from "./retention.ts";
import {
  ASSET_FILTERS,
  EVENT_FILTERS,
  isForward,
  LIST_OPTIONS,
  MAX_EVENTS_PER_LIST,
  RANGE_ERROR,
  toEntry,
} from "./schema.ts";

const COUNT_MEMBERS = { total: z.int(), total_unread: z.int() };

export const readHistory = operation("/history/read", {
  summary: "An event",
  reads: true,
  input: z.object({ id: z.int(), add_tracker_label: z.boolean().default(false) }),
  output: z.object({ value: HistoryEntry }),
  errors: [201],
  async run({ id, add_tracker_label }, { db, env, principal, clock }) {
    const row = await requireEvent(db, principal, id, eventRetentionOf(env, clock.now()));
    return { value: toEntry(row, labelOf(row, add_tracker_label)) };
  },
});

export const markHistoryRead = operation("/history/mark_read", {
  summary: "Marks an unread event as read by the caller",
  input: z.object({ id: z.int() }),
  output: z.object({}),
  errors: [201],
  async run({ id }, { db, env, principal, clock }) {
    await markEventRead(db, principal, id, eventRetentionOf(env, clock.now()));
    return {};
  },
});

export const markHistoryReadAll = operation("/history/mark_read_all", {
  summary: "Marks all events up to now as read by the caller",
  input: z.object({}),
  output: z.object({}),
  errors: [],
  async run(_, { db, principal }) {
    await markAllRead(db, principal);
    return {};
  },
});

export const listTrackerHistory = operation("/history/tracker/list", {
  summary: "Events of trackers within a range, at most 1000, and their number",
  reads: true,
  input: z
    .object({
      trackers: z.array(z.int()).min(1).max(10_000),
      ...EVENT_FILTERS,
      ...LIST_OPTIONS,
      add_tracker_label: z.boolean().default(true),
    })
    .refine(isForward, RANGE_ERROR),
  output: z.object({ list: z.array(HistoryEntry), limit_exceeded: z.boolean(), ...COUNT_MEMBERS }),
  errors: [211, 212, 217],
  async run(search, { db, env, principal, clock }) {
    requireListing(search, env.MAX_SPANS, clock.zone);
    const now = clock.now();
    const { rows, total, total_unread } = await selectTrackerEvents(
      db,
      principal,
      search.trackers,
      search,
      eventRetentionOf(env, now),
    );
    const list = rows.map((row) => toEntry(row, labelOf(row, search.add_tracker_label)));
    const isCut = isBeyondStorage([principal.store_period], search.from, now);
    return { list, limit_exceeded: isCut || total > list.length, total, total_unread };
  },
});

export const listUserHistory = operation("/history/user/list", {
  summary: "Events of all trackers that the caller sees within a range; limit_exceeded when the tariffs store less",
  reads: true,
  input: z
    .object({ ...EVENT_FILTERS, ...LIST_OPTIONS, add_tracker_label: z.boolean().default(true) })
    .refine(isForward, RANGE_ERROR),
  output: z.object({ list: z.array(HistoryEntry), limit_exceeded: z.boolean(), ...COUNT_MEMBERS }),
  errors: [211, 212],
  async run(search, { db, env, principal, clock }) {
    requireListing(search, env.MAX_SPANS, clock.zone);
    const now = clock.now();
    const { rows, periods, total, total_unread } = await selectUserEvents(
      db,
      principal,
      search,
      eventRetentionOf(env, now),
    );
    const list = rows.map((row) => toEntry(row, labelOf(row, search.add_tracker_label)));
    return {
      list,
      limit_exceeded: isBeyondStorage([...periods, principal.store_period], search.from, now),
      total,
      total_unread,
    };
  },
});

export const listAssetHistory = operation("/history/asset/list", {
  summary: "Events of vehicles and employees within a range: of the trackers on which they were at that time",
  reads: true,
  input: z
    .object({
      ...EVENT_FILTERS,
      ...LIST_OPTIONS,
      ...ASSET_FILTERS,
      add_tracker_label: z.boolean().default(false),
      add_asset_label: z.boolean().default(true),
    })
    .refine(isForward, RANGE_ERROR),
  output: z.object({ list: z.array(HistoryEntry), limit_exceeded: z.boolean() }),
  errors: [211, 212],
  async run(search, { db, env, principal, clock }) {
    requireListing(search, env.MAX_SPANS, clock.zone);
    const now = clock.now();
    const { rows, periods } = await selectAssetEvents(db, principal, search, eventRetentionOf(env, now));
    const list = rows.map(({ row, asset_label }) =>
      toEntry(row, (search.add_asset_label && asset_label) || labelOf(row, search.add_tracker_label)),
    );
    return { list, limit_exceeded: isBeyondStorage([...periods, principal.store_period], search.from, now) };
  },
});

export const countAssetHistory = operation("/history/asset/count", {
  summary: "The number of events of vehicles and employees within a range",
  reads: true,
  input: z.object({ ...EVENT_FILTERS, ...ASSET_FILTERS }).refine(isForward, RANGE_ERROR),
  output: z.object(COUNT_MEMBERS),
  errors: [211],
  async run(search, { db, env, principal, clock }) {
    requireSpan(search, env.MAX_SPANS, "history", clock.zone);
    return countAssetEvents(db, principal, search, eventRetentionOf(env, clock.now()));
  },
});

export const listHistoryTypes = operation("/history/type/list", {
  summary: "The names of events, each with a description in English",
  reads: true,
  input: z.object({ locale: z.string().max(35).optional(), only_tracker_events: z.boolean().default(true) }),
  output: z.object({ list: z.array(z.object({ type: z.enum(EVENT_NAMES), description: z.string() })) }),
  errors: [],
  async run() {
    return { list: EVENT_NAMES.map((type) => ({ type, description: EVENTS[type] })) };
  },
});

export const listUnreadHistory = operation("/history/unread/list", {
  summary: "The newest unread events, by default of a year",
  reads: true,
  input: z.object({ limit: LIST_OPTIONS.limit, from: dateTime().optional() }),
  output: z.object({ list: z.array(HistoryEntry) }),
  errors: [212],
  async run({ limit, from }, { db, env, principal, clock }) {
    if (limit > MAX_EVENTS_PER_LIST) throw new ApiError(212);
    const now = clock.now();
    const rows = await selectUnread(db, principal, from ?? storedSince("1y", now), limit, eventRetentionOf(env, now));
    return { list: rows.map((row) => toEntry(row, labelOf(row, true))) };
  },
});

export const countUnreadHistory = operation("/history/unread/count", {
  summary: "The number of unread events, by default of a year",
  reads: true,
  input: z.object({ from: dateTime().optional(), type: z.enum(["tracker", "socket", "camera"]).default("tracker") }),
  output: z.object({ count: z.int() }),
  errors: [],
  async run({ from, type }, { db, env, principal, clock }) {
    // Only trackers have events here.
    if (type !== "tracker") return { count: 0 };
    const now = clock.now();
    return { count: await countUnread(db, principal, from ?? storedSince("1y", now), eventRetentionOf(env, now)) };
  },
});

export const operations = [
  readHistory,
  markHistoryRead,
  markHistoryReadAll,
  listTrackerHistory,
  listUserHistory,
  listAssetHistory,
  countAssetHistory,
  listHistoryTypes,
  listUnreadHistory,
  countUnreadHistory,
];

type Listing = { from: number; to: number; limit: number };

function requireListing(listing: Listing, spans: string, zone: string) {
  if (listing.limit > MAX_EVENTS_PER_LIST) throw new ApiError(212);
  requireSpan(listing, spans, "history", zone);
}

function labelOf({ extra }: { extra: { tracker_label?: string } }, isShown: boolean) {
  return isShown ? extra.tracker_label : undefined;
}

/** True when a tariff or the sub-user's group stores less than the range from `from` on. */
function isBeyondStorage(periods: (string | null)[], from: number, now: number) {
  return from < visibleSince(periods, now);
}
