import { type Column, type SQL, sql } from "drizzle-orm";
import { dealer } from "../table/dealer.ts";

/** True if neither the dealer nor any dealer above it is blocked. */
export function isUnblocked(dealer_id: Column | SQL): SQL {
  return sql`NOT EXISTS (WITH RECURSIVE above(id, parent_id, block_type) AS (
    SELECT ${dealer.id}, ${dealer.parent_id}, ${dealer.block_type} FROM ${dealer} WHERE ${dealer.id} = ${dealer_id}
    UNION SELECT ${dealer.id}, ${dealer.parent_id}, ${dealer.block_type}
    FROM ${dealer} JOIN above ON above.parent_id = ${dealer.id}
  ) SELECT 1 FROM above WHERE above.block_type <> 'NOT_BLOCKED')`;
}

/** A subquery for `IN`: the ids of the dealers that meet the condition, and of all sub-dealers below them. */
export function selectDealerTrees(condition: SQL | undefined): SQL {
  return sql`(WITH RECURSIVE below(id) AS (
    SELECT ${dealer.id} FROM ${dealer} WHERE ${condition}
    UNION SELECT ${dealer.id} FROM ${dealer} JOIN below ON below.id = ${dealer.parent_id}
  ) SELECT below.id FROM below)`;
}
