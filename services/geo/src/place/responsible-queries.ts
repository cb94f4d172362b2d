import { sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { customField } from "../table/place/custom-field.ts";
import { place } from "../table/place/place.ts";
import { visiblePlaces } from "./list-queries.ts";

/** The caller's places for which one of the employees is responsible, by the account's custom field for that. */
export async function selectResponsiblePlaces(
  db: Database,
  principal: Principal,
  employee_ids: number[],
): Promise<number[]> {
  const field = sql`(SELECT '$."' || id || '".value' FROM ${customField}
    WHERE account_id = ${principal.account_id} AND responsible LIMIT 1)`;
  const isTheirs = sql`${place.fields} ->> ${field} IN (SELECT value FROM json_each(${JSON.stringify(employee_ids)}))`;
  const rows = await db
    .select({ id: place.id })
    .from(place)
    .where(visiblePlaces(principal, isTheirs))
    .orderBy(place.id)
    .limit(MAX_PLACES);
  return rows.map(({ id }) => id);
}

/** More places are never visited within a report's range. */
const MAX_PLACES = 500;
