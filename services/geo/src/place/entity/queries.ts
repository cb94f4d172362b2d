import { count, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { demand, read, write } from "#shared/database/steps.ts";
import { invalid } from "#shared/error/api-error.ts";
import { recordChange } from "../../audit-outbox.ts";
import { customField } from "../../table/place/custom-field.ts";
import { entityLayout, type Section } from "../../table/place/entity-layout.ts";
import { selectFields } from "../custom-field/queries.ts";
import { toCustomField } from "../custom-field/schema.ts";
import { layoutOf } from "./layout.ts";
import type { Entity } from "./schema.ts";

/** The account's entity "place", whose id is the account's id, with its layout and fields. */
export async function selectEntity(db: Database, principal: Principal) {
  const { rows, layouts } = await read(db, {
    rows: selectFields(db, principal),
    layouts: db.select().from(entityLayout).where(visibleTo(principal, entityLayout)),
  });
  const [layout] = layouts;
  const sections = layoutOf(
    layout?.sections,
    rows.map(({ id }) => id),
  );
  const entity: Entity = { id: principal.account_id, type: "place", settings: { layout: { sections } } };
  return { entity, fields: rows.map(toCustomField) };
}

/** Stores the layout; demands that `field_ids` are all custom fields of the account. */
export async function putLayout(
  db: Database,
  principal: Principal,
  sections: Section[],
  field_ids: number[],
  actor: Actor,
) {
  const { account_id } = principal;
  const counted = (condition?: SQL) =>
    db
      .select({ count: count() })
      .from(customField)
      .where(visibleTo(principal, customField, condition));
  const areAll = sql`(${counted()}) = ${field_ids.length}
    AND (${counted(among(customField.id, field_ids))}) = ${field_ids.length}`;
  await write(db, {
    areAll: demand(areAll, missingFieldError),
    stored: db
      .insert(entityLayout)
      .values({ account_id, sections })
      .onConflictDoUpdate({ target: entityLayout.account_id, set: { sections } }),
    recorded: recordChange(db, actor, {
      is: ["entity", "update"],
      entry_id: account_id,
      payload: { sections: sections.length },
    }),
  });
}

export function missingFieldError() {
  return invalid("entity.settings.layout.sections", "must name every field exactly once");
}
