import type { Principal } from "#shared/caller/principal.ts";
import type { TrackersAndTags } from "#shared/contract/fleet.ts";
import { requireTracker } from "#shared/contract/tracker/visible-tracker.ts";
import { type ApiError, type ErrorCode, invalid } from "#shared/error/api-error.ts";
import type { TasksEnv } from "../env.ts";

type Links = { tracker_id: number | null; tags: number[] };
type LinkRules = {
  /** The request's member that holds the links, for errors: `task`, `route` or `schedule`. */
  parameter: string;
  /** The error when the tracker does not exist. */
  missing: ErrorCode;
  /** The error when the tracker is blocked; without it, the parameter is refused. */
  blocked?: 208;
};

/** Demands that the tracker may be given tasks and that the tags exist. Null and an empty list demand noparameter. */
export async function requireLinks(env: TasksEnv, principal: Principal, links: Links, rules: LinkRules) {
  requireAll(links, await linksOf(env, principal, links), rules);
}

/**
 * Checks only the links that a change adds; links that the item has already stay, even broken ones. Answers the item as
 * it is stored.
 */
export async function requireChangedLinks<Current extends Links>(
  env: TasksEnv,
  principal: Principal,
  { tracker_id = null, tags = [] }: Partial<Links>,
  rules: LinkRules,
  loading: Promise<Current>,
): Promise<Current> {
  const [found, current] = await Promise.all([linksOf(env, principal, { tracker_id, tags }), loading]);
  const present = new Set(current.tags);
  const links = {
    tracker_id: tracker_id === current.tracker_id ? null : tracker_id,
    tags: tags.filter((id) => !present.has(id)),
  };
  requireAll(links, found, rules);
  return current;
}

async function linksOf({ FLEET }: TasksEnv, principal: Principal, { tracker_id, tags }: Links) {
  if (tracker_id === null && tags.length === 0) return { trackers: [], tags: [] };
  return FLEET.linksOf(principal, tracker_id === null ? [] : [tracker_id], tags);
}

function requireAll({ tracker_id, tags }: Links, found: TrackersAndTags, { parameter, missing, blocked }: LinkRules) {
  if (tracker_id !== null) {
    const [tracker] = found.trackers;
    if (tracker?.blocked && !blocked) throw invalid(`${parameter}.tracker_id`, "is a blocked tracker");
    requireTracker(found.trackers, { missing, feature: TASK_FEATURE });
  }
  requireTags(found.tags, tags, parameter);
}

function requireTags(existing: number[], tags: number[], parameter: string) {
  const known = new Set(existing);
  if (!tags.every((id) => known.has(id))) throw unknownTagError(parameter);
}

export function unknownTagError(parameter: string): ApiError {
  return invalid(`${parameter}.tags`, "names a tag that does not exist");
}

export const TASK_FEATURE = "app_tasks";

/** The trackers without the feature for tasks. Checks on the way that the tags exist. */
export async function findTrackersWithoutFeature(
  env: TasksEnv,
  principal: Principal,
  tags: number[],
): Promise<number[]> {
  const lacking = await env.FLEET.findTrackersLacking(principal, TASK_FEATURE, tags);
  requireTags(lacking.tags, tags, "task");
  return lacking.trackers;
}
