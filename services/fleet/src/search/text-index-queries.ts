import { type SQL, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import { foldText } from "#shared/text/fold.ts";

/** Rows whose own texts contain a filter. */
export type TextMatch = {
  /** A SELECT of the rows' ids. */
  ids: SQL;
  /** An expression for the number of the rows. */
  count: SQL<number>;
};

/**
 * The account's rows whose texts contain the filter; undefined when nothing of it is left after folding. Triggers keep
 * two indexes per table: of trigrams, and of single letters and pairs for shorter filters. Row ids begin with the
 * account's id, so texts of other accounts are never read.
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

/** Encodes the text as the index of letters does: each byte as two hexadecimal digits. */
function toHexPhrase(text: string) {
  return `"${Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, "0")).join("")}"`;
}

const MIN_TRIGRAM_LETTERS = 3;
const MAX_ID = 2 ** 32 - 1;
