import type { Principal } from "#shared/caller/principal.ts";
import type { StaffedTracker } from "#shared/contract/fleet.ts";
import { requireTracker, type VisibleTracker } from "#shared/contract/visible-tracker.ts";
import { invalid } from "#shared/error/api-error.ts";
import type { TasksEnv } from "../env.ts";
import type { CheckinRow } from "../table/checkin.ts";

/** What a tracker needs for people on it to check in. */
export const CHECKIN_FEATURE = "checkin";

/** That people on all of the trackers may check in: 201 where there is none, 236 without the feature. */
export async function requireCheckinTrackers({ FLEET }: TasksEnv, principal: Principal, tracker_ids: number[]) {
  const wanted = [...new Set(tracker_ids)];
  const { trackers } = await FLEET.linksOf(principal, wanted, []);
  const known = new Map(trackers.map((tracker) => [tracker.tracker_id, tracker]));
  for (const id of wanted) requireCheckinTracker(known.get(id));
}

/** The same of a tracker that was looked for; undefined where there is none. */
export function requireCheckinTracker(tracker: VisibleTracker | undefined) {
  if (tracker?.blocked) throw invalid("tracker_id", "is a blocked tracker");
  return requireTracker(tracker ? [tracker] : [], { missing: 201, feature: CHECKIN_FEATURE });
}

/** The same, and who is on it now. */
export async function requireStaffed(
  { FLEET }: TasksEnv,
  principal: Principal,
  tracker_id: number,
): Promise<CheckinEmployee> {
  const [tracker] = await FLEET.staffedTrackers(principal, [tracker_id]);
  requireCheckinTracker(tracker);
  return toCheckinEmployee(tracker);
}

/** Who is on the tracker, as a check-in keeps it. */
export function toCheckinEmployee(tracker: StaffedTracker | undefined): CheckinEmployee {
  if (!tracker?.employee) return { employee_id: null, employee_name: null, employee_folded: null };
  const { id: employee_id, first_name, middle_name, last_name, name_folded } = tracker.employee;
  const employee_name = [first_name, middle_name, last_name].filter(Boolean).join(" ");
  return { employee_id, employee_name, employee_folded: name_folded };
}

type CheckinEmployee = Pick<CheckinRow, "employee_id" | "employee_name" | "employee_folded">;
