import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "#shared/database/open.ts";
import { selectObjects } from "#shared/database/rows.ts";
import { metersBetween } from "#shared/geometry/distance.ts";
import { loadGazetteer } from "../../../../../scripts/system/gazetteer.ts";
import type { DatabaseServer } from "../../../../../scripts/system/sqld.ts";
import { chanceOf } from "../../../../../test/tool/chance.ts";
import { startDatabaseOf } from "../../../../../test/tool/database/server.ts";
import { gazetteerPlace } from "../../table/gazetteer-place.ts";
import { parseAddress } from "./address-query.ts";
import { selectNamedPlaces } from "./named-queries.ts";
import { selectNearest, selectNearestTown } from "./nearest-queries.ts";
import { blockOf, cellOf } from "./square.ts";

let database: Awaited<ReturnType<typeof startDatabaseOf>>;
let server: DatabaseServer;
let db: Database;

beforeAll(async () => {
  database = await startDatabaseOf("geo");
  const { DB_URL, DB_TOKEN = "" } = database.env;
  server = { url: DB_URL, token: DB_TOKEN, isOwn: true };
  db = openDatabase(database.env);
});
afterAll(() => database?.stop());

const nameOf = async (address: string) =>
  (await selectNamedPlaces(db, [parseAddress(address, "en")], { limit: 1 }))[0]?.place.name;
const counted = async () =>
  (await selectObjects<{ count: number }>(db, sql`SELECT count(*) AS count FROM gazetteer_place`))[0]?.count;

test("a gazetteer import that was stopped resumes, joins smaller places to larger ones, and stores nothing twice", async () => {
  // The database has cities of another edition, which the import replaces.
  await db.run(sql`UPDATE gazetteer_edition SET edition = 'of another year'`);
  await loadGazetteer(server, 500_000);
  const large = await counted();
  expect(await nameOf("Nice")).toBeUndefined();
  // An import that stopped before its progress was stored repeats its work.
  await loadGazetteer(server, 300_000);
  await db.run(sql`UPDATE gazetteer_edition SET least = 500000`);
  await loadGazetteer(server, 300_000);
  expect(await counted()).toBeGreaterThan(Number(large));
  expect(
    (await selectNamedPlaces(db, [parseAddress("Nice", "en")], { limit: 9 })).map(({ place }) => place.country),
  ).toEqual(["FR"]);
  // An import of larger places only keeps smaller ones that are stored.
  const all = await counted();
  await loadGazetteer(server, 500_000);
  expect(await counted()).toBe(all);
  await db.run(sql`UPDATE gazetteer_edition SET edition = 'of another year'`);
  await loadGazetteer(server, 500_000);
  expect(await counted()).toBe(large);
});

test("the gazetteer finds the nearest of all places, also across the date line, or a large one farther away", async () => {
  await db.run(sql`DELETE FROM gazetteer_place`);
  const chance = chanceOf(11);
  const number = (from: number, to: number) => from + chance() * (to - from);
  const places = Array.from({ length: 3000 }, (_, index) => ({
    id: index + 1,
    lat: 60 + number(0, 3),
    lng: ((180 + 180 + number(-3, 3)) % 360) - 180,
    population: index % 40 === 0 ? 20_000 : 700,
  }));
  for (let start = 0; start < places.length; start += 500) {
    await db.insert(gazetteerPlace).values(
      places.slice(start, start + 500).map((place) => ({
        ...{ ...place, name: `P${place.id}`, country: "FJ", province: null, province_folded: null },
        ...{ cell: cellOf(place.lat, place.lng), block: blockOf(place.lat, place.lng) },
      })),
    );
  }
  const asked = Array.from({ length: 60 }, () => ({
    lat: 60 + number(0, 3),
    lng: ((360 + number(-3, 3)) % 360) - 180,
  }));
  const nearest = await selectNearest(db, asked);
  for (const [index, position] of asked.entries()) {
    const least = Math.min(...places.map((place) => metersBetween(position, place)));
    // The search compares distances in a plane, which are wrong by a few meters.
    expect(nearest[index]?.meters ?? 0).toBeLessThan(least + 50);
  }
  const south = { lat: 58, lng: 180 };
  expect(await selectNearest(db, [south])).toEqual([null]);
  const town = await selectNearestTown(db, south);
  expect(places.find(({ id }) => id === town?.place.id)?.population).toBe(20_000);
  expect(town?.meters).toBeGreaterThan(200_000);
  expect(await selectNearestTown(db, { lat: 0, lng: 0 })).toBeNull();
});
