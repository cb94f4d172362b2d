import { and, desc, eq, inArray, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { demandChange, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { recordChange } from "../../audit/record-queries.ts";
import { type Menu, menu } from "../../table/menu.ts";
import { user } from "../../table/user.ts";
import { isReachable } from "../master/queries.ts";

/** The menu set for the user, else that of its dealer; undefined without either. */
export async function findMenu(db: Database, principal: Principal, user_id: number, application: string) {
  const rows = await db
    .select({ value: menu.value })
    .from(user)
    .leftJoin(menu, and(eq(menu.dealer_id, user.dealer_id), isMenuFor(user_id), eq(menu.application, application)))
    .where(isReachable(principal, eq(user.id, user_id)))
    .orderBy(desc(menu.user_id))
    .limit(1);
  const [row] = rows;
  if (!row) throw new ApiError(201);
  return row.value ?? undefined;
}

export async function putMenu(db: Database, principal: Principal, user_id: number, value: Menu, actor: Actor) {
  const { application } = value;
  await write(db, {
    menu: db
      .insert(menu)
      .select(
        sql`SELECT ${user.dealer_id}, ${user.id}, ${application}, ${JSON.stringify(value)} FROM ${user}
          WHERE ${isReachable(principal, eq(user.id, user_id))}`,
      )
      .onConflictDoUpdate({ target: MENU_KEY, set: { value: sql`excluded.value` } }),
    exists: demandChange(() => new ApiError(201)),
    record: recordChange(
      db,
      { ...actor, account_id: user_id },
      { is: ["user", "menu_update"], entry_id: user_id, payload: { application } },
    ),
  });
}

export async function findDefaultMenu(db: Database, { dealer_id }: Principal, application: string) {
  const ofDealer = and(
    eq(menu.dealer_id, dealer_id),
    eq(menu.user_id, DEFAULT_USER_ID),
    eq(menu.application, application),
  );
  return (await db.select({ value: menu.value }).from(menu).where(ofDealer).get())?.value;
}

export async function putDefaultMenu(db: Database, { dealer_id }: Principal, value: Menu) {
  await db
    .insert(menu)
    .values({ dealer_id, user_id: DEFAULT_USER_ID, application: value.application, value })
    .onConflictDoUpdate({ target: MENU_KEY, set: { value } });
}

/** Condition: the user's own menu and its dealer's default, which has the lower id. */
function isMenuFor(user_id: number) {
  return inArray(menu.user_id, [user_id, DEFAULT_USER_ID]);
}

const DEFAULT_USER_ID = 0;
const MENU_KEY = [menu.dealer_id, menu.user_id, menu.application];
