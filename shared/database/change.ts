import type { SQL } from "drizzle-orm";
import type { Change } from "../caller/audit.ts";

/** A recorded change; a member is an expression when only the transaction knows its value. */
export type StoredChange = Pick<Change, "is"> & {
  entry_id?: number | SQL | null;
  payload?: Record<string, unknown> | SQL | null;
};
