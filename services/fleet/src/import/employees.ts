import type { Database } from "#shared/database/open.ts";
import type { Offence } from "#shared/error/api-error.ts";
import type { ImportField } from "../people/employee/batch.ts";
import { rowOf } from "../people/employee/queries.ts";
import { NewEmployee } from "../people/employee/schema.ts";
import { type Cells, cellsOf, namesOf } from "../sheet/cells.ts";
import { type Labelled, trackerOf } from "../sheet/tracker-label.ts";
import { selectByLabels } from "../tracker/queries.ts";
import { onBehalfOf, type ReadLine, readLine, type Sheet } from "./line.ts";

export async function readEmployees(db: Database, { importer, headers }: Sheet, rows: string[][]) {
  // Start takes no others.
  const fields = headers as ImportField[];
  const trackers = await selectByLabels(db, onBehalfOf(importer), namesOf("tracker_label", rows, fields));
  const byLabel = Map.groupBy(trackers, ({ label }) => label);
  return rows.map((cells) => readEmployee(cellsOf(cells, fields), byLabel));
}

function readEmployee(
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
