import * as z from "zod";
import { changesOf } from "#shared/operation/changes.ts";
import { printableText } from "#shared/operation/fields.ts";

const Members = z.object({
  label: printableText(1, 100),
  /** The user of the mobile app may choose a status. */
  employee_controlled: z.boolean(),
  /** Users of the account may choose a status. */
  supervisor_controlled: z.boolean(),
});
export const NewStatusListing = Members;
export type NewStatusListing = z.output<typeof NewStatusListing>;

/** The ids of the list's statuses in order. */
const Entries = z.array(z.int()).max(1000);
export const ChangedStatusListing = changesOf(Members.extend({ entries: Entries })).extend({ id: z.int() });
export type ChangedStatusListing = z.output<typeof ChangedStatusListing>;

export const StatusListing = Members.extend({ id: z.int(), entries: Entries });
export type StatusListing = z.output<typeof StatusListing>;
