import type { Principal } from "#shared/caller/principal.ts";
import type { AreasAround, VisibleAreas } from "#shared/contract/point/area.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { metersBetween } from "#shared/geometry/distance.ts";
import type { TasksEnv } from "../../env.ts";
import type { PublicForm } from "../../form/schema.ts";
import type { AddressedPosition } from "../../table/form/form.ts";
import type { TaskRow } from "../../table/task/task.ts";
import { requireLocation } from "../schema.ts";

/**
 * Data about a submission's location that can be read before its form: the areas around a given location, or the
 * originals of clones to find the tracker's last position.
 */
export type LocationContext = {
  /** Null when no location was given or geo does not answer. */
  areas: AreasAround | null;
  /** Originals by the ids of their clones; undefined when they were not needed or fleet does not answer. */
  feeds: Map<number, number> | undefined;
};

/** A context for each location, all read in one trip. Undefined locations were left out by the caller. */
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

/** Empty when geo does not answer: a submission does not wait for the names of areas. */
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
  /** The location in the request. */
  location: AddressedPosition | undefined;
};
type SubmissionLocation = { submit_location: AddressedPosition | null; submit_areas: AreasAround | null };

/**
 * The location of a submission: the given one, else the one of the earlier submission, else the tracker's last
 * position. With `submit_in_zone` it must be within the task's circle, unless a correction gives none.
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

/** The areas that the caller sees; null where it sees all, as masters do. */
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
  const zone = requireLocation(location);
  if (metersBetween(zone, position) > zone.radius) throw invalid("location", "must be within the zone of the task");
}
