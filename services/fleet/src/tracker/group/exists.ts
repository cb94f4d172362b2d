import { eq, type SQL, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import { visibleTo } from "#shared/database/scope.ts";
import { trackerGroup } from "../../table/tracker-group.ts";

/** That there is such a group, for the statement that refers to it; 0 refers to none. */
export function groupExists(principal: Principal, id: number): SQL {
  if (id === 0) return sql`TRUE`;
  return sql`EXISTS (SELECT 1 FROM ${trackerGroup} WHERE ${visibleTo(principal, trackerGroup, eq(trackerGroup.id, id))})`;
}
