import * as z from "zod";

/** Parameters for a page of an operator's list; at most 1000 rows, also without a limit. */
export const PAGE_PARAMETERS = {
  offset: z.int().min(0).default(0),
  limit: z.int().min(0).max(1000).default(1000),
};
