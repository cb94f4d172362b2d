import * as z from "zod";
import type { AreasAround, NamedArea, VisibleAreas } from "#shared/contract/point/area.ts";
import { dateTime } from "#shared/operation/fields.ts";
import { durationOf, SECOND_MS } from "#shared/time/duration.ts";
import { Form, type PublicForm, StoredPosition, toForm } from "../../form/schema.ts";
import { STATUSES, type TaskRow } from "../../table/task/task.ts";

const Area = z.object({ id: z.int(), label: z.string() });

/** A form in a list, with its task, and the employee and vehicle that are on the task's tracker now. */
export const ListedForm = z.object({
  employee: z
    .object({ id: z.int(), first_name: z.string(), middle_name: z.string(), last_name: z.string() })
    .nullable(),
  task: z.object({
    id: z.int(),
    label: z.string(),
    from: dateTime(),
    to: dateTime(),
    creation_date: dateTime(),
    arrival_date: dateTime().nullable(),
    address: z.string(),
    status: z.enum(STATUSES),
    completion_date: dateTime().nullable(),
    /** The tracker's stay at the task, as an ISO 8601 duration. */
    fact_duration: z.string(),
  }),
  tracker: z.object({ id: z.int(), label: z.string() }).nullable(),
  vehicle: z.object({ id: z.int(), label: z.string() }).nullable(),
  form: Form,
  /** The visible areas around the submission, under their names of that time. */
  submit_places: z.object({ location: StoredPosition, places: z.array(Area), zones: z.array(Area) }).nullable(),
});
export type ListedForm = z.output<typeof ListedForm>;

/** Columns of fleet's roster that lists show. */
export type RosterEntry = {
  tracker_id: number | null;
  tracker_label: string | null;
  employee_id: number | null;
  first_name: string | null;
  middle_name: string | null;
  last_name: string | null;
  vehicle_id: number | null;
  vehicle_label: string | null;
};
type ListedTask = Pick<
  TaskRow,
  "id" | "label" | "from" | "to" | "creation_date" | "arrival_date" | "status" | "location" | "stay_duration"
> & { completion_date: number | null };

export type ListedRow = { form: PublicForm; submit_areas: AreasAround | null; task: ListedTask; roster: RosterEntry };

/** Creates the converter for a caller who sees these places and zones. */
export function toListedFor(areas: VisibleAreas): (row: ListedRow) => ListedForm {
  const [places, zones] = [filterVisible(areas.places), filterVisible(areas.zones)];
  return (row) => ({ ...toListed(row), submit_places: placesOf(row) });

  function placesOf({ form: { submit_location: location }, submit_areas }: ListedRow) {
    return (
      location && submit_areas && { location, places: places(submit_areas.places), zones: zones(submit_areas.zones) }
    );
  }
}

/** Keeps areas whose id is among `ids`; null keeps all. */
function filterVisible(ids: number[] | null) {
  const seen = ids && new Set(ids);
  return (areas: NamedArea[]) => areas.filter(({ id }) => !seen || seen.has(id));
}

function toListed({ form, task: { location, stay_duration, ...task }, roster }: ListedRow) {
  const { first_name, middle_name, last_name } = roster;
  const names = { first_name: first_name ?? "", middle_name: middle_name ?? "", last_name: last_name ?? "" };
  return {
    employee: roster.employee_id === null ? null : { id: roster.employee_id, ...names },
    task: { ...task, address: location?.address ?? "", fact_duration: durationOf(stay_duration * SECOND_MS) },
    tracker: roster.tracker_id === null ? null : { id: roster.tracker_id, label: roster.tracker_label ?? "" },
    vehicle: roster.vehicle_id === null ? null : { id: roster.vehicle_id, label: roster.vehicle_label ?? "" },
    form: toForm(form),
  };
}
