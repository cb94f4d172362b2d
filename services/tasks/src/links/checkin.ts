import type { Principal } from "#shared/caller/principal.ts";
import type { StaffedTracker } from "#shared/contract/fleet.ts";
import { requireTracker, type VisibleTracker } from "#shared/contract/tracker/visible-tracker.ts";
import { invalid } from "#shared/error/api-error.ts";
import type { TasksEnv } from "../env.ts";
import type { CheckinRow } from "../table/checkin.ts";

/** The tariff feature that a tracker needs for check-ins. */
export const CHECKIN_FEATURE = "checkin";

/** Demands that all trackers exist (201), are not blocked, and have the feature for check-ins (236). */
export async function requireCheckinTrackers({ FLEET }: TasksEnv, principal: Principal, tracker_ids: number[]) {
  const wanted = [...new Set(tracker_ids)];
  const { trackers } = await FLEET.linksOf(principal, wanted, []);
  const known = new Map(trackers.map((tracker) => [tracker.tracker_id, tracker]));
  for (const id of wanted) requireCheckinTracker(known.get(id));
}

/** Demands that the tracker exists (201), is not blocked, and has the feature for check-ins (236). */
export function requireCheckinTracker(tracker: VisibleTracker | undefined) {
  if (tracker?.blocked) throw invalid("tracker_id", "is a blocked tracker");
  return requireTracker(tracker ? [tracker] : [], { missing: 201, feature: CHECKIN_FEATURE });
}

/** The employee on the tracker, as columns of a check-in. */
export function toCheckinEmployee(tracker: StaffedTracker | undefined): CheckinEmployee {
  if (!tracker?.employee) return { employee_id: null, employee_name: null, employee_folded: null };
  const { id: employee_id, first_name, middle_name, last_name, name_folded } = tracker.employee;
  const employee_name = [first_name, middle_name, last_name].filter(Boolean).join(" ");
  return { employee_id, employee_name, employee_folded: name_folded };
}

type CheckinEmployee = Pick<CheckinRow, "employee_id" | "employee_name" | "employee_folded">;
