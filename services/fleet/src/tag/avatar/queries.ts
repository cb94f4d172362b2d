import { eq, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { AvatarHolder } from "#shared/database/avatar/queries.ts";
import type { Database } from "#shared/database/open.ts";
import { isThere } from "#shared/database/rows.ts";
import { visibleTo } from "#shared/database/scope.ts";
import { demand } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { tag } from "../../table/tag/tag.ts";

/** A tag as the holder of an avatar; 201 unless it is of the account. */
export function avatarOfTag(db: Database, principal: Principal, id: number): AvatarHolder {
  const own = visibleTo(principal, tag, eq(tag.id, id));
  return {
    ...{ owner: "tag", id },
    demands: { there: demand(isThere(tag, own), () => new ApiError(201)) },
    current: sql`SELECT ${tag.avatar_file_name} FROM ${tag} WHERE ${own}`,
    change: (changes) => db.update(tag).set(changes).where(own),
  };
}
