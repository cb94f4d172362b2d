import { type Cells, cellsOf, distinctCells } from "#shared/batch/cells.ts";
import { read } from "#shared/database/steps.ts";
import type { Offence } from "#shared/error/api-error.ts";
import { findTrackerByLabel, type LabelledTracker } from "../tracker/find-by-label.ts";
import { selectByLabels } from "../tracker/queries.ts";
import { garageOf, type ImportField } from "../vehicle/batch.ts";
import { selectByOrganizations } from "../vehicle/garage/queries.ts";
import { rowOf } from "../vehicle/queries.ts";
import { NewVehicle } from "../vehicle/schema.ts";
import { type ImportContext, type ImportSheet, type ParsedLine, parseLine, principalOf } from "./parsed-line.ts";

export async function parseVehicles({ db }: ImportContext, { importer, headers }: ImportSheet, lines: string[][]) {
  // The operation that starts an import accepts no other headers.
  const fields = headers as ImportField[];
  const rows = lines.map((cells) => cellsOf(cells, fields));
  const { trackers, garages } = await read(db, {
    trackers: selectByLabels(db, principalOf(importer), distinctCells(rows, "tracker_label")),
    garages: selectByOrganizations(db, principalOf(importer), distinctCells(rows, "garage")),
  });
  const trackersBy = Map.groupBy(trackers, ({ label }) => label);
  const garagesBy = Map.groupBy(garages, ({ label }) => label);
  return rows.map((cells) => parseVehicle(cells, trackersBy, garagesBy));
}

function parseVehicle(
  { garage, tracker_label, tags, ...cells }: Cells<ImportField>,
  trackersBy: Map<string, LabelledTracker[]>,
  garagesBy: Map<string, { id: number; label: string }[]>,
): ParsedLine {
  const [errors, warnings]: [Offence[], Offence[]] = [[], []];
  const garage_id = garage === undefined ? null : garageOf(garage, garagesBy, errors);
  const tracker_id = tracker_label === undefined ? null : findTrackerByLabel(tracker_label, trackersBy, warnings);
  return parseLine(NewVehicle, cells, { tags, tracker_id, errors, warnings }, (input) =>
    rowOf({ ...input, garage_id }),
  );
}
