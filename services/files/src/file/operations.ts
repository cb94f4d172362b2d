import * as z from "zod";
import { operation } from "../operation.ts";
import { readStats } from "./queries.ts";

export const readFileStats = operation("/file/stats/read", {
  summary: "The number of uploaded files, the bytes that they and open tickets use, and the account's quota",
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
