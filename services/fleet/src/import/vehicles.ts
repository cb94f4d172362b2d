import { type Cells, cellsOf, distinctCells } from "#shared/batch/cells.ts";
import { read } from "#shared/database/steps.ts";
import type { Offence } from "#shared/error/api-error.ts";
import { type Labelled, trackerOf } from "../tracker/label.ts";
import { selectByLabels } from "../tracker/queries.ts";
import { garageOf, type ImportField } from "../vehicle/batch.ts";
import { selectByOrganizations } from "../vehicle/garage/queries.ts";
import { rowOf } from "../vehicle/queries.ts";
import { NewVehicle } from "../vehicle/schema.ts";
import { type ImportCall, onBehalfOf, type ReadLine, readLine, type Sheet } from "./line.ts";

export async function readVehicles({ db }: ImportCall, { importer, headers }: Sheet, lines: string[][]) {
  // Start takes no others.
  const fields = headers as ImportField[];
  const rows = lines.map((cells) => cellsOf(cells, fields));
  const { trackers, garages } = await read(db, {
    trackers: selectByLabels(db, onBehalfOf(importer), distinctCells(rows, "tracker_label")),
    garages: selectByOrganizations(db, onBehalfOf(importer), distinctCells(rows, "garage")),
  });
  const trackersBy = Map.groupBy(trackers, ({ label }) => label);
  const garagesBy = Map.groupBy(garages, ({ label }) => label);
  return rows.map((cells) => readVehicle(cells, trackersBy, garagesBy));
}

function readVehicle(
  { garage, tracker_label, tags, ...cells }: Cells<ImportField>,
  trackersBy: Map<string, Labelled[]>,
  garagesBy: Map<string, { id: number; label: string }[]>,
): ReadLine {
  const [errors, warnings]: [Offence[], Offence[]] = [[], []];
  const garage_id = garage === undefined ? null : garageOf(garage, garagesBy, errors);
  const tracker_id = tracker_label === undefined ? null : trackerOf(tracker_label, trackersBy, warnings);
  return readLine(NewVehicle, cells, { tags, tracker_id, errors, warnings }, (input) => rowOf({ ...input, garage_id }));
}
