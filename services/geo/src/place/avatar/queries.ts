import { eq, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import { type AvatarHolder, avatarsIn } from "#shared/database/avatar/queries.ts";
import type { Database } from "#shared/database/open.ts";
import { isThere } from "#shared/database/rows.ts";
import { demand } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { recordChange } from "../../audit-outbox.ts";
import { avatar } from "../../table/avatar.ts";
import { place } from "../../table/place/place.ts";
import { visiblePlaces } from "../list-queries.ts";

export const avatars = avatarsIn(avatar, recordChange);

export function avatarHolderOf(db: Database, principal: Principal, id: number): AvatarHolder {
  const own = visiblePlaces(principal, eq(place.id, id));
  return {
    ...{ owner: "place", id },
    demands: { there: demand(isThere(place, own), () => new ApiError(201)) },
    current: sql`SELECT ${place.avatar_file_name} FROM ${place} WHERE ${own}`,
    change: ({ avatar_file_name, icon_id }) => db.update(place).set({ avatar_file_name, icon_id }).where(own),
  };
}
