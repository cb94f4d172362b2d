import { eq } from "drizzle-orm";
import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import { read } from "#shared/database/steps.ts";
import { tariff } from "../table/registration/tariff.ts";
import { removedTracker } from "../table/tracker/removed-tracker.ts";
import { source } from "../table/tracker/source.ts";
import { tracker } from "../table/tracker/tracker.ts";

/** The storage periods of these trackers by id, whatever their account; removed trackers have theirs, too. */
export async function selectStorePeriods(db: Database, tracker_ids: number[]): Promise<Record<number, string>> {
  const { store_period } = tariff;
  const { present, removed } = await read(db, {
    present: db
      .select({ id: tracker.id, store_period })
      .from(tracker)
      .innerJoin(source, eq(source.id, tracker.source_id))
      .innerJoin(tariff, eq(tariff.id, source.tariff_id))
      .where(among(tracker.id, tracker_ids)),
    removed: db
      .select({ id: removedTracker.id, store_period })
      .from(removedTracker)
      .innerJoin(tariff, eq(tariff.id, removedTracker.tariff_id))
      .where(among(removedTracker.id, tracker_ids)),
  });
  return Object.fromEntries([...removed, ...present].map(({ id, store_period }) => [id, store_period]));
}
