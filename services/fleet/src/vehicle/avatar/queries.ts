import { eq, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { AvatarHolder } from "#shared/database/avatar/queries.ts";
import type { Database } from "#shared/database/open.ts";
import { isThere } from "#shared/database/rows.ts";
import { visibleTo } from "#shared/database/scope.ts";
import { demand } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { vehicle } from "../../table/vehicle/vehicle.ts";

/** A vehicle as the holder of an avatar; 201 unless the principal sees it. */
export function avatarOfVehicle(db: Database, principal: Principal, id: number): AvatarHolder {
  const own = visibleTo(principal, vehicle, eq(vehicle.id, id));
  return {
    ...{ owner: "vehicle", id },
    demands: { there: demand(isThere(vehicle, own), () => new ApiError(201)) },
    current: sql`SELECT ${vehicle.avatar_file_name} FROM ${vehicle} WHERE ${own}`,
    change: (changes) => db.update(vehicle).set(changes).where(own),
  };
}
