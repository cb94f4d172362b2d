import { type Cells, cellsOf, distinctCells } from "#shared/batch/cells.ts";
import { completeLocations, lacksPosition, type RowLocation } from "#shared/batch/locations.ts";
import type { Offence } from "#shared/error/api-error.ts";
import type { ImportField } from "../people/employee/batch.ts";
import { rowOf } from "../people/employee/queries.ts";
import { NewEmployee } from "../people/employee/schema.ts";
import { findTrackerByLabel, type LabelledTracker } from "../tracker/find-by-label.ts";
import { selectByLabels } from "../tracker/queries.ts";
import { type ImportContext, type ImportSheet, type ParsedLine, parseLine, principalOf } from "./parsed-line.ts";

export async function parseEmployees(
  { db, env }: ImportContext,
  { importer, headers }: ImportSheet,
  lines: string[][],
) {
  // The operation that starts an import accepts no other headers.
  const fields = headers as ImportField[];
  const rows = lines.map((cells) => cellsOf(cells, fields));
  const principal = principalOf(importer);
  const [trackers, located] = await Promise.all([
    selectByLabels(db, principal, distinctCells(rows, "tracker_label")),
    completeLocations(rows, { geocoder: env.GEO, principal }),
  ]);
  const byLabel = Map.groupBy(trackers, ({ label }) => label);
  return located.map((cells) => parseEmployee(cells, byLabel));
}

function parseEmployee(
  {
    tracker_label,
    tags,
    address,
    lat,
    lng,
    radius,
    ...cells
  }: Omit<Cells<ImportField>, keyof RowLocation> & RowLocation,
  byLabel: Map<string, LabelledTracker[]>,
): ParsedLine {
  const [errors, warnings]: [Offence[], Offence[]] = [[], []];
  const location = locationOf({ address, lat, lng, radius: radius ?? DEFAULT_RADIUS }, { errors, warnings });
  const tracker_id = tracker_label === undefined ? null : findTrackerByLabel(tracker_label, byLabel, warnings);
  return parseLine(NewEmployee, { ...cells, location }, { tags, tracker_id, errors, warnings }, rowOf);
}

type CellLocation = RowLocation & { radius: string | number };

/**
 * The location of a row. An address that cannot be geocoded is left out with a warning; half a position is an error.
 */
function locationOf(location: CellLocation, { errors, warnings }: Pick<ParsedLine, "errors" | "warnings">) {
  const { address, lat, lng } = location;
  if (!lacksPosition(location)) return location;
  const has = { parameter: "location", error: "must have lat and lng" };
  if (lat !== undefined || lng !== undefined) errors.push(has);
  else if (address !== undefined) warnings.push(has);
  return undefined;
}

const DEFAULT_RADIUS = 100;
