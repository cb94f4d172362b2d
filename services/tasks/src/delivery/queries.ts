import { and, desc, eq, inArray, lte, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { visibleTo } from "#shared/database/scope.ts";
import { task } from "../table/task/task.ts";
import { routeColumns } from "../task/list-queries.ts";

/**
 * Work with this external id that has begun and is assigned, arrived or delayed: tasks before checkpoints, then the
 * latest first.
 */
export async function selectDeliveries(
  db: Database,
  principal: Principal,
  { external_id, now, limit }: { external_id: string; now: number; limit: number },
) {
  const isUnderWay = and(
    eq(task.external_id, external_id),
    inArray(task.type, ["task", "checkpoint"]),
    inArray(task.status, ["assigned", "arrived", "delayed"]),
    lte(task.from, now),
  );
  return await db
    .select(routeColumns)
    .from(task)
    .where(visibleTo(principal, task, isUnderWay))
    .orderBy(sql`${task.type} = 'checkpoint'`, desc(task.from), desc(task.id))
    .limit(limit);
}
export type DeliveryRow = Awaited<ReturnType<typeof selectDeliveries>>[number];
