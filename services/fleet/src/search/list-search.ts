import { z } from "zod";
import { type Sortable, sortOptions } from "#shared/database/order.ts";

/** What is asked of a list that may be filtered, sorted and cut into pages. */
export function listSearch(sortable: Sortable) {
  return z.object({
    limit: z.int().min(0).optional(),
    offset: z.int().min(0).default(0),
    sort: sortOptions(sortable, 2),
    filter: z.string().max(100).nullable().default(null),
  });
}
export type ListSearch = z.output<ReturnType<typeof listSearch>>;
