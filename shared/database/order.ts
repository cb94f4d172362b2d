import { asc, type Column, desc, type SQL, sql } from "drizzle-orm";
import * as z from "zod";

/** Sortable fields by the names that callers use. */
export type Sortable = Record<string, Column | SQL>;

/** The parameter `sort`: texts `<field>=<asc|desc>`, most significant first. */
export function sortOptions(sortable: Sortable, max: number) {
  return z
    .array(
      z.string().refine((option) => isOption(option, sortable), {
        error: `must be <field>=<asc|desc> with a field of ${Object.keys(sortable).join(", ")}`,
      }),
    )
    .max(max)
    .nullable()
    .default(null);
}

/** ORDER BY for options that `sortOptions` accepted: nulls last in both directions, then by `last`. */
export function orderBy(options: string[] | null, sortable: Sortable, last: Column): SQL[] {
  const terms = (options ?? []).flatMap((option) => {
    const [name = "", direction] = option.split("=");
    const column = sortable[name];
    if (!column) return [];
    const term = direction === "desc" ? desc(column) : asc(column);
    // No null test for columns that are never null, so that their index can be used.
    return isNeverNull(column) ? [term] : [sql`${column} IS NULL`, term];
  });
  return [...terms, asc(last)];
}

function isOption(option: string, sortable: Sortable) {
  const [name = "", direction, ...more] = option.split("=");
  return Object.hasOwn(sortable, name) && (direction === "asc" || direction === "desc") && more.length === 0;
}

function isNeverNull(column: Column | SQL) {
  return "notNull" in column && column.notNull === true;
}
