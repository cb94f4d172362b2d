import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { read, utils, write } from "@e965/xlsx";
import { parseSheet } from "../services/files/src/sheet/parse.ts";
import { convertRows as convertEmployees } from "../services/fleet/src/people/employee/batch.ts";
import { convertRows as convertVehicles } from "../services/fleet/src/vehicle/batch.ts";
import { convertRows as convertPlaces } from "../services/geo/src/place/batch/rows.ts";
import { convertRows as convertZones } from "../services/geo/src/zone/batch/rows.ts";
import { convertRows as convertTasks } from "../services/tasks/src/task/batch/rows.ts";
import { type Cells, rowsOf } from "../shared/batch/cells.ts";
import { clockOf } from "../shared/time/clock.ts";
import { compareRounds, type Figure, rounds, timeOf } from "./tool/figure.ts";

/** Compares checking a batch with reading its cells, and a workbook with the library that unpacks it. */
export async function batchFigures(): Promise<Figure[]> {
  const workbook = newWorkbook();
  const { parsed, unpacked } = await rounds({
    parsed: () => timeOf(() => parseSheet({ name: "a.xlsx", type: "", bytes: workbook }, SHEET_ROWS), TIMES),
    unpacked: () => timeOf(() => read(workbook, { type: "array", dense: true }), TIMES),
  });
  const name = ".xlsx of 10,000 rows and 8 columns parsed";
  const baseline = { name: "the library alone", unit: "ms" };
  const figures = [compareRounds({ name, unit: "ms", goal: { most: 1.5 }, baseline }, parsed, unpacked)];
  for (const things of Object.keys(BATCHES)) figures.push(await batchFigure(things));
  return figures;
}

/** The cells of a row by their columns, and what becomes of all rows. */
type Batch<Field extends string = string> = {
  row(index: number): Record<Field, string | number>;
  convert(rows: Cells<Field>[]): unknown;
};

type Taken = Record<"converted" | "read", number[]>;

/** In an isolate of its own, as it has one in its Worker: what one batch has made fast for its columns, another would slow down. */
async function batchFigure(things: string): Promise<Figure> {
  const isolate = new Worker(fileURLToPath(import.meta.url), { workerData: things });
  const [taken] = (await once(isolate, "message")) as [Taken]; // as it is posted below
  const name = `5,000 ${things} of a batch converted`;
  const baseline = { name: "reading the cells alone", unit: "ms" };
  return compareRounds({ name, unit: "ms", goal: { most: 4 }, baseline }, taken.converted, taken.read);
}

function timesOf({ row, convert }: Batch): Promise<Taken> {
  const columns = Object.keys(row(0));
  const lines = Array.from({ length: BATCH_ROWS }, (_, index) => Object.values(row(index)).join("\t"));
  const bytes = new TextEncoder().encode(lines.join("\n"));
  // A parsed sheet as the bucket returns it.
  const cells = () => rowsOf(new TextDecoder().decode(bytes), columns, BATCH_ROWS).rows;
  return rounds({
    converted: () => timeOf(() => convert(cells()), TIMES),
    read: () => timeOf(cells, TIMES),
  });
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

const at = (index: number) => ({ address: `Main St ${index}`, lat: 50 + index / 1e4, lng: 8 });
const NOBODY = { named: [], employees: [], vehicles: [] };
const DEFAULTS = { radius: 100, duration: 60, max_delay: 0, min_stay_duration: 0 };
const CLOCK = clockOf({}, "Europe/Berlin", false);
const BATCHES: Record<string, Batch> = {
  places: {
    row: (index) => ({ label: `Shop ${index}`, ...at(index), radius: 150, description: "Behind the yard" }),
    convert: (rows) => convertPlaces(rows, { tags: [], employees: [], customFields: [] }, 100),
  },
  vehicles: {
    row: (index) => ({ label: `Van ${index}`, model: "Model", reg_number: `B-FM ${index}`, fuel_grade: "B7" }),
    convert: (rows) => convertVehicles(rows, { trackers: [], garages: [], tags: [] }),
  },
  zones: {
    row: (index) => ({ label: `Yard ${index}`, ...at(index), radius: 150 }),
    convert: (rows) => convertZones(rows, [], 100),
  },
  employees: {
    row: (index) => ({ first_name: `Ann ${index}`, last_name: "Lee", phone: 4_930_000_000 + index, ...at(index) }),
    convert: (rows) => convertEmployees(rows, { trackers: [], tags: [] }, 100),
  },
  tasks: {
    row: (index) => ({ label: `Parcel ${index}`, from: `2031-05-${10 + (index % 20)} 08:00`, ...at(index) }),
    convert: (rows) => convertTasks(rows, DEFAULTS, NOBODY, CLOCK),
  },
};
const [SHEET_ROWS, BATCH_ROWS] = [10_000, 5000];
const TIMES = 5;

const own = isMainThread ? undefined : BATCHES[workerData];
if (own) parentPort?.postMessage(await timesOf(own));
