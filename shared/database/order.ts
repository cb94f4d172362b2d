import { asc, type Column, desc, type SQL, sql } from "drizzle-orm";
import { z } from "zod";

/** What may be sorted by: the name that callers use, and the column or expression behind it. */
export type Sortable = Record<string, Column | SQL>;

/** `<field>=<asc|desc>` strings, the first the most significant. */
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

/** The ORDER BY of options that `sortOptions` let through: nulls last in both directions, `last` to settle ties. */
export function orderBy(options: string[] | null, sortable: Sortable, last: Column): SQL[] {
  const terms = (options ?? []).flatMap((option) => {
    const [name = "", direction] = option.split("=");
    const column = sortable[name];
    if (!column) return [];
    const term = direction === "desc" ? desc(column) : asc(column);
    // A column that is never null is left alone, for its index to serve.
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
