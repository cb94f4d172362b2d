import { and, eq, inArray } from "drizzle-orm";
import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import { rule } from "../table/rule/rule.ts";
import { ruleTracker } from "../table/rule/rule-tracker.ts";

/** Trackers with an active rule on tasks or work statuses, as keys "account tracker". */
export async function selectWatchedTrackers(db: Database, tracker_ids: number[]) {
  const rows = await db
    .selectDistinct({ account_id: ruleTracker.account_id, tracker_id: ruleTracker.tracker_id })
    .from(ruleTracker)
    .innerJoin(rule, and(eq(rule.id, ruleTracker.rule_id), eq(rule.account_id, ruleTracker.account_id)))
    .where(
      and(
        among(ruleTracker.tracker_id, tracker_ids),
        inArray(rule.type, ["task_status_change", "work_status_change"]),
        eq(rule.suspended, false),
      ),
    );
  return new Set(rows.map(({ account_id, tracker_id }) => `${account_id} ${tracker_id}`));
}
