import type { Principal } from "#shared/caller/principal.ts";
import { requireTracker } from "#shared/contract/visible-tracker.ts";
import { type ApiError, type ErrorCode, invalid } from "#shared/error/api-error.ts";
import type { TasksEnv } from "../env.ts";

type Links = { tracker_id: number | null; tags: number[] };
type LinkRules = {
  /** The parameter that holds them. */
  thing: string;
  /** When there is no such tracker. */
  missing: ErrorCode;
  /** When it is blocked: 208, where the operation has it. */
  blocked?: 208;
};

/** That the tracker may be given work and that the tags exist; null and none ask nothing. */
export async function requireLinks(
  env: TasksEnv,
  principal: Principal,
  { tracker_id, tags }: Links,
  { thing, missing, blocked }: LinkRules,
) {
  if (tracker_id === null && tags.length === 0) return;
  const found = await env.FLEET.linksOf(principal, tracker_id === null ? [] : [tracker_id], tags);
  if (tracker_id !== null) {
    const [tracker] = found.trackers;
    if (tracker?.blocked && !blocked) throw invalid(`${thing}.tracker_id`, "is a blocked tracker");
    requireTracker(found.trackers, { missing, feature: FEATURE });
  }
  requireTags(found.tags, tags, thing);
}

function requireTags(found: number[], tags: number[], thing: string) {
  const known = new Set(found);
  if (!tags.every((id) => known.has(id))) throw unknownTag(thing);
}

export function unknownTag(thing: string): ApiError {
  return invalid(`${thing}.tags`, "names a tag that does not exist");
}

export const FEATURE = "app_tasks";

/** The trackers that may be given no work for lack of the feature; that the tags exist is asked along. */
export async function trackersWithout(env: TasksEnv, principal: Principal, tags: number[]): Promise<number[]> {
  const found = await env.FLEET.lackingOf(principal, FEATURE, tags);
  requireTags(found.tags, tags, "task");
  return found.trackers;
}
