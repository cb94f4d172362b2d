import { eq, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { AvatarHolder } from "#shared/database/avatar/queries.ts";
import type { Database } from "#shared/database/open.ts";
import { visibleTo } from "#shared/database/scope.ts";
import { demand } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { source } from "../../table/tracker/source.ts";
import { tracker } from "../../table/tracker/tracker.ts";
import { isVisible } from "../origin-queries.ts";

/**
 * A tracker as the holder of an avatar: 201 unless the principal sees it, 208 when it is blocked. Trackers have no
 * icons.
 */
export function avatarOfTracker(db: Database, principal: Principal, id: number): AvatarHolder {
  const own = visibleTo(principal, { account_id: tracker.account_id, tracker_id: tracker.id }, eq(tracker.id, id));
  return {
    ...{ owner: "tracker", id },
    demands: {
      there: demand(isVisible(principal, id), () => new ApiError(201)),
      open: demand(isVisible(principal, id, eq(source.blocked, false)), () => new ApiError(208)),
    },
    current: sql`SELECT ${tracker.avatar_file_name} FROM ${tracker} WHERE ${own}`,
    change: ({ avatar_file_name }) => db.update(tracker).set({ avatar_file_name }).where(own),
  };
}
