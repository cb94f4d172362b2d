import type { Principal } from "#shared/caller/principal.ts";
import type { AreaKinds } from "#shared/contract/report-source.ts";
import { openDatabase } from "#shared/database/open.ts";
import type { GeoEnv } from "../../env.ts";
import type { Position } from "../../point/schema.ts";
import { contains } from "../../zone/contains.ts";
import { padBox } from "../../zone/grid/box.ts";
import { squareOf, squaresOf } from "../../zone/squares.ts";
import { type Area, type AreaCells, areasNear, selectAreaCells } from "./areas-queries.ts";

/** For each position the labels of the places that contain it, followed by those of the zones. */
export async function areaLabelsAt(
  env: GeoEnv,
  principal: Principal,
  positions: Position[],
  { places, zones }: AreaKinds,
): Promise<string[][]> {
  const db = openDatabase(env);
  const isRequested = positions.length > 0 && (places || zones);
  const cells = isRequested ? await selectAreaCells(db, principal) : NO_CELLS;
  if (cells.places?.length === 0 && cells.zones?.length === 0) return positions.map(() => []);
  const names = new Map(positions.map((position) => [keyOf(position), { position, labels: NO_LABELS }]));
  const distinct = [...names.values()];
  for (let start = 0; start < distinct.length; start += MAX_POSITIONS_PER_QUERY) {
    const batch = distinct.slice(start, start + MAX_POSITIONS_PER_QUERY);
    const batchPositions = batch.map(({ position }) => position);
    const near = areasNear(db, principal, batchPositions, cells);
    const [ofPlaces, ofZones] = await Promise.all([
      places ? labelPositions(near.places(), batch) : [],
      zones ? labelPositions(near.zones(), batch) : [],
    ]);
    for (const [index, one] of batch.entries()) one.labels = [...(ofPlaces[index] ?? []), ...(ofZones[index] ?? [])];
  }
  return positions.map((position) => names.get(keyOf(position))?.labels ?? []);
}

async function labelPositions(pages: AsyncIterable<Area[]>, positions: { position: Position }[]): Promise<string[][]> {
  const labels = positions.map((): string[] => []);
  const bySquare = Map.groupBy(positions.keys(), (index) => squareOf(positions[index]?.position ?? NULL_ISLAND));
  for await (const page of pages) {
    for (const area of page) {
      const squares = squaresOf(padBox(area, area.radius ?? 0));
      const near = squares ? squares.flatMap((square) => bySquare.get(square) ?? []) : positions.keys();
      for (const index of near) {
        if (contains(area, positions[index]?.position ?? NULL_ISLAND)) labels[index]?.push(area.label);
      }
    }
  }
  return labels;
}

/** A key that is equal for positions about a meter apart. */
function keyOf({ lat, lng }: Position) {
  return `${lat.toFixed(5)} ${lng.toFixed(5)}`;
}

const NO_CELLS: AreaCells = { places: [], zones: [] };
const NO_LABELS: string[] = [];
const NULL_ISLAND = { lat: 0, lng: 0 };
/** Each position takes about eighty cells in the query. */
const MAX_POSITIONS_PER_QUERY = 500;
