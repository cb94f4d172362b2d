import { eq, type SQL, sql } from "drizzle-orm";
import { visibleTo } from "#shared/database.ts";
import type { Principal } from "#shared/principal.ts";
import { trackerGroup } from "./table.ts";

/** That there is such a group, for the statement that refers to it; 0 refers to none. */
export function groupExists(principal: Principal, id: number): SQL {
  if (id === 0) return sql`TRUE`;
  return sql`EXISTS (SELECT 1 FROM ${trackerGroup} WHERE ${visibleTo(principal, trackerGroup, eq(trackerGroup.id, id))})`;
}
