import { asc } from "drizzle-orm";
import { among, openDatabase } from "#shared/database.ts";
import type { GatewayEnv } from "../env.ts";
import { departedUser } from "./table.ts";

/** Geo forgets what it has of users that are no more; nobody can ask for it any longer, so it need not be at once. */
export async function tellDepartures(env: GatewayEnv) {
  const db = openDatabase(env);
  const rows = await db.select().from(departedUser).orderBy(asc(departedUser.id)).limit(TOLD);
  if (rows.length === 0) return;
  await env.GEO.forgetUsers(rows);
  const ids = rows.map(({ id }) => id);
  await db.delete(departedUser).where(among(departedUser.id, ids));
}

const TOLD = 100;
