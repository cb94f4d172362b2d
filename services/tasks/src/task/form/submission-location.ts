import type { Principal } from "#shared/caller/principal.ts";
import type { AreasAround, VisibleAreas } from "#shared/contract/area.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { metersBetween } from "#shared/geometry/distance.ts";
import type { TasksEnv } from "../../env.ts";
import type { PublicForm } from "../../form/schema.ts";
import type { AddressedPosition } from "../../table/form/form.ts";
import type { TaskRow } from "../../table/task/task.ts";
import { requireLocation } from "../schema.ts";

/** What can be asked of a place before the form is known: what holds it or, without one, whose points clones show. */
export type LocationContext = {
  /** Null: nobody can tell now. */
  areas: AreasAround | null;
  /** By the ids of clones; undefined: nobody can tell now. */
  feeds: Map<number, number> | undefined;
};

/** For each of the locations, which are given or not, in one trip. */
export async function readLocationContexts(
  env: TasksEnv,
  principal: Principal,
  locations: (AddressedPosition | undefined)[],
): Promise<LocationContext[]> {
  const spots = locations.flatMap((one) => one ?? []);
  const [areas, feeds] = await Promise.all([
    spots.length > 0 ? findAreasAround(env, principal, spots) : [],
    spots.length < locations.length ? findFeedsOfClones(env, principal) : undefined,
  ]);
  let index = 0;
  return locations.map((location) => (location ? { areas: areas[index++] ?? null, feeds } : { areas: null, feeds }));
}

/** No submission waits for the names of places: none where geo cannot tell them now. */
function findAreasAround(
  { GEO }: TasksEnv,
  { account_id }: Principal,
  spots: AddressedPosition[],
): Promise<AreasAround[]> {
  return GEO.areasAround(spots.map(({ lat, lng }) => ({ account_id, lat, lng }))).catch(() => []);
}

async function findFeedsOfClones({ FLEET }: TasksEnv, principal: Principal): Promise<LocationContext["feeds"]> {
  const clones = await FLEET.feedsOfClones(principal).catch(() => undefined);
  return clones && new Map(clones.map(({ tracker_id, feed_id }) => [tracker_id, feed_id]));
}

type SubmissionTarget = {
  form: Pick<PublicForm, "submitted" | "submit_in_zone" | "submit_location">;
  submit_areas: AreasAround | null;
  task: Pick<TaskRow, "tracker_id" | "location">;
  /** As it is given. */
  location: AddressedPosition | undefined;
};
type SubmissionLocation = { submit_location: AddressedPosition | null; submit_areas: AreasAround | null };

/**
 * Where a form is submitted: where it is said, else where it was submitted before, else where the tracker was seen last. A
 * form for the zone of its task is submitted within that; it is corrected from anywhere, if no other place is given.
 */
export async function resolveSubmissionLocation(
  env: TasksEnv,
  { form, submit_areas, task, location }: SubmissionTarget,
  { areas, feeds }: LocationContext,
): Promise<SubmissionLocation> {
  const isCorrection = form.submitted !== null;
  if (!location && isCorrection) return { submit_location: form.submit_location, submit_areas };
  const submit_location = location ?? (await readLastLocation(env, task, feeds, form.submit_in_zone));
  if (form.submit_in_zone) requireInZone(task, submit_location);
  return { submit_location: submit_location, submit_areas: areas };
}

/** Nothing is left out for whoever sees all. */
export async function readVisibleAreas({ GEO }: TasksEnv, principal: Principal): Promise<VisibleAreas> {
  return principal.kind === "subuser" ? GEO.visibleAreas(principal) : { places: null, zones: null };
}

async function readLastLocation(
  { GEO }: TasksEnv,
  { tracker_id }: SubmissionTarget["task"],
  feeds: LocationContext["feeds"],
  isNeeded: boolean,
) {
  if (tracker_id === null) return null;
  try {
    const point = await GEO.lastGpsPoint(feeds?.get(tracker_id) ?? tracker_id);
    if (!point && !feeds) throw new Error("the tracker may be a clone");
    return point && { lat: point.lat, lng: point.lng, address: "" };
  } catch {
    if (isNeeded) throw new ApiError(14);
    return null;
  }
}

function requireInZone({ location }: SubmissionTarget["task"], position: AddressedPosition | null) {
  if (!position) throw invalid("location", "must be given: nobody knows where the tracker is");
  const { lat, lng, radius } = requireLocation(location);
  if (metersBetween(lat, lng, position.lat, position.lng) > radius)
    throw invalid("location", "must be within the zone of the task");
}
