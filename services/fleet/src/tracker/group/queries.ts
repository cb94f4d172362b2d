import { and, asc, eq, gt, inArray, sql } from "drizzle-orm";
import { type Actor, someOf } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { only } from "#shared/database/rows.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { ApiError } from "#shared/error/api-error.ts";
import type { Page } from "#shared/operation/list-answer.ts";
import { recording } from "../../outbox/audit.ts";
import { source } from "../../table/source.ts";
import { tracker } from "../../table/tracker.ts";
import { trackerGroup } from "../../table/tracker-group.ts";
import { groupExists } from "./exists.ts";
import type { NewTrackerGroup, TrackerGroup } from "./schema.ts";

/** All of them by id, page after page. */
export async function selectGroups(db: Database, principal: Principal, after = 0): Promise<Page<TrackerGroup>> {
  const items = await db
    .select({ id: trackerGroup.id, title: trackerGroup.title, color: trackerGroup.color })
    .from(trackerGroup)
    .where(visibleTo(principal, trackerGroup, gt(trackerGroup.id, after)))
    .orderBy(asc(trackerGroup.id))
    .limit(PAGE);
  const last = items.at(-1);
  const full = items.length === PAGE && last;
  return { items, next: full ? () => selectGroups(db, principal, last.id) : undefined };
}

export async function insertGroup(db: Database, { account_id }: Principal, group: NewTrackerGroup, actor: Actor) {
  const [inserted] = await db.batch([
    db
      .insert(trackerGroup)
      .values({ ...group, account_id })
      .returning({ id: trackerGroup.id }),
    recording(db, actor, { is: ["tracker_group", "create"], entry_id: sql`last_insert_rowid()`, payload: group }),
  ]);
  return only(inserted).id;
}

export async function updateGroup(db: Database, principal: Principal, { id, ...group }: TrackerGroup, actor: Actor) {
  const [updated] = await db.batch([
    db
      .update(trackerGroup)
      .set(group)
      .where(visibleTo(principal, trackerGroup, eq(trackerGroup.id, id)))
      .returning({ id: trackerGroup.id }),
    recording(db, actor, { is: ["tracker_group", "update"], entry_id: id, payload: group }),
  ]);
  if (updated.length === 0) throw new ApiError(201);
}

/** Its trackers stay, in no group. */
export async function deleteGroup(db: Database, principal: Principal, id: number, actor: Actor) {
  const members = and(eq(tracker.account_id, principal.account_id), eq(tracker.group_id, id));
  const [deleted] = await db.batch([
    db
      .delete(trackerGroup)
      .where(visibleTo(principal, trackerGroup, eq(trackerGroup.id, id)))
      .returning({ id: trackerGroup.id }),
    recording(db, actor, { is: ["tracker_group", "delete"], entry_id: id }),
    db.update(tracker).set({ group_id: 0 }).where(members),
  ]);
  if (deleted.length === 0) throw new ApiError(201);
}

/** All of the trackers or none. */
export async function assignGroup(db: Database, principal: Principal, id: number, trackers: number[], actor: Actor) {
  const wanted = [...new Set(trackers)];
  const scoped = { account_id: tracker.account_id, tracker_id: tracker.id };
  const usable = db
    .select({ id: tracker.id })
    .from(tracker)
    .innerJoin(source, eq(source.id, tracker.source_id))
    .where(visibleTo(principal, scoped, among(tracker.id, wanted), eq(source.blocked, false)));
  const whole = sql`(SELECT count(*) FROM ${usable}) = ${wanted.length}`;
  const exists = groupExists(principal, id);
  const payload = { trackers: someOf(wanted) };
  const [, , states] = await db.batch([
    db
      .update(tracker)
      .set({ group_id: id })
      .where(and(inArray(tracker.id, usable), whole, exists)),
    recording(db, actor, { is: ["tracker_group", "assign"], entry_id: id, payload }),
    db.select({ exists: sql<number>`${exists}`, whole: sql<number>`${whole}` }).from(sql`(SELECT 1)`),
  ]);
  const state = only(states);
  if (!state.exists) throw new ApiError(201);
  if (!state.whole) throw new ApiError(217);
}

const PAGE = 2000;
