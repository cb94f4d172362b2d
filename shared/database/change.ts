import type { SQL } from "drizzle-orm";
import type { Change } from "../caller/audit.ts";

/** A change as a transaction records it: an expression where only the transaction knows. */
export type StoredChange = Pick<Change, "is"> & {
  entry_id?: number | SQL | null;
  payload?: Record<string, unknown> | SQL | null;
};
