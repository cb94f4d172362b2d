import { sql } from "drizzle-orm";
import type { Offence } from "#shared/error/api-error.ts";
import { keepChangesOn } from "../people/driver-change/queries.ts";
import type { ImportField } from "../people/employee/batch.ts";
import { rowOf } from "../people/employee/queries.ts";
import { NewEmployee } from "../people/employee/schema.ts";
import { type Cells, cellsOf, namesOf } from "../sheet/cells.ts";
import { type Labelled, trackerOf } from "../sheet/tracker-label.ts";
import { employee } from "../table/employee.ts";
import { selectByLabels } from "../tracker/queries.ts";
import { type Kind, onBehalfOf, type ReadLine, readLine } from "./kind.ts";

export const employees: Kind = {
  table: employee,
  async read(db, importer, rows, headers) {
    // Start takes no others.
    const fields = headers as ImportField[];
    const trackers = await selectByLabels(db, onBehalfOf(importer), namesOf("tracker_label", rows, fields));
    const byLabel = Map.groupBy(trackers, ({ label }) => label);
    return rows.map((cells) => read(cellsOf(cells, fields), byLabel));
  },
  refusal: sql`CASE WHEN EXISTS (SELECT 1 FROM ${employee} AS other WHERE other.account_id = process.account_id
      AND other.tracker_id = given.value ->> '$.row.tracker_id')
    THEN 'tracker_label: Tracker is already bound to an employee' ELSE 'hardware_key: Another employee has this key' END`,
  payload: sql`json_object('first_name', made.first_name, 'last_name', made.last_name, 'tracker_id', made.tracker_id)`,
  follow(db, importer, now, made) {
    const trackers = sql`SELECT made.tracker_id AS id FROM (${made}) AS made WHERE made.tracker_id IS NOT NULL`;
    return keepChangesOn(db, importer, { action_date: now }, trackers);
  },
};

function read(
  { tracker_label, tags, address, lat, lng, radius, ...cells }: Cells<ImportField>,
  byLabel: Map<string, Labelled[]>,
): ReadLine {
  const [errors, warnings]: [Offence[], Offence[]] = [[], []];
  const location = locationOf({ address, lat, lng, radius: radius ?? DEFAULT_RADIUS }, { errors, warnings });
  const tracker_id = tracker_label === undefined ? null : trackerOf(tracker_label, byLabel, warnings);
  return readLine(NewEmployee, { ...cells, location }, { tags, tracker_id, errors, warnings }, rowOf);
}

type Place = { address?: string; lat?: string; lng?: string; radius: string | number };

/** There is nobody to ask where an address is: one without coordinates is left out, and said so. */
function locationOf(place: Place, { errors, warnings }: Pick<ReadLine, "errors" | "warnings">) {
  const { address, lat, lng } = place;
  if (lat !== undefined && lng !== undefined) return place;
  const has = { parameter: "location", error: "must have lat and lng" };
  if (lat !== undefined || lng !== undefined) errors.push(has);
  else if (address !== undefined) warnings.push(has);
  return undefined;
}

const DEFAULT_RADIUS = 100;
