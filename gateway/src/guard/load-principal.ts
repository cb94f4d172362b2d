import { eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#shared/database.ts";
import { type Principal, RIGHTS } from "#shared/principal.ts";
import { operator } from "../operator/table.ts";
import { credential } from "../session/table.ts";
import { user } from "../user/table.ts";

/** Whoever the credential belongs to; undefined when there is no such credential. */
export async function loadPrincipal(db: Database, key: string): Promise<Principal | undefined> {
  const row = await db
    .select({ credential, user, master, operator })
    .from(credential)
    .leftJoin(user, sql`${credential.kind} <> 'operator' AND ${user.id} = ${credential.user_id}`)
    .leftJoin(master, sql`${master.id} = coalesce(${user.master_id}, ${user.id})`)
    .leftJoin(operator, sql`${credential.kind} = 'operator' AND ${operator.id} = ${credential.user_id}`)
    .where(eq(credential.key, key))
    .get();
  if (!row) return undefined;
  const common = { credential: row.credential.kind, key, expires_at: row.credential.expires_at };
  if (row.operator) return { ...OPERATOR, ...common, ...ofOperator(row.operator) };
  if (!row.user || !row.master) return undefined;
  const isMaster = row.user.master_id === null;
  return {
    ...common,
    account_id: row.master.id,
    user_id: row.user.id,
    kind: isMaster ? "master" : "subuser",
    // What a sub-user may do and see comes from its group and its bindings; without them it is nothing.
    rights: isMaster ? [...RIGHTS] : [],
    scope: isMaster ? "all" : [],
    dealer_id: row.master.dealer_id,
    default_tariff_id: row.master.default_tariff_id,
    limits: row.master.limits,
    time_zone: row.user.time_zone,
    locale: row.user.locale,
    measurement_system: row.user.measurement_system,
    demo: row.master.demo,
    permissions: {},
  };
}

function ofOperator({ id, dealer_id, permissions }: typeof operator.$inferSelect) {
  return { user_id: id, dealer_id, permissions };
}

const master = alias(user, "master");
const OPERATOR = {
  account_id: 0,
  kind: "operator",
  rights: [],
  scope: [],
  default_tariff_id: null,
  limits: {},
  time_zone: "UTC",
  locale: "en_US",
  measurement_system: "metric",
  demo: false,
} satisfies Partial<Principal>;
