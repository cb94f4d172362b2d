import { sql } from "drizzle-orm";
import type { Offence } from "#shared/error/api-error.ts";
import { type Cells, cellsOf, namesOf } from "../sheet/cells.ts";
import { type Labelled, trackerOf } from "../sheet/tracker-label.ts";
import { garage } from "../table/garage.ts";
import { vehicle } from "../table/vehicle.ts";
import { selectByLabels } from "../tracker/queries.ts";
import { garageOf, type ImportField } from "../vehicle/batch.ts";
import { selectByOrganizations } from "../vehicle/garage/queries.ts";
import { rowOf } from "../vehicle/queries.ts";
import { NewVehicle } from "../vehicle/schema.ts";
import { type Kind, onBehalfOf, type ReadLine, readLine } from "./kind.ts";

export const vehicles: Kind = {
  table: vehicle,
  async read(db, importer, rows, headers) {
    // Start takes no others.
    const fields = headers as ImportField[];
    const [trackers, garages] = await db.batch([
      selectByLabels(db, onBehalfOf(importer), namesOf("tracker_label", rows, fields)),
      selectByOrganizations(db, onBehalfOf(importer), namesOf("garage", rows, fields)),
    ]);
    const trackersBy = Map.groupBy(trackers, ({ label }) => label);
    const garagesBy = Map.groupBy(garages, ({ label }) => label);
    return rows.map((cells) => read(cellsOf(cells, fields), trackersBy, garagesBy));
  },
  refusal: sql`'tracker_label: Tracker is already bound to a vehicle'`,
  payload: sql`json_object('label', made.label, 'tracker_id', made.tracker_id)`,
  // Deleted in the meantime, it is none.
  columns: {
    garage_id: sql`(SELECT known.id FROM ${garage} AS known WHERE known.id = given.value ->> '$.row.garage_id' AND known.account_id = process.account_id)`,
  },
};

function read(
  { garage, tracker_label, tags, ...cells }: Cells<ImportField>,
  trackersBy: Map<string, Labelled[]>,
  garagesBy: Map<string, { id: number; label: string }[]>,
): ReadLine {
  const [errors, warnings]: [Offence[], Offence[]] = [[], []];
  const garage_id = garage === undefined ? null : garageOf(garage, garagesBy, errors);
  const tracker_id = tracker_label === undefined ? null : trackerOf(tracker_label, trackersBy, warnings);
  return readLine(NewVehicle, cells, { tags, tracker_id, errors, warnings }, (input) => rowOf({ ...input, garage_id }));
}
