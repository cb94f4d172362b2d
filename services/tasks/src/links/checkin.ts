import type { Principal } from "#shared/caller/principal.ts";
import type { RosterEntry } from "#shared/contract/fleet.ts";
import { requireTracker } from "#shared/contract/visible-tracker.ts";
import { invalid } from "#shared/error/api-error.ts";
import type { TasksEnv } from "../env.ts";

/** What a tracker needs for people on it to check in. */
export const CHECKIN = "checkin";

/** That people on the tracker may check in: 201 without one, 236 without the feature. */
export async function requireCheckinTracker({ FLEET }: TasksEnv, principal: Principal, tracker_id: number) {
  const { trackers } = await FLEET.linksOf(principal, [tracker_id], []);
  if (trackers[0]?.blocked) throw invalid("tracker_id", "is a blocked tracker");
  return requireTracker(trackers, { missing: 201, feature: CHECKIN });
}

/** Who is on the tracker now. */
export async function employeeOn({ FLEET }: TasksEnv, principal: Principal, tracker_id: number) {
  // Fleet promises entries of this shape.
  const [entry] = JSON.parse(await FLEET.rosterOf(principal, [tracker_id])) as RosterEntry[];
  if (!entry) return NOBODY;
  const { employee_id, first_name, middle_name, last_name, name_folded } = entry;
  const employee_name = [first_name, middle_name, last_name].filter(Boolean).join(" ");
  return employee_id === null ? NOBODY : { employee_id, employee_name, employee_folded: name_folded };
}

const NOBODY = { employee_id: null, employee_name: null, employee_folded: null };
