import { and, count, eq, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { invalid } from "#shared/error/api-error.ts";
import { recording } from "../../outbox/audit.ts";
import { customField } from "../../table/custom-field.ts";
import { entityLayout, type Section } from "../../table/entity-layout.ts";
import { selectFields } from "../custom-field/queries.ts";
import { toCustomField } from "../custom-field/schema.ts";
import { layoutOf } from "./layout.ts";
import type { Entity } from "./schema.ts";

/** There is one for each account, so that it has the account's id. */
export async function selectEntity(db: Database, principal: Principal) {
  const [rows, layouts] = await db.batch([
    selectFields(db, principal),
    db.select().from(entityLayout).where(visibleTo(principal, entityLayout)),
  ]);
  const sections = layoutOf(
    layouts[0]?.sections,
    rows.map(({ id }) => id),
  );
  const entity: Entity = { id: principal.account_id, type: "place", settings: { layout: { sections } } };
  return { entity, fields: rows.map(toCustomField) };
}

/** The sections name these custom fields: all that there are in the moment when they are stored. */
export async function putLayout(
  db: Database,
  { account_id }: Principal,
  sections: Section[],
  field_ids: number[],
  actor: Actor,
) {
  const own = eq(customField.account_id, account_id);
  const counted = (condition = own) => db.select({ count: count() }).from(customField).where(condition);
  const areAll = sql`(${counted()}) = ${field_ids.length}
    AND (${counted(and(own, among(customField.id, field_ids)))}) = ${field_ids.length}`;
  const [stored] = await db.batch([
    db
      .insert(entityLayout)
      .select(sql`SELECT ${account_id}, ${JSON.stringify(sections)} WHERE ${areAll}`)
      .onConflictDoUpdate({ target: entityLayout.account_id, set: { sections: sql`excluded.sections` } })
      .returning({ id: entityLayout.account_id }),
    recording(db, actor, { is: ["entity", "update"], entry_id: account_id, payload: { sections: sections.length } }),
  ]);
  if (stored.length === 0) throw notEach();
}

export function notEach() {
  return invalid("entity.settings.layout.sections", "must name every field exactly once");
}
