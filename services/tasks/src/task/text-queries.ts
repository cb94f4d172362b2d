import { type SQL, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import { foldText } from "#shared/text/fold.ts";
import { task } from "../table/task/task.ts";

/** The columns of the text index, by the names in search conditions. */
const INDEX_COLUMNS: Record<string, string> = {
  label: "label",
  description: "description",
  location: "address",
  external_id: "external_id",
};
/** A plain word is searched in these columns. */
const WORD_COLUMNS = "label description address";

/**
 * Narrows a search by the text index, so that the remaining conditions examine fewer tasks. It may match too many
 * tasks, never too few. Texts of other accounts are not read.
 */
export function narrowByTexts(
  principal: Principal,
  conditions: unknown[] | null,
  words: string[] | null,
): SQL | undefined {
  const sought = (conditions ?? []).slice(0, MAX_PHRASES).flatMap((one) => toSearchedText(one) ?? []);
  const phrases = [
    ...sought,
    ...(words ?? []).slice(0, MAX_PHRASES).map((text) => ({ columns: WORD_COLUMNS, text })),
  ].flatMap(({ columns, text }) => toPhrase(columns, text) ?? []);
  if (phrases.length === 0) return undefined;
  const { account_id } = principal;
  const ofAccount = sql`rowid BETWEEN ${account_id} << 32 AND (${account_id} << 32) + ${MAX_ID}`;
  const ids = sql`SELECT rowid & ${MAX_ID} FROM task_text WHERE task_text MATCH ${phrases.join(" AND ")} AND ${ofAccount}`;
  return sql`${task.id} IN (${ids})`;
}

/** The text that a condition searches; undefined for conditions that the index cannot answer. */
function toSearchedText(given: unknown): { columns: string; text: string } | undefined {
  if (typeof given !== "object" || given === null) return undefined;
  const { type, field, value } = given as Record<string, unknown>; // an object of JSON
  if (type !== "contains" || typeof field !== "string" || typeof value !== "string") return undefined;
  const columns = Object.hasOwn(INDEX_COLUMNS, field) ? INDEX_COLUMNS[field] : undefined;
  return columns === undefined ? undefined : { columns, text: value };
}

/** A phrase for the index; undefined for texts shorter than its trigrams. */
function toPhrase(columns: string, given: string): string | undefined {
  const text = foldText(given);
  if ([...text].length < MIN_PHRASE_LETTERS) return undefined;
  return `{${columns}} : "${text.replaceAll('"', '""')}"`;
}

const MIN_PHRASE_LETTERS = 3;
const MAX_ID = 2 ** 32 - 1;
/** Further texts are only searched in the tasks that these phrases find. */
const MAX_PHRASES = 10;
