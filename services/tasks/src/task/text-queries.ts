import { type SQL, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import { foldText } from "#shared/text/fold.ts";
import { task } from "../table/task/task.ts";

/** The columns of the index, by the names that conditions have for them. */
const INDEX_COLUMNS: Record<string, string> = {
  label: "label",
  description: "description",
  location: "address",
  external_id: "external_id",
};
/** Each of the plain words is sought in these. */
const WORD_COLUMNS = "label description address";

/**
 * What tasks must have in the index of their texts for the conditions and words to hold, so that the others need not be looked
 * through; what holds of those, conditions and words still say. Of other accounts' texts none is looked at.
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

/** What a condition that must hold seeks as a text. */
function toSearchedText(given: unknown): { columns: string; text: string } | undefined {
  if (typeof given !== "object" || given === null) return undefined;
  const { type, field, value } = given as Record<string, unknown>; // an object of JSON
  if (type !== "contains" || typeof field !== "string" || typeof value !== "string") return undefined;
  const columns = Object.hasOwn(INDEX_COLUMNS, field) ? INDEX_COLUMNS[field] : undefined;
  return columns === undefined ? undefined : { columns, text: value };
}

/** Undefined for a text with fewer letters than the index has in one. */
function toPhrase(columns: string, given: string): string | undefined {
  const text = foldText(given);
  if ([...text].length < MIN_PHRASE_LETTERS) return undefined;
  return `{${columns}} : "${text.replaceAll('"', '""')}"`;
}

const MIN_PHRASE_LETTERS = 3;
const MAX_ID = 2 ** 32 - 1;
/** The rest is looked for in what is left. */
const MAX_PHRASES = 10;
