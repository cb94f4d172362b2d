import { type SQL, sql } from "drizzle-orm";
import type { Position } from "#shared/contract/geocoder.ts";
import type { Database } from "#shared/database/open.ts";
import { metersBetween } from "#shared/geometry/distance.ts";
import { gazetteerPlace } from "../table/gazetteer-place.ts";
import { BLOCK_METERS, blocksAround, cellsAround } from "./square.ts";

export type GazetteerPlace = typeof gazetteerPlace.$inferSelect;
export type Near = { place: GazetteerPlace; meters: number };

/**
 * For each position the place nearest to it, of any size where there is one within 27 km, else the nearest town of 15,000
 * people within 440 km; else null. So far away it is sought for the first hundred alone.
 */
export async function selectNearest(db: Database, positions: Position[]): Promise<(Near | null)[]> {
  if (positions.length === 0) return [];
  const asked = positions.map(({ lat, lng }, index) => ({
    ...{ index, lat, lng, cells: cellsAround(lat, lng) },
    blocks: index < MOST_FAR ? blocksAround(lat, lng) : [],
  }));
  const near = nearestOf(asked, sql`'$.cells'`, sql`place.cell = square.value`);
  const town = nearestOf(
    asked,
    sql`'$.blocks'`,
    sql`place.block = square.value AND place.population >= 15000 AND asked.key NOT IN (SELECT position FROM near)`,
  );
  const found = sql`(WITH near AS MATERIALIZED (${near}) SELECT position, id FROM near
    UNION ALL SELECT position, id FROM (${town})) AS found`;
  const rows = await db
    .select({ index: sql<number>`found.position`, place: gazetteerPlace })
    .from(found)
    .innerJoin(gazetteerPlace, sql`${gazetteerPlace.id} = found.id`);
  const places = new Map(rows.map(({ index, place }) => [index, place]));
  return positions.map((position, index) => {
    const place = places.get(index);
    const meters = place ? metersBetween(position.lat, position.lng, place.lat, place.lng) : BLOCK_METERS;
    return place && meters < BLOCK_METERS ? { place, meters } : null;
  });
}

/** Of each position the nearest in its squares, by a plane that is true enough to tell which. */
function nearestOf(asked: unknown[], squares: SQL, condition: SQL): SQL {
  const apart = sql`abs(place.lng - (asked.value ->> 'lng'))`;
  const east = sql`(min(${apart}, 360 - ${apart}) * cos(radians(asked.value ->> 'lat')))`;
  const north = sql`(place.lat - (asked.value ->> 'lat'))`;
  // Beside an aggregate that is the least of all, SQLite takes the other columns from its row.
  return sql`SELECT asked.key AS position, place.id AS id, min(${north} * ${north} + ${east} * ${east})
    FROM json_each(${JSON.stringify(asked)}) AS asked CROSS JOIN json_each(asked.value, ${squares}) AS square
    CROSS JOIN ${gazetteerPlace} AS place ON ${condition} GROUP BY asked.key`;
}

/** Each looks through the towns of a thousand kilometers. */
const MOST_FAR = 100;
