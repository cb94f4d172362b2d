import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { demandQuota } from "#shared/database/quota.ts";
import { onlyRow } from "#shared/database/rows.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { demand, outdatedError, write } from "#shared/database/steps.ts";
import { recordEachChange } from "../../audit-outbox.ts";
import { place } from "../../table/place/place.ts";
import { subUserBinding } from "../../table/sub-user-binding.ts";
import { tagBinding } from "../../table/tag-binding.ts";
import { visiblePlaces } from "../list-queries.ts";
import { toColumns, toFieldColumns } from "../queries.ts";
import type { NewPlace } from "../schema.ts";

/** Places with these external ids, as a text that the write compares with the current state. */
export type FoundPlaces = { external_ids: string[]; text: string };

/**
 * Finds places by external id, the oldest if several have the same. Places that the principal cannot see are no
 * duplicates.
 */
export async function findByExternalIds(
  db: Database,
  principal: Principal,
  external_ids: string[],
): Promise<FoundPlaces> {
  if (external_ids.length === 0) return { external_ids, text: "[]" };
  const rows = await db.select({ text: selectFoundText(principal, external_ids) }).from(sql`(SELECT 1)`);
  return { external_ids, text: onlyRow(rows).text };
}

export function parseIds({ text }: FoundPlaces): Map<string, number> {
  return new Map(JSON.parse(text));
}

export type Upload = { known: FoundPlaces; inserts: NewPlace[]; updates: (NewPlace & { id: number })[] };

/** Stores all places, or none if the account's limit would be exceeded or the known places changed meanwhile. */
export async function storePlaces(
  db: Database,
  principal: Principal,
  { known, inserts, updates }: Upload,
  actor: Actor,
) {
  const { external_ids, text } = known;
  const isAsFound = external_ids.length > 0 ? sql`${selectFoundText(principal, external_ids)} = ${text}` : undefined;
  const changed = among(
    place.id,
    updates.map(({ id }) => id),
  );
  await write(db, {
    isCurrent: demand(isAsFound, outdatedError),
    ...(updates.length > 0 && {
      updated: updatePlaces(db, principal, updates),
      recordedChanges: recordEachChange(
        db,
        actor,
        { is: ["place", "update"] },
        selectLabels(visiblePlaces(principal, changed)),
      ),
    }),
    ...(inserts.length > 0 && insertPlaces(db, principal, inserts, actor)),
  });
}

function insertPlaces(db: Database, principal: Principal, inserts: NewPlace[], actor: Actor) {
  const { account_id, user_id } = principal;
  const rows = JSON.stringify(inserts.map(toSentColumns));
  const { searched_fields, field_bytes } = toFieldColumns({});
  const own: Record<string, SQL> = {
    id: sql`NULL`,
    account_id: sql`${account_id}`,
    revision: sql`0`,
    searched: SEARCHED_TEXT,
    fields: sql`'{}'`,
    searched_fields: sql`${searched_fields}`,
    field_bytes: sql`${field_bytes}`,
  };
  const columns = Object.values(getTableColumns(place)).map(({ name }) => own[name] ?? sql`line.value ->> ${name}`);
  // The new places have the highest ids, in their order.
  const id = sql`${NEWEST_PLACE_ID} - ${inserts.length - 1} + key`;
  const areNew = sql`${place.id} > ${NEWEST_PLACE_ID} - ${inserts.length}`;
  return {
    hasQuota: demandQuota(principal, "places", place, inserts.length),
    inserted: db
      .insert(place)
      .select(sql`SELECT ${sql.join(columns, sql`, `)} FROM json_each(${rows}) AS line WHERE TRUE ORDER BY key`),
    recorded: recordEachChange(
      db,
      actor,
      { is: ["place", "create"] },
      selectLabels(visibleTo(principal, place, areNew)),
    ),
    shown:
      principal.kind === "subuser"
        ? db
            .insert(subUserBinding)
            .select(sql`SELECT ${account_id}, ${user_id}, 'place', ${id}, ${actor.action_date} FROM json_each(${rows})`)
        : undefined,
  };
}

/** Updates places; tags, custom fields and icons stay. */
function updatePlaces(db: Database, principal: Principal, updates: Upload["updates"]) {
  const rows = JSON.stringify(updates.map(({ id, ...input }) => ({ id, ...toSentColumns(input) })));
  const [first] = updates.map(toSentColumns);
  const values = Object.keys(first ?? {}).map((name) => [name, sql`line.value ->> ${name}`]);
  const tagged = sql`(SELECT count(*) FROM ${tagBinding} WHERE ${tagBinding.entity_type} = 'place'
    AND ${tagBinding.entity_id} = ${place.id})`;
  const bytes = sql`(line.value ->> 'bytes') + ${MAX_TAG_BYTES} * ${tagged}`;
  return db
    .update(place)
    .set({ ...Object.fromEntries(values), searched: SEARCHED_TEXT, bytes })
    .from(sql`json_each(${rows}) AS line`)
    .where(visiblePlaces(principal, sql`${place.id} = line.value ->> 'id'`));
}

/** Columns without the searched text, which the database computes from the others. */
function toSentColumns(input: NewPlace) {
  const { searched, ...columns } = toColumns(input);
  return columns;
}

function selectFoundText(principal: Principal, external_ids: string[]) {
  const oldest = sql`SELECT ${place.external_id} AS external_id, min(${place.id}) AS id FROM ${place}
    WHERE ${visiblePlaces(principal, among(place.external_id, external_ids))}
    GROUP BY ${place.external_id} ORDER BY ${place.external_id}`;
  return sql<string>`(SELECT json_group_array(json_array(external_id, id)) FROM (${oldest}))`;
}

function selectLabels(condition: SQL | undefined) {
  return sql`SELECT ${place.id} AS id, json_object('label', ${place.label}) AS payload FROM ${place} WHERE ${condition}`;
}

/** The searched text, computed like in `toColumns` of places. */
const SEARCHED_TEXT = sql.join(
  [
    sql`(line.value ->> 'label_folded')`,
    sql`(line.value ->> 'description_folded')`,
    sql`(line.value ->> 'address_folded')`,
    sql`coalesce(line.value ->> 'external_id_folded', '')`,
  ],
  sql` || char(10) || `,
);
const NEWEST_PLACE_ID = sql`(SELECT max(id) FROM ${place})`;
/** A tag's id and a comma. */
const MAX_TAG_BYTES = 12;
