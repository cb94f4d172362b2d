import { asc, count, eq, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import { mentions } from "#shared/database/mentions.ts";
import type { Database } from "#shared/database/open.ts";
import { demandQuota } from "#shared/database/quota.ts";
import { onlyRow } from "#shared/database/rows.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { demandChange, read, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { type Page, pageAfter } from "#shared/operation/list-answer.ts";
import { foldText } from "#shared/text/fold.ts";
import { recordChange } from "../outbox/audit.ts";
import { type TagRow, tag } from "../table/tag/tag.ts";
import { type ChangedTag, type NewTag, type Tag, toTag } from "./schema.ts";

/** Creates a tag; 268 when the account's quota is used up. */
export async function insertTag(db: Database, principal: Principal, input: NewTag, actor: Actor) {
  const { account_id } = principal;
  const { inserted } = await write(db, {
    quota: demandQuota(principal, "tags", tag),
    inserted: db
      .insert(tag)
      .values({ ...input, name_folded: foldText(input.name), account_id })
      .returning({ id: tag.id }),
    record: recordChange(db, actor, {
      is: ["tag", "create"],
      entry_id: sql`last_insert_rowid()`,
      payload: { name: input.name },
    }),
  });
  return onlyRow(inserted).id;
}

export async function changeTag(db: Database, principal: Principal, { id, name, color }: ChangedTag, actor: Actor) {
  const own = visibleTo(principal, tag, eq(tag.id, id));
  await write(db, {
    update: db
      .update(tag)
      .set({ id, name, name_folded: name && foldText(name), color })
      .where(own),
    tag: demandChange(() => new ApiError(201)),
    record: recordChange(db, actor, {
      is: ["tag", "update"],
      entry_id: id,
      payload: sql`SELECT json_object('name', ${tag.name}) FROM ${tag} WHERE ${own}`,
    }),
  });
}

/** The first page by id, with the number of all matching tags; further pages on demand. */
export async function selectTags(db: Database, principal: Principal, filter: string | null) {
  const visible = visibleTo(principal, tag, filter ? mentions(tag.name_folded, filter) : undefined);
  const { rows, counted } = await read(db, {
    rows: selectRows(db, principal, filter, 0),
    counted: db.select({ count: count() }).from(tag).where(visible),
  });
  return { count: onlyRow(counted).count, page: toPage(db, principal, filter, rows) };
}

/** The query for the tags with exactly these names, oldest first; tags that are being removed are left out. */
export function selectByNames(db: Database, principal: Principal, names: string[]) {
  return db
    .select({ id: tag.id, name: tag.name })
    .from(tag)
    .where(visibleTo(principal, tag, among(tag.name, names), eq(tag.removing, false)))
    .orderBy(asc(tag.id));
}

/** The query for those of the ids that are tags of the account; tags that are being removed are left out. */
export function selectByIds(db: Database, principal: Principal, ids: number[]) {
  return db
    .select({ id: tag.id, name: tag.name })
    .from(tag)
    .where(visibleTo(principal, tag, among(tag.id, ids), eq(tag.removing, false)));
}

function toPage(db: Database, principal: Principal, filter: string | null, rows: TagRow[]): Page<Tag> {
  const next = async (last: number) => toPage(db, principal, filter, await selectRows(db, principal, filter, last));
  return pageAfter(rows, { size: MAX_ROWS_PER_PAGE, toItem: toTag, next });
}

function selectRows(db: Database, principal: Principal, filter: string | null, after: number) {
  const hasName = filter ? mentions(tag.name_folded, filter) : undefined;
  return db
    .select()
    .from(tag)
    .where(visibleTo(principal, tag, sql`${tag.id} > ${after}`, hasName))
    .orderBy(asc(tag.id))
    .limit(MAX_ROWS_PER_PAGE);
}

const MAX_ROWS_PER_PAGE = 2000;
