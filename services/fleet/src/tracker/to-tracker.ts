import type * as z from "zod";
import type { Tracker } from "#shared/contract/tracker/tracker.ts";
import type { Page } from "#shared/operation/list-answer.ts";
import type { Clock } from "#shared/time/clock.ts";
import { writeLocal } from "#shared/time/clock.ts";
import type { TrackerWithSource } from "./queries.ts";

/** Converts pages of rows to trackers as answers contain them. */
export function toTrackerPages({ items, next }: Page<TrackerWithSource>, clock: Clock): Page<z.output<typeof Tracker>> {
  return {
    items: items.map((row) => toTracker(row, clock)),
    next: next && (async () => toTrackerPages(await next(), clock)),
  };
}

export function toTracker(row: TrackerWithSource, clock: Clock): z.output<typeof Tracker> {
  return toTrackerCreatedOn(writeLocal(row.source.creation_date, clock.zone).slice(0, 10), row);
}

/** The tracker with this creation day, as users see it. */
export function toTrackerCreatedOn(
  day: string,
  { tracker, source, tag_bindings }: TrackerWithSource,
): z.output<typeof Tracker> {
  const { account_id, dealer_id, revision, creation_date, tariff_changed, ...shownSource } = source;
  return {
    id: tracker.id,
    label: tracker.label,
    clone: tracker.clone,
    group_id: tracker.group_id,
    avatar_file_name: tracker.avatar_file_name ?? undefined,
    source: { ...shownSource, creation_date: day },
    tag_bindings,
  };
}
