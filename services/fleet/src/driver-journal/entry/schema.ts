import { z } from "zod";
import { dateTime, location, text } from "#shared/operation/fields.ts";
import { JOURNAL_TYPES, type JournalEntryRow } from "../../table/journal-entry.ts";

const Type = z.enum(JOURNAL_TYPES);
const Comment = text(1024).nullable().default(null);
const kilometers = () => z.number().min(0).max(1e9);

const Place = location().extend({ precision: z.int().min(0).optional() });

const Members = z.object({
  tracker_id: z.int(),
  start_date: dateTime(),
  end_date: dateTime(),
  employee_id: z.int().nullable().default(null),
  type: Type,
  comment: Comment,
  start_location: Place,
  end_location: Place,
  length: kilometers(),
  // Whatever a counter may show, which can be set to less than nothing.
  start_odometer: z.number().nullable().default(null),
  end_odometer: z.number().nullable().default(null),
});

/** What create takes. */
export const NewJournalEntry = Members.extend({ id: z.null().optional() }).refine(
  ({ start_date, end_date }) => start_date < end_date,
  { path: ["end_date"], error: "must be after start_date" },
);
export type NewJournalEntry = Omit<z.output<typeof NewJournalEntry>, "id">;

/** Nothing but these two can be changed. */
const mustBeNull = () => z.null().optional();
export const ChangedJournalEntry = z.object({
  id: z.int(),
  type: Type,
  comment: Comment,
  tracker_id: mustBeNull(),
  start_date: mustBeNull(),
  end_date: mustBeNull(),
  employee_id: mustBeNull(),
  start_location: mustBeNull(),
  end_location: mustBeNull(),
  length: mustBeNull(),
  start_odometer: mustBeNull(),
  end_odometer: mustBeNull(),
});

export const JournalEntry = Members.extend({ id: z.int() });
export type JournalEntry = z.output<typeof JournalEntry>;

export function toJournalEntry({
  account_id,
  start_address_folded,
  end_address_folded,
  ...shown
}: JournalEntryRow): JournalEntry {
  return shown;
}
