import { and, eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Principal } from "../../caller/principal.ts";
import type { Database } from "../open.ts";
import { among, visibleTo } from "../scope.ts";
import type { TagBindingTable } from "./table.ts";

/** A tag with its index in the user's order. */
export type Binding = { tag_id: number; ordinal: number };

/** Distinct tags in the given order. */
export function toBindings(tags: number[]): Binding[] {
  return [...new Set(tags)].map((tag_id, ordinal) => ({ tag_id, ordinal }));
}

/** Queries of the tags bound to a service's things. */
export function tagBindingsIn<Type extends string>(tagBinding: TagBindingTable<Type>) {
  return { tagsOf, bindingsOf, insertBindings, replaceBindings, deleteRemovedBindings, carriesAll };

  /** A column expression: ids of the entity's tags in order. */
  function tagsOf(type: Type, id: SQLiteColumn) {
    return sql<number[]>`(SELECT json_group_array(tag_id) FROM (${bindingsQuery(tagBinding, type, id)}))`.mapWith(
      JSON.parse,
    );
  }

  /** Like `tagsOf`, with the index of each tag. */
  function bindingsOf(type: Type, id: SQLiteColumn) {
    const pair = sql`json_object('tag_id', tag_id, 'ordinal', ordinal)`;
    return sql<Binding[]>`(SELECT json_group_array(${pair}) FROM (${bindingsQuery(tagBinding, type, id)}))`.mapWith(
      JSON.parse,
    );
  }

  /**
   * Binds tags to the row that was just inserted; stands directly behind its audit record and does nothing when that
   * recorded nothing.
   */
  function insertBindings(
    db: Database,
    { account_id }: Principal,
    type: Type,
    table: SQLiteTable,
    bindings: Binding[],
  ) {
    const newest = sql`(SELECT max(id) FROM ${table})`;
    return db.insert(tagBinding).select(rowsOf(account_id, type, newest, bindings, sql`changes() = 1`));
  }

  /** Replaces the entity's tags; with `condition` only where it holds. */
  function replaceBindings(
    db: Database,
    principal: Principal,
    type: Type,
    id: number,
    bindings: Binding[],
    condition?: SQL | undefined,
  ) {
    const rows = rowsOf(principal.account_id, type, sql`${id}`, bindings, condition ?? sql`TRUE`);
    return [
      db.delete(tagBinding).where(visibleTo(principal, tagBinding, isOfEntity(tagBinding, type, id), condition)),
      db.insert(tagBinding).select(rows),
    ] as const;
  }

  /** Removes the bindings of those that were deleted. */
  function deleteRemovedBindings(db: Database, type: Type, table: SQLiteTable, ids: number[]) {
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

  /** The entity has all of the tags. */
  function carriesAll({ account_id }: Principal, type: Type, id: SQLiteColumn, tags: number[]): SQL {
    const distinct = [...new Set(tags)];
    return sql`${id} IN (SELECT ${tagBinding.entity_id} FROM ${tagBinding} WHERE ${tagBinding.account_id} = ${account_id}
      AND +${tagBinding.entity_type} = ${type} AND ${among(tagBinding.tag_id, distinct)}
      GROUP BY ${tagBinding.entity_id} HAVING count(*) = ${distinct.length})`;
  }
}

function bindingsQuery<Type extends string>(tagBinding: TagBindingTable<Type>, type: Type, id: SQLiteColumn) {
  return sql`SELECT ${tagBinding.tag_id}, ${tagBinding.ordinal} FROM ${tagBinding} WHERE ${isOfEntity(tagBinding, type, id)}
    ORDER BY ${tagBinding.ordinal}`;
}

function isOfEntity<Type extends string>(tagBinding: TagBindingTable<Type>, type: Type, id: SQLiteColumn | number) {
  return and(eq(tagBinding.entity_type, type), eq(tagBinding.entity_id, id));
}

function rowsOf(account_id: number, type: string, id: SQL, bindings: Binding[], condition: SQL) {
  return sql`SELECT ${type}, ${id}, value ->> 'ordinal', value ->> 'tag_id', ${account_id}
    FROM json_each(${JSON.stringify(bindings)}) WHERE ${condition}`;
}
