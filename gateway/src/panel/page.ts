import { z } from "zod";

/** Which part of an operator's list; without a limit, the first thousand. */
export const PAGE_PARAMETERS = {
  offset: z.int().min(0).default(0),
  limit: z.int().min(0).max(1000).default(1000),
};
