import * as z from "zod";
import { invalid } from "#shared/error/api-error.ts";
import { changesOf } from "#shared/operation/changes.ts";
import { dateTime, location, text } from "#shared/operation/fields.ts";
import type { Clock } from "#shared/time/clock.ts";
import { JOURNAL_TYPES, type JournalEntryRow } from "../../table/people/journal-entry.ts";

const Type = z.enum(JOURNAL_TYPES);
const Comment = text(1024).nullable().default(null);
const kilometers = () => z.number().min(0).max(1e9);

const EntryLocation = location().extend({ precision: z.int().min(0).optional() });

const Members = z.object({
  tracker_id: z.int(),
  start_date: dateTime(),
  end_date: dateTime(),
  employee_id: z.int().nullable().default(null),
  type: Type,
  comment: Comment,
  start_location: EntryLocation,
  end_location: EntryLocation,
  length: kilometers(),
  // May be negative: a counter can be set to a negative value.
  start_odometer: z.number().nullable().default(null),
  end_odometer: z.number().nullable().default(null),
});

export const NewJournalEntry = Members.extend({ id: z.null().optional() }).refine(
  ({ start_date, end_date }) => start_date < end_date,
  { path: ["end_date"], error: "must be after start_date" },
);
export type NewJournalEntry = Omit<z.output<typeof NewJournalEntry>, "id">;

/** A member that cannot be changed: it may be left out, be null, or be sent back with the value that was read. */
const unchangeable = <Member extends z.ZodType>(member: Member) => z.optional(z.nullable(member));
export const ChangedJournalEntry = changesOf(Members.pick({ type: true, comment: true })).extend({
  id: z.int(),
  tracker_id: unchangeable(z.int()),
  start_date: unchangeable(dateTime()),
  end_date: unchangeable(dateTime()),
  employee_id: unchangeable(z.int()),
  start_location: unchangeable(EntryLocation),
  end_location: unchangeable(EntryLocation),
  length: unchangeable(kilometers()),
  start_odometer: unchangeable(z.number()),
  end_odometer: unchangeable(z.number()),
});
export type ChangedJournalEntry = z.output<typeof ChangedJournalEntry>;

/**
 * Refuses an update of anything but type and comment. Dates are compared as the caller read them: in whole seconds of
 * its zone.
 */
export function requireUnchanged(
  { id, type, comment, start_date, end_date, ...others }: ChangedJournalEntry,
  entry: JournalEntry,
  clock: Clock,
) {
  const toLocalTime = (date: number | null | undefined) => (typeof date === "number" ? clock.write(date) : date);
  const fixed = { start_date: toLocalTime(start_date), end_date: toLocalTime(end_date), ...others };
  const stored = { ...entry, start_date: toLocalTime(entry.start_date), end_date: toLocalTime(entry.end_date) };
  for (const [name, value] of Object.entries(fixed)) {
    const isGiven = value !== null && value !== undefined;
    const isSame = JSON.stringify(value) === JSON.stringify(stored[name as keyof typeof fixed]);
    if (isGiven && !isSame) throw invalid(`entry.${name}`, "must be null or as it is");
  }
}

export const JournalEntry = Members.extend({ id: z.int() });
export type JournalEntry = z.output<typeof JournalEntry>;

export function toJournalEntry({
  account_id,
  start_address_folded,
  end_address_folded,
  ...entry
}: JournalEntryRow): JournalEntry {
  return entry;
}
