import { z } from "zod";
import { printable } from "#shared/operation/fields.ts";

const Members = z.object({
  label: printable(1, 100),
  /** The mobile app's user may choose. */
  employee_controlled: z.boolean(),
  /** Users of the account may choose. */
  supervisor_controlled: z.boolean(),
});
export const NewStatusListing = Members;
export type NewStatusListing = z.output<typeof NewStatusListing>;

/** `entries` are the ids of its statuses in their order. */
export const StatusListing = Members.extend({ id: z.int(), entries: z.array(z.int()) });
export type StatusListing = z.output<typeof StatusListing>;
