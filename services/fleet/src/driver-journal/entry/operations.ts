import * as z from "zod";
import { MAX_ROWS, TABLE_FORMATS } from "#shared/contract/file/table-document.ts";
import { sortOptions } from "#shared/database/order.ts";
import { readAllRows } from "#shared/document/read-all-rows.ts";
import { renderTable } from "#shared/document/render-table.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import type { Call } from "#shared/operation/declaration.ts";
import { dateTime } from "#shared/operation/fields.ts";
import { fileAnswer } from "#shared/operation/file-answer.ts";
import { listAnswer, serializePages } from "#shared/operation/list-answer.ts";
import { requireSpan } from "#shared/time/span.ts";
import type { FleetEnv } from "../../env.ts";
import { operation } from "../../operation.ts";
import { JOURNAL_TYPES } from "../../table/people/journal-entry.ts";
import { selectVisible } from "../../tracker/queries.ts";
import { toJournalDocument } from "./document.ts";
import {
  changeEntry,
  insertEntries,
  readReferences,
  removeEntries,
  selectEntries,
  selectNamedEntries,
  sortableIn,
} from "./queries.ts";
import { requireJournal, requireUsableJournal } from "./require-journal.ts";
import { requireRange } from "./require-range.ts";
import { ChangedJournalEntry, JournalEntry, NewJournalEntry as NewEntry, type NewJournalEntry } from "./schema.ts";

const FEATURE = "driver_journal";

const SEARCH = {
  tracker_id: z.int().optional(),
  from: dateTime().optional(),
  to: dateTime().optional(),
  entry_ids: z.array(z.int()).max(10_000).nullable().default(null),
  types: z.array(z.enum(JOURNAL_TYPES)).max(3).nullable().default(null),
  sort: sortOptions(sortableIn("UTC", { from: 0, to: 0 }), 6),
};

export const listJournalEntries = operation("/driver/journal/entry/list", {
  summary: "A tracker's journal entries whose dates intersect the range, or the entries with the ids at any date",
  feature: FEATURE,
  reads: true,
  input: z.object(SEARCH),
  output: z.object({ list: z.array(JournalEntry) }),
  errors: [211, 236],
  async run(input, call) {
    const page = await selectEntries(call.db, call.principal, await toEntrySearch(input, call), call.clock);
    return listAnswer({}, serializePages(JournalEntry, page, call.clock));
  },
});

export const downloadJournal = operation("/driver/journal/entry/download", {
  summary: `Journal entries as a document, in the language of the user's locale; at most ${MAX_ROWS}, fewer as PDF`,
  feature: FEATURE,
  reads: true,
  reply: ["pdf", "xls", "xlsx"],
  expensive: true,
  input: z.object({
    ...SEARCH,
    add_filename_header: z.boolean().default(true),
    format: z.enum(TABLE_FORMATS),
    group_by: z.enum(["type", "date"]).nullable().default(null),
  }),
  output: z.object({}),
  errors: [211, 236, 267],
  async run({ add_filename_header, format, group_by, ...input }, call) {
    const { db, principal, clock } = call;
    const entries = await readAllRows(
      await selectNamedEntries(db, principal, await toEntrySearch(input, call), clock),
      "interval",
    );
    const document = toJournalDocument(entries, { ...input, group_by }, principal, clock);
    const file = await renderTable(document, format, call);
    return fileAnswer(file, `${document.title} ${document.subtitle}`, format, add_filename_header);
  },
});

export const MAX_ENTRIES_PER_CALL = 1000;
export const JournalInput = z.object({ entries: z.array(NewEntry).max(MAX_ENTRIES_PER_CALL) });

export const createJournalEntries = operation("/driver/journal/entry/create", {
  summary: "Stores all of the journal entries, or in case of an error none; 247 when entries overlap",
  right: "vehicle_update",
  feature: FEATURE,
  input: JournalInput,
  output: z.object({}),
  errors: [208, 236, 247],
  async run({ entries }, { db, principal, actor }) {
    const { trackers, employees } = await readReferences(db, principal, entries);
    for (const [index, { tracker_id, employee_id }] of entries.entries()) {
      const tracker = trackers.get(tracker_id);
      requireUsableJournal(tracker ? [tracker] : [], `entries.${index}.tracker_id`);
      if (employee_id !== null && !employees.has(employee_id)) {
        throw invalid(`entries.${index}.employee_id`, "is not an employee of yours");
      }
    }
    if (hasOverlap(entries)) throw new ApiError(247);
    if (entries.length > 0) await insertEntries(db, principal, entries.map(withoutId), actor);
    return {};
  },
});

export const updateJournalEntry = operation("/driver/journal/entry/update", {
  summary: "Changes an entry's type and comment; other members may be left out or sent back unchanged",
  right: "vehicle_update",
  feature: FEATURE,
  input: z.object({ entry: ChangedJournalEntry }),
  output: z.object({}),
  errors: [201, 204, 208, 236],
  async run({ entry }, { db, principal, clock, actor }) {
    await changeEntry(db, principal, entry, clock, actor);
    return {};
  },
});

export const deleteJournalEntries = operation("/driver/journal/entry/delete", {
  summary: "Deletes all of the journal entries, or in case of an error none",
  right: "vehicle_update",
  feature: FEATURE,
  input: z.object({ entry_ids: z.array(z.int()).max(10_000) }),
  output: z.object({}),
  errors: [208, 217, 236],
  async run({ entry_ids }, { db, principal, actor }) {
    await removeEntries(db, principal, entry_ids, actor);
    return {};
  },
});

export const operations = [
  listJournalEntries,
  downloadJournal,
  createJournalEntries,
  updateJournalEntry,
  deleteJournalEntries,
];

/**
 * The checked search: the tracker is visible and its tariff has the journal; without `entry_ids`, both dates and a
 * tracker are required.
 */
async function toEntrySearch(
  { from, to, ...search }: z.output<z.ZodObject<typeof SEARCH>>,
  { db, env, principal, clock }: Call<FleetEnv>,
) {
  const { tracker_id, entry_ids } = search;
  const range = entry_ids ? undefined : requireRange(from, to);
  if (range) requireSpan(range, env.MAX_SPANS, "journal", clock.zone);
  if (tracker_id !== undefined) requireJournal(await selectVisible(db, principal, [tracker_id]), "tracker_id");
  if (!range) return search;
  if (tracker_id === undefined) throw invalid("tracker_id", "must be given without entry_ids");
  return { ...search, range };
}

/** True when two of the entries belong to one tracker and their times overlap. */
function hasOverlap(entries: NewJournalEntry[]) {
  const byTracker = Map.groupBy(entries, ({ tracker_id }) => tracker_id);
  return [...byTracker.values()].some((trackerEntries) => {
    const sorted = trackerEntries.toSorted((one, other) => one.start_date - other.start_date);
    return sorted.some(({ end_date }, index) => end_date > (sorted[index + 1]?.start_date ?? end_date));
  });
}

function withoutId({ id, ...entry }: z.output<typeof NewEntry>): NewJournalEntry {
  return entry;
}
