import type { Principal } from "#shared/caller/principal.ts";
import type { PlaceChanges, SyncCursor } from "#shared/contract/sync.ts";
import type { Database } from "#shared/database/open.ts";
import { toPlace } from "../schema.ts";
import { type Changes, MAX_CHANGES_PER_PAGE, selectChanges } from "./queries.ts";

export async function changedPlaces(
  db: Database,
  principal: Principal,
  cursor: SyncCursor | null,
): Promise<PlaceChanges | null> {
  const changes = await selectChanges(db, principal, cursor ?? { revision: 0, after: 0 });
  if (cursor && isOutdated(cursor, changes)) return null;
  const { revision, after } = cursor ?? { revision: changes.revision, after: 0 };
  const { end, isLast, ...page } = toPage(changes);
  if (after === null) {
    // The remaining changes of the account do not concern the caller.
    return { ...page, next: { revision: isLast ? changes.revision : (end ?? revision), after }, more: !isLast };
  }
  const next = { revision, after: isLast ? null : (end ?? after) };
  return { ...page, next, more: !isLast || revision < changes.revision };
}

/**
 * A cursor is outdated if its changes were deleted, it comes from another database, or the caller's access changed
 * since.
 */
function isOutdated({ revision }: SyncCursor, changes: Changes) {
  return revision < changes.forgotten || revision > changes.revision || changes.access > revision;
}

/**
 * The changes up to the first place that did not fit. Changed places that the caller cannot see any more are removed
 * ones.
 */
function toPage({ window, places }: Changes) {
  const cut = places.length < (places[0]?.candidates ?? 0) ? places.at(-1)?.key : undefined;
  const last = window.at(-1)?.key;
  const end = cut ?? last;
  const there = new Set(places.map(({ id }) => id));
  const covered = window.filter(({ key }) => end !== undefined && key <= end);
  const later = new Set(window.slice(covered.length).map(({ id }) => id));
  const removed = new Set(covered.map(({ id }) => id).filter((id) => !there.has(id) && !later.has(id)));
  return {
    places: places.map(toPlace),
    removed: [...removed],
    end,
    isLast: cut === undefined && window.length < MAX_CHANGES_PER_PAGE,
  };
}
