import { eq } from "drizzle-orm";
import { z } from "zod";
import { ApiError } from "#shared/api-error.ts";
import { dealer } from "../dealer/table.ts";
import { operation } from "../operation.ts";

export const blockDealer = operation("/panel/dealer/block", {
  summary: "Blocks or unblocks a dealer: its users' log-ins get 11 at once, their sessions end within a minute",
  accepts: ["operator"],
  permission: ["subpaas", "update"],
  input: z.object({ dealer_id: z.int(), blocked: z.boolean() }),
  output: z.object({}),
  errors: [13, 201],
  async run({ dealer_id, blocked }, { db }) {
    const changed = await db
      .update(dealer)
      .set({ block_type: blocked ? "BLOCK_LOGIN" : "NOT_BLOCKED" })
      .where(eq(dealer.id, dealer_id))
      .returning({ id: dealer.id });
    if (changed.length === 0) throw new ApiError(201);
    return {};
  },
});
