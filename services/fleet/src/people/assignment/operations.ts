import * as z from "zod";
import { requireTracker } from "#shared/contract/tracker/visible-tracker.ts";
import { dateTime } from "#shared/operation/fields.ts";
import { operation } from "../../operation.ts";
import { CHANGE_ORIGINS } from "../../table/people/driver-change.ts";
import { addAddresses, fetchLastPosition } from "../../tracker/last-position.ts";
import { selectVisible } from "../../tracker/queries.ts";
import { Employee, toEmployee } from "../employee/schema.ts";
import { assignEmployee, selectAssignment } from "./queries.ts";

const LastChange = z.object({
  old_employee_id: z.null(),
  new_employee_id: z.int().nullable(),
  location: z.object({ lat: z.number(), lng: z.number(), address: z.string() }).nullable(),
  changed: dateTime(),
  origin: z.enum(CHANGE_ORIGINS),
  hardware_key: z.string().nullable(),
});

export const assignTrackerEmployee = operation("/tracker/employee/assign", {
  summary: "Assigns an employee to a tracker in place of the current one; null only removes the current one",
  right: "employee_update",
  feature: "app_fleet",
  input: z.object({ tracker_id: z.int(), new_employee_id: z.int().nullable() }),
  output: z.object({}),
  errors: [201, 208, 236, 263],
  async run({ tracker_id, new_employee_id: employee_id }, { db, env, principal, actor }) {
    const found = await selectVisible(db, principal, [tracker_id]);
    const tracker = requireTracker(found, { missing: 201, feature: "app_fleet" });
    const position = await fetchLastPosition(env, tracker);
    await assignEmployee(db, principal, { tracker_id, employee_id, position }, actor);
    return {};
  },
});

export const readTrackerEmployee = operation("/tracker/employee/read", {
  summary: "The employee on a tracker, and the last change of the assignment",
  reads: true,
  input: z.object({ tracker_id: z.int() }),
  output: z.object({ current: Employee.nullable(), last_change: LastChange.nullable() }),
  errors: [201, 208],
  async run({ tracker_id }, { db, env, principal }) {
    const [found, { current, last: stored }] = await Promise.all([
      selectVisible(db, principal, [tracker_id]),
      selectAssignment(db, principal, tracker_id),
    ]);
    requireTracker(found, { missing: 201 });
    const [last] = await addAddresses(env, principal, stored ? [stored] : []);
    if (!last) return { current: current ? toEmployee(current) : null, last_change: null };
    const { employee_id: new_employee_id, location, changed, origin, hardware_key } = last;
    const last_change = { old_employee_id: null, new_employee_id, location, changed, origin, hardware_key };
    return { current: current ? toEmployee(current) : null, last_change };
  },
});

export const operations = [assignTrackerEmployee, readTrackerEmployee];
