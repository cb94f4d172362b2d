import type { Activity } from "#shared/contract/event/activity.ts";
import { openDatabase } from "#shared/database/open.ts";
import type { GeoEnv } from "../env.ts";
import { feedOf } from "../object/addresses.ts";
import { selectWatchedTrackers } from "./activity-queries.ts";

/** Sends activities to the feeds whose trackers have rules on tasks or work statuses; other feeds are not woken. */
export async function evaluateActivities(env: GeoEnv, activities: Activity[]) {
  const watched = await selectWatchedTrackers(openDatabase(env), [
    ...new Set(activities.map(({ tracker_id }) => tracker_id)),
  ]);
  const due = activities.filter(({ account_id, tracker_id }) => watched.has(`${account_id} ${tracker_id}`));
  const evaluations = [...Map.groupBy(due, ({ tracker_id }) => tracker_id)].map(([tracker_id, own]) =>
    feedOf(env, tracker_id).evaluateActivities(own),
  );
  // Every feed is called before a failure is thrown: the caller then sends all activities again.
  const failed = (await Promise.allSettled(evaluations)).find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}
