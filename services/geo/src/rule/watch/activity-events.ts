import type { Activity } from "#shared/contract/event/activity.ts";
import type { EventName, NewEvent } from "#shared/contract/event/event.ts";
import type { Position } from "#shared/geometry/position.ts";
import type { CopiedRule } from "../../object/account-rules.ts";
import type { WatchedRule, ZoneIndex } from "../../object/watched-rule.ts";
import { isScheduled } from "../evaluation/schedule.ts";
import { isRuleActive, limitingZonesAt } from "../evaluation/zone-limit.ts";
import { eventBase, zoneNamesOf } from "./history-event.ts";

/** Whether the rule watches the activity. A rule without choices watches all activities of its type. */
export function watchesActivity({ type, extended }: WatchedRule, { event, status_id, is_repeated }: Activity): boolean {
  if (type === "work_status_change") return event === type && includesChoice(extended.status_ids, status_id);
  if (type !== "task_status_change" || event === "work_status_change") return false;
  const { statuses, on_form_submission, on_repeated_form_submission } = extended;
  const isOpen = on_form_submission !== true && on_repeated_form_submission !== true;
  if (event === "task_form_submitted") {
    const isWatched = is_repeated ? on_repeated_form_submission : on_form_submission;
    return isWatched === true || (isOpen && isEmpty(statuses));
  }
  return isEmpty(statuses) ? isOpen : includesChoice(statuses, TASK_STATUSES[event]);
}

/** The rule's event for an activity; null: the rule does not apply. Repeated calls give the same event id. */
export function toActivityEvent(
  rule: CopiedRule,
  { activity_id, account_id, tracker_id, event, time, extra }: Activity,
  position: Position | null,
  zoneIndex: ZoneIndex,
  track_id: number,
): NewEvent | null {
  // A tracker without a position is neither inside nor outside of zones, so rules limited by zones do not apply.
  const isActive = position
    ? isRuleActive(rule, { time, ...position }, zoneIndex)
    : !rule.isZoned && isScheduled(rule.schedule, time, rule.time_zone);
  if (!isActive) return null;
  const zones = position ? limitingZonesAt(rule, position, zoneIndex) : [];
  return {
    ...eventBase(rule, { account_id, tracker_id }, event, rule.primary_text, { zones }),
    event_id: `rule-${rule.id}-${activity_id}`,
    time,
    track_id,
    location: position && { lat: position.lat, lng: position.lng },
    extra: { ...extra, emergency: rule.alerts.emergency, last_known_location: true, ...zoneNamesOf(zones) },
  };
}

function isEmpty(chosen: unknown) {
  return !Array.isArray(chosen) || chosen.length === 0;
}

function includesChoice(chosen: unknown, one: unknown) {
  return isEmpty(chosen) || (Array.isArray(chosen) && chosen.includes(one));
}

/** The task's status after an event. `route_faulty` is a route completed out of order. */
const TASK_STATUSES: Partial<Record<EventName, string>> = {
  task_arrived: "arrived",
  checkpoint_arrived: "arrived",
  task_completed: "done",
  checkpoint_completed: "done",
  route_completed: "done",
  route_faulty: "done",
  task_delayed: "delayed",
  checkpoint_delayed: "delayed",
  task_failed: "failed",
  checkpoint_failed: "failed",
  route_failed: "failed",
};
