import { desc, type SQL, sql } from "drizzle-orm";
import type { Database } from "#shared/database/open.ts";
import type { Bounds } from "../../point/bounds.ts";
import { gazetteerPlace } from "../../table/gazetteer-place.ts";
import type { AddressQuery } from "./address-query.ts";
import { type GazetteerPlace, PLACE_COLUMNS } from "./nearest-queries.ts";

/**
 * A place found for search number `search`. `isWhole`: its whole name was given; `context`: how many other parts of the
 * address match its province or country.
 */
export type NamedPlace = { search: number; place: GazetteerPlace; isWhole: boolean; context: number };

/**
 * The best places for each address. Order: matching provinces and countries, whole names, order in the address, within
 * the bounds, population.
 */
export async function selectNamedPlaces(
  db: Database,
  searches: AddressQuery[],
  { bounds, limit }: { bounds?: Bounds; limit: number },
): Promise<NamedPlace[]> {
  const names = searches.flatMap(({ names }, search) => names.map((name) => ({ ...name, search })));
  if (names.length === 0) return [];
  const sought = sql`json_each(${JSON.stringify(names)}) AS sought`;
  const hitsOf = (
    member: string,
    isWhole: boolean,
  ) => sql`SELECT sought.key AS name, gazetteer_text.rowid AS id, ${isWhole} AS whole
    FROM ${sought} CROSS JOIN gazetteer_text ON gazetteer_text MATCH sought.value ->> ${member}`;
  const hits = sql`(SELECT name, id, max(whole) AS whole FROM
    (${hitsOf("begins", false)} UNION ALL ${hitsOf("whole", true)}) GROUP BY name, id) AS hit`;
  const isOneOf = (column: SQL, member: string) =>
    sql`ifnull(${column} IN (SELECT value FROM json_each(sought.value -> ${member})), 0)`;
  const context = sql<number>`(${isOneOf(sql`${gazetteerPlace.country}`, "countries")}
    + ${isOneOf(sql`${gazetteerPlace.province_folded}`, "provinces")})`;
  const order = [
    desc(context),
    sql`hit.whole DESC`,
    sql`sought.value ->> 'part'`,
    ...(bounds ? [desc(isInBounds(bounds))] : []),
    desc(gazetteerPlace.population),
    gazetteerPlace.id,
  ];
  const ranked = db
    .select({
      id: sql<number>`${gazetteerPlace.id}`.as("place_id"),
      search: sql<number>`sought.value ->> 'search'`.as("search"),
      isWhole: sql<number>`hit.whole`.as("whole"),
      context: context.as("context"),
      rank: sql<number>`row_number() OVER (PARTITION BY sought.value ->> 'search' ORDER BY ${sql.join(order, sql`, `)})`.as(
        "rank",
      ),
    })
    .from(hits)
    .innerJoin(sought, sql`sought.key = hit.name`)
    .innerJoin(gazetteerPlace, sql`${gazetteerPlace.id} = hit.id`)
    .as("ranked");
  return db
    .select({
      search: ranked.search,
      isWhole: sql<number>`${ranked.isWhole}`.mapWith(Boolean),
      context: ranked.context,
      place: PLACE_COLUMNS,
    })
    .from(ranked)
    .innerJoin(gazetteerPlace, sql`${gazetteerPlace.id} = ${ranked.id} AND ${ranked.rank} <= ${limit}`)
    .orderBy(sql`${ranked.search}, ${ranked.rank}`);
}

/** Condition: the place is within the bounds, which may cross the date line. */
function isInBounds({ north, south, west, east }: Bounds): SQL {
  const { lat, lng } = gazetteerPlace;
  const between = sql`(${lng} >= ${west} AND ${lng} <= ${east})`;
  const around = sql`(${lng} >= ${west} OR ${lng} <= ${east})`;
  return sql`(${lat} BETWEEN ${south} AND ${north} AND ${west > east ? around : between})`;
}
