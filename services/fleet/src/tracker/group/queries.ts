import { and, asc, count, eq, gt, type SQL, sql } from "drizzle-orm";
import { type Actor, someOf } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { onlyRow } from "#shared/database/rows.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { demand, demandChange, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import type { Page } from "#shared/operation/list-answer.ts";
import { recordChange } from "../../outbox/audit.ts";
import { source } from "../../table/tracker/source.ts";
import { tracker } from "../../table/tracker/tracker.ts";
import { trackerGroup } from "../../table/tracker/tracker-group.ts";
import type { NewTrackerGroup, TrackerGroup } from "./schema.ts";

/** All groups by id, in pages. */
export async function selectGroups(db: Database, principal: Principal, after = 0): Promise<Page<TrackerGroup>> {
  const items = await db
    .select({ id: trackerGroup.id, title: trackerGroup.title, color: trackerGroup.color })
    .from(trackerGroup)
    .where(visibleTo(principal, trackerGroup, gt(trackerGroup.id, after)))
    .orderBy(asc(trackerGroup.id))
    .limit(MAX_ROWS_PER_PAGE);
  const last = items.at(-1);
  const full = items.length === MAX_ROWS_PER_PAGE && last;
  return { items, next: full ? () => selectGroups(db, principal, last.id) : undefined };
}

export async function insertGroup(db: Database, principal: Principal, group: NewTrackerGroup, actor: Actor) {
  const { account_id } = principal;
  const own = sql`(SELECT count(*) FROM ${trackerGroup} WHERE ${visibleTo(principal, trackerGroup)})`;
  const { inserted } = await write(db, {
    quota: demand(sql`${own} < ${MAX_GROUPS_PER_ACCOUNT}`, () => new ApiError(268)),
    inserted: db
      .insert(trackerGroup)
      .values({ ...group, account_id })
      .returning({ id: trackerGroup.id }),
    record: recordChange(db, actor, {
      is: ["tracker_group", "create"],
      entry_id: sql`last_insert_rowid()`,
      payload: group,
    }),
  });
  return onlyRow(inserted).id;
}

export async function changeGroup(db: Database, principal: Principal, { id, ...group }: TrackerGroup, actor: Actor) {
  await write(db, {
    update: db
      .update(trackerGroup)
      .set(group)
      .where(visibleTo(principal, trackerGroup, eq(trackerGroup.id, id))),
    exists: demandChange(() => new ApiError(201)),
    record: recordChange(db, actor, { is: ["tracker_group", "update"], entry_id: id, payload: group }),
  });
}

/** Deletes a group; its trackers are in group 0 from then on. */
export async function removeGroup(db: Database, principal: Principal, id: number, actor: Actor) {
  const members = and(eq(tracker.account_id, principal.account_id), eq(tracker.group_id, id));
  await write(db, {
    deletion: db.delete(trackerGroup).where(visibleTo(principal, trackerGroup, eq(trackerGroup.id, id))),
    existed: demandChange(() => new ApiError(201)),
    record: recordChange(db, actor, { is: ["tracker_group", "delete"], entry_id: id }),
    members: db.update(tracker).set({ group_id: 0 }).where(members),
  });
}

/** Puts all of the trackers into the group, or none (217) when one is blocked or not visible. */
export async function assignGroup(db: Database, principal: Principal, id: number, trackers: number[], actor: Actor) {
  const ids = [...new Set(trackers)];
  const visible = visibleTo(
    principal,
    { account_id: tracker.account_id, tracker_id: tracker.id },
    among(tracker.id, ids),
  );
  const usable = db
    .select({ count: count() })
    .from(tracker)
    .innerJoin(source, eq(source.id, tracker.source_id))
    .where(and(visible, eq(source.blocked, false)));
  await write(db, {
    group: demand(groupExists(principal, id), () => new ApiError(201)),
    usable: demand(sql`${usable} = ${ids.length}`, () => new ApiError(217)),
    members: db.update(tracker).set({ group_id: id }).where(visible),
    record: recordChange(db, actor, {
      is: ["tracker_group", "assign"],
      entry_id: id,
      payload: { trackers: someOf(ids) },
    }),
  });
}

/** Condition: the group exists; undefined for 0, which stands for no group. */
export function groupExists(principal: Principal, id: number): SQL | undefined {
  if (id === 0) return undefined;
  return sql`EXISTS (SELECT 1 FROM ${trackerGroup} WHERE ${visibleTo(principal, trackerGroup, eq(trackerGroup.id, id))})`;
}

const MAX_ROWS_PER_PAGE = 2000;
/** More groups could not be shown on one screen. */
const MAX_GROUPS_PER_ACCOUNT = 1000;
