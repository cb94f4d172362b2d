import { type SQL, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import { folded } from "#shared/text/folded.ts";

/**
 * Ids of the account's rows whose texts contain the filter, from an index of the texts' letters in threes; undefined for
 * a filter that has fewer. Triggers of the migrations keep the indexes. An index's rows are numbered by account first:
 * of other accounts' texts none is looked at.
 */
export function idsContaining(
  index: "employee_text" | "vehicle_text",
  { account_id }: Pick<Principal, "account_id">,
  filter: string,
): SQL | undefined {
  const text = folded(filter);
  if ([...text].length < LETTERS) return undefined;
  const phrase = `"${text.replaceAll('"', '""')}"`;
  const ofAccount = sql`rowid BETWEEN ${account_id} << 32 AND (${account_id} << 32) + ${HIGHEST_ID}`;
  return sql`SELECT rowid & ${HIGHEST_ID} FROM ${sql.identifier(index)}
    WHERE ${sql.identifier(index)} MATCH ${phrase} AND ${ofAccount}`;
}

const LETTERS = 3;
const HIGHEST_ID = 2 ** 32 - 1;
