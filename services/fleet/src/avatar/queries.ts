import { eq, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import { type AvatarHolder, avatarsIn } from "#shared/database/avatar/queries.ts";
import type { Database } from "#shared/database/open.ts";
import { isThere } from "#shared/database/rows.ts";
import { visibleTo } from "#shared/database/scope.ts";
import { demand } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { recording } from "../outbox/audit.ts";
import { avatar } from "../table/avatar.ts";
import { employee } from "../table/employee.ts";
import { source } from "../table/source.ts";
import { tag } from "../table/tag.ts";
import { tracker } from "../table/tracker.ts";
import { vehicle } from "../table/vehicle.ts";
import { isVisible } from "../tracker/origin-queries.ts";

export const avatars = avatarsIn(avatar, recording);

export function avatarOfVehicle(db: Database, principal: Principal, id: number): AvatarHolder {
  const own = visibleTo(principal, vehicle, eq(vehicle.id, id));
  return {
    ...{ owner: "vehicle", id },
    demands: { there: demand(isThere(vehicle, own), missing) },
    current: sql`SELECT ${vehicle.avatar_file_name} FROM ${vehicle} WHERE ${own}`,
    change: (look) => db.update(vehicle).set(look).where(own),
  };
}

export function avatarOfEmployee(db: Database, principal: Principal, id: number): AvatarHolder {
  const own = visibleTo(principal, employee, eq(employee.id, id));
  return {
    ...{ owner: "employee", id },
    demands: { there: demand(isThere(employee, own), missing) },
    current: sql`SELECT ${employee.avatar_file_name} FROM ${employee} WHERE ${own}`,
    change: (look) => db.update(employee).set(look).where(own),
  };
}

export function avatarOfTag(db: Database, principal: Principal, id: number): AvatarHolder {
  const own = visibleTo(principal, tag, eq(tag.id, id));
  return {
    ...{ owner: "tag", id },
    demands: { there: demand(isThere(tag, own), missing) },
    current: sql`SELECT ${tag.avatar_file_name} FROM ${tag} WHERE ${own}`,
    change: (look) => db.update(tag).set(look).where(own),
  };
}

/** It has no icon. */
export function avatarOfTracker(db: Database, principal: Principal, id: number): AvatarHolder {
  const own = visibleTo(principal, { account_id: tracker.account_id, tracker_id: tracker.id }, eq(tracker.id, id));
  return {
    ...{ owner: "tracker", id },
    demands: {
      there: demand(isVisible(principal, id), missing),
      open: demand(isVisible(principal, id, eq(source.blocked, false)), () => new ApiError(208)),
    },
    current: sql`SELECT ${tracker.avatar_file_name} FROM ${tracker} WHERE ${own}`,
    change: ({ avatar_file_name }) => db.update(tracker).set({ avatar_file_name }).where(own),
  };
}

function missing() {
  return new ApiError(201);
}
