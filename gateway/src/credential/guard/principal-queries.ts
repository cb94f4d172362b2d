import { and, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { type Principal, RIGHTS, WITHOUT_ACCOUNT } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { among } from "#shared/database/scope.ts";
import type { GatewayEnv } from "../../env.ts";
import { credential } from "../../table/credential.ts";
import { operator } from "../../table/operator.ts";
import { securityGroup } from "../../table/security-group.ts";
import { subUserTracker } from "../../table/sub-user-tracker.ts";
import { user } from "../../table/user.ts";
import { isUnblocked } from "../blocking-queries.ts";

/** The principal of a credential; undefined if it does not exist, or its user or operator is blocked. */
export async function loadPrincipal(db: Database, env: GatewayEnv, key: string): Promise<Principal | undefined> {
  const row = await db
    .select({ credential, user, master, operator, group: securityGroup, trackers, subUsers, isDealerOpen })
    .from(credential)
    .leftJoin(user, sql`${credential.kind} <> 'operator' AND ${user.id} = ${credential.user_id}`)
    .leftJoin(master, sql`${master.id} = coalesce(${user.master_id}, ${user.id})`)
    .leftJoin(securityGroup, and(eq(securityGroup.id, user.security_group_id), eq(securityGroup.account_id, master.id)))
    .leftJoin(operator, sql`${credential.kind} = 'operator' AND ${operator.id} = ${credential.user_id}`)
    .where(eq(credential.key, key))
    .get();
  if (!row) return undefined;
  const common = { credential: row.credential.kind, key, expires_at: row.credential.expires_at };
  if (row.operator) {
    if (!row.isDealerOpen && !canUnblockDealers(row.operator)) return undefined;
    return { ...WITHOUT_ACCOUNT, kind: "operator", ...common, ...toOperatorMembers(row.operator) };
  }
  const principal = toUserPrincipal(row, env);
  // API keys made with the activation link count only once the user is activated.
  if (!principal || (!row.user?.activated && row.credential.kind === "api_key")) return undefined;
  return { ...principal, ...common, ...apiKeyOf(row.credential) };
}

function apiKeyOf({ kind, title, agent_writes }: typeof credential.$inferSelect) {
  return kind === "api_key" ? { api_key: { title: title ?? "", agent_writes } } : {};
}

/** Principals by user id, as if each user called with a session; undefined for users that may not log in now. */
export async function loadUserPrincipals(db: Database, env: GatewayEnv, ids: number[]) {
  const rows = await db
    .select({ user, master, group: securityGroup, trackers, subUsers, isDealerOpen: isMasterDealerOpen })
    .from(user)
    .leftJoin(master, sql`${master.id} = coalesce(${user.master_id}, ${user.id})`)
    .leftJoin(securityGroup, and(eq(securityGroup.id, user.security_group_id), eq(securityGroup.account_id, master.id)))
    .where(among(user.id, ids));
  return new Map(rows.map((row) => [row.user.id, toUserPrincipal(row, env)]));
}

type UserRow = typeof user.$inferSelect;
type JoinedUser = {
  user: UserRow | null;
  master: UserRow | null;
  group: typeof securityGroup.$inferSelect | null;
  trackers: string;
  subUsers: string;
  isDealerOpen: number;
};

/** Undefined if the user, its master or a dealer above it is blocked. */
function toUserPrincipal(row: JoinedUser, env: GatewayEnv): Principal | undefined {
  if (!row.user || !row.master || !row.isDealerOpen || row.user.blocked || row.master.blocked) return undefined;
  const isMaster = row.user.master_id === null;
  // A master deactivates a sub-user to shut it out.
  if (!row.user.activated && !isMaster) return undefined;
  return {
    ...{ credential: "session", key: "", expires_at: 0 },
    account_id: row.master.id,
    user_id: row.user.id,
    kind: isMaster ? "master" : "subuser",
    // A sub-user without a group has no rights, and without bound trackers an empty scope.
    rights: isMaster ? [...RIGHTS] : (row.group?.rights ?? []),
    scope: isMaster ? "all" : JSON.parse(row.trackers),
    sub_user_ids: isMaster ? JSON.parse(row.subUsers) : [],
    store_period: isMaster ? null : (row.group?.store_period ?? null),
    dealer_id: row.master.dealer_id,
    default_tariff_id: row.master.default_tariff_id,
    // Limits that the operator set for the account win over the installation's.
    limits: { ...JSON.parse(env.DEFAULT_LIMITS), ...row.master.limits },
    auto_overwrite: row.master.auto_overwrite,
    time_zone: row.user.time_zone,
    account_time_zone: row.master.time_zone,
    locale: row.user.locale,
    measurement_system: row.user.measurement_system,
    date_format: row.user.date_format,
    hour_mode: row.user.hour_mode,
    demo: row.master.demo,
    permissions: {},
  };
}

/** Has the same meaning as the SQL condition `CAN_UNBLOCK_DEALERS`. */
function canUnblockDealers({ permissions }: typeof operator.$inferSelect) {
  return permissions.subpaas?.includes("global") === true;
}

function toOperatorMembers({ id, dealer_id, permissions }: typeof operator.$inferSelect) {
  return { user_id: id, dealer_id, permissions };
}

const master = alias(user, "master");
/** The trackers bound to a sub-user as one JSON array, so that the query answers a single row. */
const trackers = sql<string>`(SELECT json_group_array(${subUserTracker.tracker_id}) FROM ${subUserTracker}
  WHERE ${subUserTracker.sub_user_id} = ${user.id})`;
const isDealerOpen = sql<number>`${isUnblocked(sql`coalesce(${master.dealer_id}, ${operator.dealer_id})`)}`;
const isMasterDealerOpen = sql<number>`${isUnblocked(sql`${master.dealer_id}`)}`;
const subUsers = sql<string>`(SELECT json_group_array(sub_user.id) FROM ${user} AS sub_user
  WHERE sub_user.master_id = ${user.id})`;
