import { eq, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import type { AvatarHolder } from "#shared/database/avatar/queries.ts";
import type { Database } from "#shared/database/open.ts";
import { isThere } from "#shared/database/rows.ts";
import { visibleTo } from "#shared/database/scope.ts";
import { demand } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { employee } from "../../table/people/employee.ts";

/** An employee as the holder of an avatar; 201 unless the principal sees it. */
export function avatarOfEmployee(db: Database, principal: Principal, id: number): AvatarHolder {
  const own = visibleTo(principal, employee, eq(employee.id, id));
  return {
    ...{ owner: "employee", id },
    demands: { there: demand(isThere(employee, own), () => new ApiError(201)) },
    current: sql`SELECT ${employee.avatar_file_name} FROM ${employee} WHERE ${own}`,
    change: (changes) => db.update(employee).set(changes).where(own),
  };
}
