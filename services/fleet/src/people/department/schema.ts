import { z } from "zod";
import { location, text } from "#shared/operation/fields.ts";
import type { DepartmentRow } from "../../table/department.ts";

export const NewDepartment = z.object({
  label: text(255).min(1),
  location: location().nullable().default(null),
});
export type NewDepartment = z.output<typeof NewDepartment>;

/** What update takes: the whole department; without a location it has none from then on. */
export const ChangedDepartment = NewDepartment.extend({ id: z.int() });

export const Department = NewDepartment.extend({ id: z.int() });
export type Department = z.output<typeof Department>;

export function toDepartment({ id, label, location }: DepartmentRow): Department {
  return { id, label, location };
}
