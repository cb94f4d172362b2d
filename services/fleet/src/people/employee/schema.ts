import * as z from "zod";
import { changesOf } from "#shared/operation/changes.ts";
import { location, notNull, plainDate, text } from "#shared/operation/fields.ts";
import type { EmployeeRow } from "../../table/people/employee.ts";

/** A text that may be empty, but not null. */
const line = (max: number) => notNull(text(max).default(""));
const note = (max: number) => text(max).nullable().default(null);
const day = () => plainDate().nullable().default(null);
const reference = () => z.int().nullable().default(null);

// Not strict: callers send back what `/employee/read` answered, with its read-only members.
const Members = z.object({
  tracker_id: reference(),
  first_name: text(100).min(1),
  middle_name: line(100),
  last_name: line(100),
  email: notNull(text(100).refine(isAddressOrEmpty, { error: "must be an e-mail address or empty" }).default("")),
  phone: notNull(text(32).regex(/^\d*$/, { error: "must be digits without a plus sign" }).default("")),
  driver_license_number: line(32),
  driver_license_cats: text(32).default(""),
  driver_license_issue_date: day(),
  driver_license_valid_till: day(),
  hardware_key: note(64),
  department_id: reference(),
  location: location().nullable().default(null),
  personnel_number: note(15),
  ssn: note(32),
  tags: z.array(z.int()).max(1000).default([]),
});

/** Only the first name has no default. */
export const NewEmployee = Members;
export type NewEmployee = z.output<typeof NewEmployee>;

export const ChangedEmployee = changesOf(Members).extend({ id: z.int() });
export type ChangedEmployee = z.output<typeof ChangedEmployee>;

export const Employee = Members.extend({
  id: z.int(),
  icon_id: z.int().nullable(),
  avatar_file_name: z.string().nullable(),
});
export type Employee = z.output<typeof Employee>;

export function toEmployee(row: EmployeeColumns): Employee {
  return row;
}

/** The columns of an employee's row that answers contain, with the ids of its tags. */
type EmployeeColumns = Omit<EmployeeRow, "account_id" | "revision" | "searched" | `${string}_folded`> & {
  tags: number[];
};

function isAddressOrEmpty(value: string) {
  return value === "" || z.regexes.email.test(value);
}
