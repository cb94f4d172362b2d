import { z } from "zod";
import { operation } from "../operation.ts";
import { readStats } from "./queries.ts";

export const readFileStats = operation("/file/stats/read", {
  summary: "How many files are uploaded, the bytes that they and open tickets hold, and how many the account may hold",
  reads: true,
  input: z.object({}),
  output: z.object({ value: z.object({ file_count: z.int(), total_size: z.int(), quota: z.int() }) }),
  errors: [],
  async run(_input, { db, principal, clock }) {
    const held = await readStats(db, principal.account_id, clock.now());
    return { value: { ...held, quota: principal.limits.file_bytes } };
  },
});

export const operations = [readFileStats];
