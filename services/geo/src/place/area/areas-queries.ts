import { and, gt, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { read } from "#shared/database/steps.ts";
import { mayHaveMore } from "#shared/operation/list-answer.ts";
import type { Bounds } from "../../point/bounds.ts";
import type { Position } from "../../point/schema.ts";
import { place } from "../../table/place/place.ts";
import { zone } from "../../table/zone/zone.ts";
import type { ZoneShape } from "../../zone/contains.ts";
import { cellsAround } from "../../zone/grid/cell.ts";
import { isInCells, selectCells } from "../../zone/grid/nearby-queries.ts";
import { selectZoneRows, visibleZones } from "../../zone/list-queries.ts";
import { MAX_ROWS_PER_PAGE } from "../../zone/weighed-queries.ts";
import { visiblePlaces } from "../list-queries.ts";

/** A zone, or a place as a circle. */
export type Area = ZoneShape & { id: number; label: string };

/** The caller's zones that may reach into the box, in pages. */
export function zonesNear(db: Database, principal: Principal, box: Bounds): AsyncGenerator<Area[]> {
  return pageThroughZones(db, principal, mayReach(box, zone));
}

/** The caller's places that may reach into the box, in pages. */
export function placesNear(db: Database, principal: Principal, box: Bounds): AsyncGenerator<Area[]> {
  const { lat, lng, radius } = place;
  return pageThroughPlaces(db, principal, mayReach(box, { south: lat, north: lat, west: lng, east: lng, radius }));
}

/** The grid cells of the account's zones and places; null: too many to compare in memory. */
export async function selectAreaCells(db: Database, principal: Principal): Promise<AreaCells> {
  const { zones, places } = await read(db, {
    zones: selectCells(db, principal, zone, MAX_CELLS + 1),
    places: selectCells(db, principal, place, MAX_CELLS + 1),
  });
  return { zones: distinctCells(zones), places: distinctCells(places) };
}
export type AreaCells = { zones: number[] | null; places: number[] | null };

/**
 * The caller's zones and places that may contain one of the positions, in pages. A position is in about eighty cells:
 * in accounts with few areas only the cells of areas are queried, or none.
 */
export function areasNear(db: Database, principal: Principal, positions: Position[], areaCells: AreaCells) {
  const around = new Set(positions.flatMap(({ lat, lng }) => cellsAround(lat, lng)));
  const nearby = (cells: number[] | null) => cells?.filter((cell) => around.has(cell)) ?? [...around];
  const [ofZones, ofPlaces] = [nearby(areaCells.zones), nearby(areaCells.places)];
  return {
    zones: () =>
      ofZones.length > 0 ? pageThroughZones(db, principal, isInCells(principal, zone, ofZones)) : noPages(),
    places: () =>
      ofPlaces.length > 0 ? pageThroughPlaces(db, principal, isInCells(principal, place, ofPlaces)) : noPages(),
  };
}

async function* noPages(): AsyncGenerator<never[]> {}

function distinctCells(rows: { cell: number }[]): number[] | null {
  return rows.length > MAX_CELLS ? null : [...new Set(rows.map(({ cell }) => cell))];
}

async function* pageThroughZones(db: Database, principal: Principal, near: SQL | undefined): AsyncGenerator<Area[]> {
  for (let after = 0; ; ) {
    const rows = await selectZoneRows(
      db,
      { condition: visibleZones(principal, near, gt(zone.id, after)), offset: 0 },
      true,
    );
    yield rows;
    const last = rows.at(-1);
    if (!last || !mayHaveMore(rows, MAX_ROWS_PER_PAGE)) return;
    after = last.id;
  }
}

async function* pageThroughPlaces(db: Database, principal: Principal, near: SQL | undefined): AsyncGenerator<Area[]> {
  const { label, lat, lng, radius } = place;
  for (let after = 0; ; ) {
    const rows = await db
      .select({ id: place.id, label, lat, lng, radius })
      .from(place)
      .where(visiblePlaces(principal, near, gt(place.id, after)))
      .orderBy(place.id)
      .limit(MAX_PLACES_PER_PAGE);
    yield rows.map(toCircle);
    const last = rows.at(-1);
    if (!last || rows.length < MAX_PLACES_PER_PAGE) return;
    after = last.id;
  }
}

type Circle = { id: number; label: string; lat: number; lng: number; radius: number };

function toCircle({ id, label, lat, lng, radius }: Circle): Area {
  return { id, label, type: "circle", radius, south: lat, north: lat, west: lng, east: lng, points: null };
}

type BoxColumns = Record<"south" | "west" | "north" | "east" | "radius", SQLiteColumn>;

/** Condition: the area may reach into the box. What it excludes is certainly outside. */
function mayReach(box: Bounds, table: BoxColumns): SQL | undefined {
  const degrees = sql`coalesce(${table.radius}, 0) / ${MIN_METERS_PER_DEGREE}`;
  const latitudes = sql`${table.south} - ${degrees} <= ${box.north} AND ${table.north} + ${degrees} >= ${box.south}`;
  // Circles reach at most three degrees. Near a pole or the date line, any longitude may be near.
  const widest = Math.cos((Math.min(90, Math.max(Math.abs(box.south), Math.abs(box.north)) + 3) * Math.PI) / 180);
  if (widest < 0.05 || box.west > box.east || box.west < -170 || box.east > 170) return latitudes;
  const wide = sql`${degrees} / ${widest}`;
  const longitudes = sql`(${table.west} > ${table.east} OR ${table.west} - ${wide} <= ${box.east} AND ${table.east} + ${wide} >= ${box.west})`;
  return and(latitudes, longitudes);
}

/** The shortest degree of latitude. */
const MIN_METERS_PER_DEGREE = 110_000;
const MAX_PLACES_PER_PAGE = 20_000;
const MAX_CELLS = 1000;
