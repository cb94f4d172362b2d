import { ApiError, invalid } from "#shared/error/api-error.ts";
import { metersBetween } from "#shared/geometry/distance.ts";
import type { TasksEnv } from "../../env.ts";
import type { ShownForm } from "../../form/schema.ts";
import type { Spot } from "../../table/form.ts";
import type { TaskRow } from "../../table/task.ts";
import { placeOf } from "../schema.ts";

type Submitted = {
  form: Pick<ShownForm, "submitted" | "submit_in_zone" | "submit_location">;
  task: Pick<TaskRow, "tracker_id" | "location">;
  /** As it is given. */
  location: Spot | undefined;
};

/**
 * Where a form is submitted: where it is said, else where it was submitted before, else where the tracker was seen last. A
 * form for the zone of its task is submitted within that; it is corrected from anywhere, if no other place is given.
 */
export async function placeOfSubmission(env: TasksEnv, { form, task, location }: Submitted): Promise<Spot | null> {
  const isCorrection = form.submitted !== null;
  if (!location && isCorrection) return form.submit_location;
  const place = location ?? (await lastPlaceOf(env, task, form.submit_in_zone));
  if (form.submit_in_zone) requireInZone(task, place);
  return place;
}

async function lastPlaceOf({ GEO }: TasksEnv, { tracker_id }: Submitted["task"], isNeeded: boolean) {
  if (tracker_id === null) return null;
  try {
    const point = await GEO.lastGpsPoint(tracker_id);
    return point && { lat: point.lat, lng: point.lng, address: "" };
  } catch {
    if (isNeeded) throw new ApiError(14);
    return null;
  }
}

function requireInZone({ location }: Submitted["task"], place: Spot | null) {
  if (!place) throw invalid("location", "must be given: nobody knows where the tracker is");
  const { lat, lng, radius } = placeOf(location);
  if (metersBetween(lat, lng, place.lat, place.lng) > radius)
    throw invalid("location", "must be within the zone of the task");
}
