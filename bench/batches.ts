import { read, utils, write } from "@e965/xlsx";
import { rowsOfFile } from "../services/files/src/sheet/rows.ts";
import { convertRows as convertVehicles } from "../services/fleet/src/vehicle/batch.ts";
import { convertRows } from "../services/geo/src/place/batch/rows.ts";
import { rowsOf } from "../shared/batch/cells.ts";
import { compared, type Figure, rounds, timeOf } from "./figure.ts";

/** What checking a batch costs beside reading its cells, and a workbook beside the library that unpacks it. */
export async function batchFigures(): Promise<Figure[]> {
  const workbook = newWorkbook();
  const places = textOf((index) => [`Shop ${index}`, `Main St ${index}`, 50 + index / 1e4, 8, 150, "Behind the yard"]);
  const vehicles = textOf((index) => [`Van ${index}`, "Model", `B-FM ${index}`, "B7"]);
  const taken = await rounds({
    parsed: () => timeOf(() => rowsOfFile({ name: "a.xlsx", type: "", bytes: workbook }, SHEET_ROWS), TIMES),
    unpacked: () => timeOf(() => read(workbook, { type: "array", dense: true }), TIMES),
    places: () => timeOf(() => convertRows(placeRows(places), NOTHING_NAMED, 100), TIMES),
    placeCells: () => timeOf(() => placeRows(places), TIMES),
    vehicles: () => timeOf(() => convertVehicles(vehicleRows(vehicles), NO_NAMES), TIMES),
    vehicleCells: () => timeOf(() => vehicleRows(vehicles), TIMES),
  });
  const unit = "ms";
  const cells = { name: "reading the cells alone", unit };
  return [
    compared(
      {
        name: ".xlsx of 10,000 rows and 8 columns parsed",
        unit,
        goal: { most: 1.5 },
        baseline: { name: "the library alone", unit },
      },
      taken.parsed,
      taken.unpacked,
    ),
    compared(
      { name: "5,000 places of a batch converted", unit, goal: { most: 4 }, baseline: cells },
      taken.places,
      taken.placeCells,
    ),
    compared(
      { name: "5,000 vehicles of a batch converted", unit, goal: { most: 4 }, baseline: cells },
      taken.vehicles,
      taken.vehicleCells,
    ),
  ];
}

function newWorkbook(): Uint8Array {
  const rows = Array.from({ length: SHEET_ROWS }, (_, index) => [
    `Name ${index}`,
    "Lee",
    4930000000 + index,
    index / 7,
    new Date(Date.UTC(2031, 0, 1 + (index % 365))),
    index % 2 === 0,
    "crane, hazardous",
    `Note ${index % 100}`,
  ]);
  const sheet = utils.aoa_to_sheet(rows, { UTC: true });
  return new Uint8Array(write({ SheetNames: ["S"], Sheets: { S: sheet } }, { type: "array", compression: true }));
}

function textOf(row: (index: number) => (string | number)[]) {
  return Array.from({ length: BATCH_ROWS }, (_, index) => row(index).join("\t")).join("\n");
}

function placeRows(text: string) {
  return rowsOf(text, ["label", "address", "lat", "lng", "radius", "description"], BATCH_ROWS).rows;
}

function vehicleRows(text: string) {
  return rowsOf(text, ["label", "model", "reg_number", "fuel_grade"], BATCH_ROWS).rows;
}

const NOTHING_NAMED = { tags: [], employees: [], customFields: [] };
const NO_NAMES = { trackers: [], garages: [], tags: [] };
const [SHEET_ROWS, BATCH_ROWS] = [10_000, 5000];
const TIMES = 5;
