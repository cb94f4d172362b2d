import type { Activity } from "#shared/contract/activity.ts";
import type { EventName, NewEvent } from "#shared/contract/event.ts";
import type { CopiedRule } from "../../object/account-rules.ts";
import type { ZoneIndex, WatchedRule } from "../../object/watched-rule.ts";
import { isRuleActive, limitingZonesAt } from "../evaluation/limit.ts";
import { isScheduled } from "../evaluation/schedule.ts";
import { zoneNamesOf, eventBase } from "./event-of-finding.ts";

type Place = { lat: number; lng: number };

/** Whether the rule watches such a thing. One that chooses nothing hears of all that its type is about. */
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

/** What the rule tells of it; null where it does not act then and there. Told twice, it has the same id. */
export function toActivityEvent(
  rule: CopiedRule,
  { activity_id, account_id, tracker_id, event, time, extra }: Activity,
  position: Place | null,
  zoneIndex: ZoneIndex,
  track_id: number,
): NewEvent | null {
  // Nobody knows whether a tracker that was never placed is within the zones, or outside them.
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

/** The task's status that an event tells. A route that was completed out of order is completed. */
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
