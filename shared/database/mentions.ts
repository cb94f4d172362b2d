import { type Column, type SQL, sql } from "drizzle-orm";
import { foldText } from "../text/fold.ts";

/** That the folded column contains the text, whatever its case and marks. LIKE is many times slower on long texts. */
export function mentions(column: Column | SQL, text: string): SQL {
  return sql`instr(${column}, ${foldText(text)}) > 0`;
}

/** That it contains any of them. Halved again and again: SQLite takes expressions of a thousand levels. */
export function mentionsAny(column: Column | SQL, texts: string[]): SQL {
  const [first, ...others] = texts;
  if (first === undefined) return sql`FALSE`;
  if (others.length === 0) return mentions(column, first);
  const half = texts.length >> 1;
  return sql`(${mentionsAny(column, texts.slice(0, half))} OR ${mentionsAny(column, texts.slice(half))})`;
}
