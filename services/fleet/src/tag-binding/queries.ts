import { and, eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { among, type Database } from "#shared/database.ts";
import type { Principal } from "#shared/principal.ts";
import { tag } from "../tag/table.ts";
import { type Tagged, tagBinding } from "./table.ts";

/** A tag in the place that its user gave it. */
export type Binding = { tag_id: number; ordinal: number };

/** The tags in the order given, each once. */
export function inOrder(tags: number[]): Binding[] {
  return [...new Set(tags)].map((tag_id, ordinal) => ({ tag_id, ordinal }));
}

/** That the account has all of these tags, for the statement that refers to them. */
export function tagsExist({ account_id }: Principal, bindings: Binding[]): SQL | undefined {
  if (bindings.length === 0) return undefined;
  const ids = bindings.map(({ tag_id }) => tag_id);
  const found = sql`SELECT count(*) FROM ${tag} WHERE ${tag.account_id} = ${account_id} AND ${among(tag.id, ids)}`;
  return sql`(${found}) = ${ids.length}`;
}

/** A column of the entity's row: its tags, in order. */
export function tagsOf(type: Tagged, id: SQLiteColumn) {
  return sql<number[]>`(SELECT json_group_array(tag_id) FROM (${boundTo(type, id)}))`.mapWith(JSON.parse);
}

/** The same with the places that the tags have. */
export function bindingsOf(type: Tagged, id: SQLiteColumn) {
  const pair = sql`json_object('tag_id', tag_id, 'ordinal', ordinal)`;
  return sql<Binding[]>`(SELECT json_group_array(${pair}) FROM (${boundTo(type, id)}))`.mapWith(JSON.parse);
}

/** For the batch that inserts the entity, right behind the record of it: where nothing was recorded, nothing is bound. */
export function bindNew(
  db: Database,
  { account_id }: Principal,
  type: Tagged,
  table: SQLiteTable,
  bindings: Binding[],
) {
  const newest = sql`(SELECT max(id) FROM ${table})`;
  return db.insert(tagBinding).select(rowsOf(account_id, type, newest, bindings, sql`changes() = 1`));
}

/** Puts these in place of the entity's tags, where the condition holds in that moment. */
export function rebind(
  db: Database,
  { account_id }: Principal,
  type: Tagged,
  id: number,
  bindings: Binding[],
  condition: SQL | undefined,
) {
  return [
    db.delete(tagBinding).where(and(ofEntity(type, id), condition)),
    db.insert(tagBinding).select(rowsOf(account_id, type, sql`${id}`, bindings, condition ?? sql`TRUE`)),
  ] as const;
}

/** Behind the deletion of entities: what is bound to those that are there no more. */
export function unbindGone(db: Database, type: Tagged, table: SQLiteTable, ids: number[]) {
  return db
    .delete(tagBinding)
    .where(
      and(
        eq(tagBinding.entity_type, type),
        among(tagBinding.entity_id, ids),
        sql`NOT EXISTS (SELECT 1 FROM ${table} WHERE id = ${tagBinding.entity_id})`,
      ),
    );
}

/** That the entity carries all of the tags. */
export function carriesAll({ account_id }: Principal, type: Tagged, id: SQLiteColumn, tags: number[]): SQL {
  const wanted = [...new Set(tags)];
  return sql`${id} IN (SELECT ${tagBinding.entity_id} FROM ${tagBinding} WHERE ${tagBinding.account_id} = ${account_id}
    AND ${tagBinding.entity_type} = ${type} AND ${among(tagBinding.tag_id, wanted)}
    GROUP BY ${tagBinding.entity_id} HAVING count(*) = ${wanted.length})`;
}

function boundTo(type: Tagged, id: SQLiteColumn) {
  return sql`SELECT ${tagBinding.tag_id}, ${tagBinding.ordinal} FROM ${tagBinding} WHERE ${ofEntity(type, id)}
    ORDER BY ${tagBinding.ordinal}`;
}

function ofEntity(type: Tagged, id: SQLiteColumn | number) {
  return and(eq(tagBinding.entity_type, type), eq(tagBinding.entity_id, id));
}

function rowsOf(account_id: number, type: Tagged, id: SQL, bindings: Binding[], condition: SQL) {
  return sql`SELECT ${type}, ${id}, value ->> 'ordinal', value ->> 'tag_id', ${account_id}
    FROM json_each(${JSON.stringify(bindings)}) WHERE ${condition}`;
}
