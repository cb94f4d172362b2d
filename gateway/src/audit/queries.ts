import { and, eq, getTableColumns, gte, lte, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import { dayIn } from "#shared/database/day-in.ts";
import { deleteDueByAccount } from "#shared/database/due-by-account.ts";
import type { Database } from "#shared/database/open.ts";
import { orderBy, type Sortable } from "#shared/database/order.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { audit } from "../table/audit.ts";
import { user } from "../table/user.ts";
import { recordChange } from "./record-queries.ts";

type TimeRange = { from: number; to: number };
type EntrySearch = TimeRange & {
  subuser_ids: number[] | null;
  actions: string[] | null;
  sort: string[] | null;
  grouping: "default" | "user" | "action_date" | "action" | null;
  limit: number;
  offset: number;
};

/** The entries that the principal may see. Entries from before `retainedSince` are left out: the sweep deletes them. */
export async function selectEntries(
  db: Database,
  principal: Principal,
  search: EntrySearch,
  retainedSince: number | null,
) {
  const { from, to, subuser_ids, actions, limit, offset } = search;
  const visible = visibleTo(
    principal,
    audit,
    gte(audit.action_date, Math.max(from, retainedSince ?? from)),
    // Callers give whole seconds: the last second counts to its end.
    lte(audit.action_date, to + 999),
    subuser_ids ? among(audit.user_id, subuser_ids) : undefined,
    actions ? among(ACTION_NAME, actions) : undefined,
  );
  return db
    .select(getTableColumns(audit))
    .from(audit)
    .leftJoin(user, and(eq(user.id, audit.user_id), sql`coalesce(${user.master_id}, ${user.id}) = ${audit.account_id}`))
    .where(visible)
    .orderBy(...orderBy(toSortOptions(search), sortableColumns(principal.time_zone, search), audit.id))
    .limit(limit)
    .offset(offset);
}

/** The columns that entries can be sorted by. `action_date` is the day in `zone`. */
export function sortableColumns(zone: string, range: TimeRange): Sortable {
  return {
    action: ACTION_NAME,
    action_date: dayIn(audit.action_date, zone, range),
    action_datetime: audit.action_date,
    user: sql`lower(${user.last_name} || ' ' || ${user.first_name} || ' ' || ${user.middle_name})`,
    host: audit.host,
  };
}

/** Deletes entries older than `before`, alternating between accounts; at most `MAX_ROWS_PER_SWEEP` at once. */
export async function deleteEntries(db: Database, before: number) {
  const isDue = sql`action_date < ${before}`;
  await deleteDueByAccount(
    db,
    { table: audit, isWaiting: sql`TRUE`, isDue, order: sql`action_date` },
    MAX_ROWS_PER_SWEEP,
  );
}

export async function insertCheckin(db: Database, { user_id }: Principal, actor: Actor) {
  await recordChange(db, actor, { is: ["user", "checkin"], entry_id: user_id }, sql`true`);
}

/** Sorts by the grouping first, in the direction that `sort` names for it, then by `sort`, and last by time. */
function toSortOptions({ sort, grouping }: EntrySearch) {
  const options = sort ?? [];
  const isGroup = (option: string) => option.startsWith(`${grouping}=`);
  const group = grouping && grouping !== "default" ? [options.find(isGroup) ?? `${grouping}=asc`] : [];
  return [...group, ...options.filter((option) => !isGroup(option)), "action_datetime=asc"];
}

const MAX_ROWS_PER_SWEEP = 1000;
const ACTION_NAME = sql`(${audit.entry_category} || '_' || ${audit.action})`;
