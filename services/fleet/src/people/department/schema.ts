import * as z from "zod";
import { changesOf } from "#shared/operation/changes.ts";
import { location, text } from "#shared/operation/fields.ts";
import type { DepartmentRow } from "../../table/people/department.ts";

export const NewDepartment = z.object({
  label: text(255).min(1),
  location: location().nullable().default(null),
});
export type NewDepartment = z.output<typeof NewDepartment>;

export const ChangedDepartment = changesOf(NewDepartment).extend({ id: z.int() });
export type ChangedDepartment = z.output<typeof ChangedDepartment>;

export const Department = NewDepartment.extend({ id: z.int() });
export type Department = z.output<typeof Department>;

export function toDepartment({ id, label, location }: DepartmentRow): Department {
  return { id, label, location };
}
