import * as z from "zod";
import { type Sortable, sortOptions } from "#shared/database/order.ts";

/** The parameters of a list that can be filtered, sorted and read in pages. */
export function listSearch(sortable: Sortable) {
  return z.object({
    limit: z.int().min(0).optional(),
    offset: z.int().min(0).default(0),
    sort: sortOptions(sortable, 2),
    filter: z.string().max(100).nullable().default(null),
  });
}
export type ListSearch = z.output<ReturnType<typeof listSearch>>;
