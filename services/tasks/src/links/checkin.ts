import type { Principal } from "#shared/caller/principal.ts";
import type { StaffedTracker } from "#shared/contract/fleet.ts";
import { requireTracker, type VisibleTracker } from "#shared/contract/visible-tracker.ts";
import { invalid } from "#shared/error/api-error.ts";
import type { TasksEnv } from "../env.ts";
import type { CheckinRow } from "../table/checkin.ts";

/** What a tracker needs for people on it to check in. */
export const CHECKIN = "checkin";

/** That people on all of the trackers may check in: 201 where there is none, 236 without the feature. */
export async function requireCheckinTrackers({ FLEET }: TasksEnv, principal: Principal, tracker_ids: number[]) {
  const wanted = [...new Set(tracker_ids)];
  const { trackers } = await FLEET.linksOf(principal, wanted, []);
  const known = new Map(trackers.map((tracker) => [tracker.tracker_id, tracker]));
  for (const id of wanted) requireUsable(known.get(id));
}

/** The same of a tracker that was looked for; undefined where there is none. */
export function requireUsable(tracker: VisibleTracker | undefined) {
  if (tracker?.blocked) throw invalid("tracker_id", "is a blocked tracker");
  return requireTracker(tracker ? [tracker] : [], { missing: 201, feature: CHECKIN });
}

/** The same, and who is on it now. */
export async function requireStaffed({ FLEET }: TasksEnv, principal: Principal, tracker_id: number): Promise<Person> {
  const [tracker] = await FLEET.staffedTrackers(principal, [tracker_id]);
  requireUsable(tracker);
  return personOn(tracker);
}

/** Who is on the tracker, as a check-in keeps it. */
export function personOn(tracker: StaffedTracker | undefined): Person {
  if (!tracker?.employee) return { employee_id: null, employee_name: null, employee_folded: null };
  const { id: employee_id, first_name, middle_name, last_name, name_folded } = tracker.employee;
  const employee_name = [first_name, middle_name, last_name].filter(Boolean).join(" ");
  return { employee_id, employee_name, employee_folded: name_folded };
}

type Person = Pick<CheckinRow, "employee_id" | "employee_name" | "employee_folded">;
