import type { Principal } from "#shared/caller/principal.ts";
import type { SyncCursor } from "#shared/contract/sync.ts";
import { invalid } from "#shared/error/api-error.ts";

/** How far a phone has read. */
export type Cursor = {
  /** Changes of tasks and templates; `after` is a key of `selectAllAfter`. */
  work: SyncCursor;
  places: SyncCursor;
  /** A mark of the caller and of the trackers that it saw. */
  scope: string;
};

export function writeCursor({ work, places, scope }: Cursor): string {
  return [work.revision, work.after ?? "", places.revision, places.after ?? "", scope].join(".");
}

export function readCursor(text: string): Cursor {
  const { work, workAfter, places, placesAfter, scope } = CURSOR_PATTERN.exec(text)?.groups ?? {};
  if (scope === undefined) throw invalid("cursor", "is none that this call has answered");
  return { work: toSyncCursor(work, workAfter), places: toSyncCursor(places, placesAfter), scope };
}

function toSyncCursor(revision: string | undefined, after: string | undefined): SyncCursor {
  return { revision: Number(revision), after: after ? Number(after) : null };
}

/** A mark that differs for callers who see different trackers. */
export async function markScope({ user_id, scope }: Pick<Principal, "user_id" | "scope">): Promise<string> {
  if (scope === "all") return "all";
  const ids = scope.toSorted((one, other) => one - other).join();
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${user_id} ${ids}`)));
  return Buffer.from(digest.slice(0, 16)).toString("hex");
}

const CURSOR_PATTERN =
  /^(?<work>\d{1,15})\.(?<workAfter>\d{0,15})\.(?<places>\d{1,15})\.(?<placesAfter>\d{0,15})\.(?<scope>all|[0-9a-f]{32})$/;
