import { sql } from "drizzle-orm";
import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import { metersBetween } from "#shared/geometry/distance.ts";
import type { Position } from "#shared/geometry/position.ts";
import { gazetteerPlace } from "../../table/gazetteer-place.ts";
import { BLOCK_METERS, blocksAround, cellsAround } from "./square.ts";

const { id, name, country, province, lat, lng, cell, block } = gazetteerPlace;
/** Columns that an address is made from. */
export const PLACE_COLUMNS = { id, name, country, province, lat, lng };
export type GazetteerPlace = Pick<typeof gazetteerPlace.$inferSelect, keyof typeof PLACE_COLUMNS>;
export type NearestPlace = { place: GazetteerPlace; meters: number };

/** For each position the nearest place of any size within about 27 km; null: none. */
export async function selectNearest(db: Database, positions: Position[]): Promise<(NearestPlace | null)[]> {
  const cells = positions.map((position) => cellsAround(position.lat, position.lng));
  const rows = await db
    .select({ ...PLACE_COLUMNS, square: cell })
    .from(gazetteerPlace)
    .where(among(cell, [...new Set(cells.flat())]));
  return nearestOf(positions, cells, rows);
}

/** The nearest town with 15,000 inhabitants within 440 km; null: none. */
export async function selectNearestTown(db: Database, position: Position): Promise<NearestPlace | null> {
  const blocks = blocksAround(position.lat, position.lng);
  const rows = await db
    .select({ ...PLACE_COLUMNS, square: block })
    .from(gazetteerPlace)
    .where(sql`${among(block, blocks)} AND population >= 15000`);
  const near = nearestOf([position], [blocks], rows)[0] ?? null;
  return near && near.meters < BLOCK_METERS ? near : null;
}

function nearestOf(positions: Position[], squares: number[][], rows: (GazetteerPlace & { square: number })[]) {
  const places = Map.groupBy(rows, ({ square }) => square);
  return positions.map((position, index): NearestPlace | null => {
    const candidates = (squares[index] ?? []).flatMap((square) => places.get(square) ?? []);
    const near = candidates.map((place) => ({
      place,
      meters: metersBetween(position, place),
    }));
    return near.length === 0 ? null : near.reduce((one, other) => (other.meters < one.meters ? other : one));
  });
}
