import { readdirSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { nobody } from "#shared/caller/principal.ts";
import { openDatabase } from "#shared/database/open.ts";
import { place } from "../../table/place/place.ts";
import { zone } from "../../table/zone/zone.ts";
import { isNearby } from "./nearby-queries.ts";

const FOLDER = "services/geo/migrations";
const migrations = readdirSync(FOLDER).filter((name) => name.endsWith(".sql"));

test.each([
  ["place", place],
  ["zone", zone],
])("isNearby reads the index of cells of each %s instead of all rows of the account", (name, table) => {
  const database = new DatabaseSync(":memory:");
  for (const file of migrations.toSorted()) database.exec(readFileSync(`${FOLDER}/${file}`, "utf8"));
  const near = isNearby({ ...nobody("none"), account_id: 1 }, table, { lat: 50, lng: 8 });
  const { sql, params } = openDatabase({
    DB_URL: "http://localhost",
    DB_WRITERS: "2",
    DB_STREAMS: "4",
    STATEMENT_SECONDS: "10",
  })
    .select({ id: table.id })
    .from(table)
    .where(near)
    .orderBy(table.id)
    .toSQL();
  const steps = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...params.map(String));
  const plan = steps.map(({ detail }) => String(detail));
  expect(plan).toContain(`SEARCH ${name} USING COVERING INDEX ${name}_account_cell (account_id=? AND cell=?)`);
  expect(plan.filter((step) => step.startsWith("SCAN")).every((step) => step.startsWith("SCAN json_each"))).toBe(true);
});
