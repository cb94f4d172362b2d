import { type Column, type SQL, sql } from "drizzle-orm";
import { foldText } from "../text/fold.ts";

/**
 * The folded column contains the text, regardless of case and marks. instr is many times faster than LIKE on long
 * texts.
 */
export function mentions(column: Column | SQL, text: string): SQL {
  return sql`instr(${column}, ${foldText(text)}) > 0`;
}

/** The column contains any of the texts. The terms form a balanced tree: SQLite allows a depth of 1,000. */
export function mentionsAny(column: Column | SQL, texts: string[]): SQL {
  const [first, ...others] = texts;
  if (first === undefined) return sql`FALSE`;
  if (others.length === 0) return mentions(column, first);
  const half = texts.length >> 1;
  return sql`(${mentionsAny(column, texts.slice(0, half))} OR ${mentionsAny(column, texts.slice(half))})`;
}
