import { asc, count, eq, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { only, rowIf } from "#shared/database/rows.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { ApiError } from "#shared/error/api-error.ts";
import type { Page } from "#shared/operation/list-answer.ts";
import { anywhere, folded } from "#shared/text/folded.ts";
import { recording } from "../outbox/audit.ts";
import { tag } from "../table/tag.ts";
import { type NewTag, type Tag, toTag } from "./schema.ts";

/** How many the account may have is counted in the statement that inserts. */
export async function insertTag(db: Database, { account_id, limits }: Principal, input: NewTag, actor: Actor) {
  const own = sql`SELECT count(*) FROM ${tag} WHERE ${tag.account_id} = ${account_id}`;
  const [[inserted]] = await db.batch([
    db
      .insert(tag)
      .select(rowIf(tag, { ...rowOf(input), account_id, removing: false }, sql`(${own}) < ${limits.tags}`))
      .returning({ id: tag.id }),
    recording(db, actor, {
      is: ["tag", "create"],
      entry_id: sql`last_insert_rowid()`,
      payload: { name: input.name },
    }),
  ]);
  if (!inserted) throw new ApiError(268);
  return inserted.id;
}

export async function changeTag(db: Database, principal: Principal, id: number, input: NewTag, actor: Actor) {
  const [updated] = await db.batch([
    db
      .update(tag)
      .set(rowOf(input))
      .where(visibleTo(principal, tag, eq(tag.id, id)))
      .returning({ id: tag.id }),
    recording(db, actor, { is: ["tag", "update"], entry_id: id, payload: { name: input.name } }),
  ]);
  if (updated.length === 0) throw new ApiError(201);
}

/** The first page with the count of all, then page after page; by id. */
export async function selectTags(db: Database, principal: Principal, filter: string | null) {
  const visible = visibleTo(principal, tag, filter ? containing(filter) : undefined);
  const [rows, counted] = await db.batch([
    pageOf(db, principal, filter, 0),
    db.select({ count: count() }).from(tag).where(visible),
  ]);
  return { count: only(counted).count, page: toPage(db, principal, filter, rows) };
}

/** For a batch: the tags of exactly these names that stay, the oldest first. */
export function selectByNames(db: Database, principal: Principal, names: string[]) {
  return db
    .select({ id: tag.id, name: tag.name })
    .from(tag)
    .where(visibleTo(principal, tag, among(tag.name, names), eq(tag.removing, false)))
    .orderBy(asc(tag.id));
}

/** For a batch, too: those of the ids that are tags of the account and stay it. */
export function selectByIds(db: Database, principal: Principal, ids: number[]) {
  return db
    .select({ id: tag.id })
    .from(tag)
    .where(visibleTo(principal, tag, among(tag.id, ids), eq(tag.removing, false)));
}

function toPage(db: Database, principal: Principal, filter: string | null, rows: (typeof tag.$inferSelect)[]) {
  const last = rows.at(-1);
  const page: Page<Tag> = { items: rows.map(toTag) };
  if (last && rows.length === PAGE) {
    page.next = async () => toPage(db, principal, filter, await pageOf(db, principal, filter, last.id));
  }
  return page;
}

function pageOf(db: Database, principal: Principal, filter: string | null, after: number) {
  const named = filter ? containing(filter) : undefined;
  return db
    .select()
    .from(tag)
    .where(visibleTo(principal, tag, sql`${tag.id} > ${after}`, named))
    .orderBy(asc(tag.id))
    .limit(PAGE);
}

function containing(filter: string) {
  return sql`${tag.name_folded} LIKE ${anywhere(filter)} ESCAPE '\\'`;
}

function rowOf({ name, color }: NewTag) {
  return { name, name_folded: folded(name), color };
}

const PAGE = 2000;
