import type { Activity } from "#shared/contract/activity.ts";
import { openDatabase } from "#shared/database/open.ts";
import type { GeoEnv } from "../env.ts";
import { feedOf } from "../object/addresses.ts";
import { selectWatched } from "./activity-queries.ts";

/** Feeds whose trackers have rules on such things make the events; others are not woken up. */
export async function followActivities(env: GeoEnv, activities: Activity[]) {
  const watched = await selectWatched(openDatabase(env), [...new Set(activities.map(({ tracker_id }) => tracker_id))]);
  const due = activities.filter(({ account_id, tracker_id }) => watched.has(`${account_id} ${tracker_id}`));
  const told = [...Map.groupBy(due, ({ tracker_id }) => tracker_id)].map(([tracker_id, own]) =>
    feedOf(env, tracker_id).evaluateActivities(own),
  );
  // All are tried before any failure is told, after which all are told again.
  const failed = (await Promise.allSettled(told)).find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}
