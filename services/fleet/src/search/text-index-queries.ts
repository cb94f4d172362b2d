import { type SQL, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import { foldText } from "#shared/text/fold.ts";

/** Rows whose own texts have a filter in them. */
export type TextMatch = {
  /** A SELECT of their ids. */
  ids: SQL;
  /** How many they are: a number. */
  count: SQL<number>;
};

/**
 * The account's rows whose texts contain the filter; undefined where nothing of it is left to look for. One index of a
 * table has the texts' letters in threes, in their order; another one single letters and pairs. Triggers of the
 * migrations keep both. Their rows are numbered by account first: of other accounts' texts none is looked at.
 */
export function matchTexts(
  table: "employee" | "vehicle",
  { account_id }: Pick<Principal, "account_id">,
  filter: string,
): TextMatch | undefined {
  const text = foldText(filter);
  if (text === "") return undefined;
  const isShort = [...text].length < MIN_TRIGRAM_LETTERS;
  const index = sql.identifier(isShort ? `${table}_letters` : `${table}_text`);
  const phrase = isShort ? toHexPhrase(text) : `"${text.replaceAll('"', '""')}"`;
  const matches = sql`FROM ${index} WHERE ${index} MATCH ${phrase}
    AND rowid BETWEEN ${account_id} << 32 AND (${account_id} << 32 | ${MAX_ID})`;
  return { ids: sql`SELECT rowid & ${MAX_ID} AS id ${matches}`, count: sql`(SELECT count(*) ${matches})` };
}

/** As the index has it. */
function toHexPhrase(text: string) {
  return `"${Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, "0")).join("")}"`;
}

const MIN_TRIGRAM_LETTERS = 3;
const MAX_ID = 2 ** 32 - 1;
