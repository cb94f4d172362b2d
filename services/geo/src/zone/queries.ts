import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { demandQuota } from "#shared/database/quota.ts";
import { onlyRow } from "#shared/database/rows.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { demand, outdatedError, write } from "#shared/database/steps.ts";
import { toBindings } from "#shared/database/tag-binding/queries.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { foldText } from "#shared/text/fold.ts";
import { recordChange, recordEachChange } from "../audit-outbox.ts";
import { subUserBinding } from "../table/sub-user-binding.ts";
import { zone } from "../table/zone/zone.ts";
import { zoneOutline } from "../table/zone/zone-outline.ts";
import { selectZoneRows, visibleZones } from "./list-queries.ts";
import { isNamedByRule } from "./naming-queries.ts";
import { type NewZone, toZone } from "./schema.ts";
import { radiusClassOf, type Shape } from "./shape.ts";
import { deleteRemovedBindings, demandTags, insertBindings, replaceBindings, tagsOf } from "./tag-queries.ts";
import { bindToCreator, unbindRemovedFromUsers } from "./visible-queries.ts";

export async function insertZone(db: Database, principal: Principal, input: NewZone, shape: Shape, actor: Actor) {
  const { account_id } = principal;
  const { points, holes, ...columns } = shape;
  const tags = toBindings(input.tags);
  const { inserted } = await write(db, {
    areTags: demandTags("zone", tags),
    hasQuota: demandQuota(principal, "zones", zone, 1),
    inserted: db
      .insert(zone)
      .values({ ...toColumns(input), ...columns, type: input.type, account_id })
      .returning({ id: zone.id }),
    recorded: recordChange(db, actor, {
      is: ["zone", "create"],
      entry_id: sql`last_insert_rowid()`,
      payload: summaryOf(input),
    }),
    outlined: points
      ? db.insert(zoneOutline).values({ zone_id: NEWEST_ZONE_ID, account_id, points, holes })
      : undefined,
    shown: bindToCreator(db, principal, "zone", NEWEST_ZONE_ID, actor.action_date),
    bound: insertBindings(db, principal, "zone", zone, tags),
  });
  return onlyRow(inserted).id;
}

/** Inserts zones of a file, without tags; none of them if the account's limit would be exceeded. */
export async function insertZones(
  db: Database,
  principal: Principal,
  zones: { input: NewZone; shape: Shape }[],
  actor: Actor,
) {
  if (zones.length === 0) return [];
  const { account_id, user_id } = principal;
  const own: Record<string, SQL> = { id: sql`NULL`, revision: sql`0`, account_id: sql`${account_id}` };
  const columns = Object.keys(getTableColumns(zone));
  const inputColumns = columns.filter((name) => !own[name]);
  // Arrays instead of objects: the database parses a row's JSON anew for each column.
  const rows = JSON.stringify(
    zones.map(({ input, shape: { points, holes, ...box } }) => {
      const row: Record<string, unknown> = { ...toColumns(input), ...box, type: input.type };
      return inputColumns.map((name) => row[name]);
    }),
  );
  const values = columns.map((name) => own[name] ?? sql.raw(`value ->> ${inputColumns.indexOf(name)}`));
  // Outlines are sent separately, as they would be parsed anew for each column too.
  const outlines = zones.flatMap(({ shape: { points, holes } }, index) => (points ? [[index, points, holes]] : []));
  // The new zones have the highest ids, in their order.
  const id = sql`${NEWEST_ZONE_ID} - ${zones.length - 1} + key`;
  const { newest } = await write(db, {
    hasQuota: demandQuota(principal, "zones", zone, zones.length),
    inserted: db
      .insert(zone)
      .select(sql`SELECT ${sql.join(values, sql`, `)} FROM json_each(${rows}) WHERE TRUE ORDER BY key`),
    recorded: recordChange(db, actor, { is: ["zone", "upload"], payload: { count: zones.length } }),
    shown:
      principal.kind === "subuser"
        ? db
            .insert(subUserBinding)
            .select(sql`SELECT ${account_id}, ${user_id}, 'zone', ${id}, ${actor.action_date} FROM json_each(${rows})`)
        : undefined,
    outlined: db.insert(zoneOutline).select(
      sql`SELECT ${NEWEST_ZONE_ID} - ${zones.length - 1} + (value ->> 0), ${account_id}, value ->> 1, value ->> 2
        FROM json_each(${JSON.stringify(outlines)})`,
    ),
    newest: db.select({ id: sql<number>`${NEWEST_ZONE_ID}` }).from(sql`(SELECT 1)`),
  });
  const last = onlyRow(newest).id;
  return zones.map((_, index) => last - zones.length + 1 + index);
}

/** The zone with internal columns, for an update. */
export async function requireCurrentZone(db: Database, principal: Principal, id: number) {
  const own = visibleZones(principal, eq(zone.id, id));
  const [row] = await db
    .select({ ...getTableColumns(zone), tags: tagsOf("zone", zone.id) })
    .from(zone)
    .where(own);
  if (!row) throw new ApiError(201);
  const { type, label, address, color, tags, radius, revision, cell, cells } = row;
  const center = type === "circle" ? { lat: row.south, lng: row.west } : null;
  return {
    revision,
    cell,
    cells,
    members: { type, label, address, color, tags, radius, center, points: null, holes: null },
  };
}
export type CurrentZone = Awaited<ReturnType<typeof requireCurrentZone>>;

type ZoneChange = {
  id: number;
  current: CurrentZone;
  members: NewZone;
  tags: number[] | undefined;
  shape: Shape | undefined;
};

/** Updates a zone unless it changed since `current` was read. Undefined tags stay; without a shape the points stay. */
export async function changeZone(
  db: Database,
  principal: Principal,
  { id, current, members, tags: given, shape }: ZoneChange,
  actor: Actor,
) {
  const own = visibleZones(principal, eq(zone.id, id));
  const tags = given && toBindings(given);
  const {
    points = null,
    holes = null,
    ...columns
  } = shape ?? { cell: current.cells?.[radiusClassOf(members.radius ?? 0)] ?? current.cell };
  await write(db, {
    isCurrent: demand(hasZone(and(own, eq(zone.revision, current.revision))), outdatedError),
    areTags: tags && demandTags("zone", tags),
    updated: db
      .update(zone)
      .set({ ...toColumns(members), ...columns })
      .where(own),
    recorded: recordChange(db, actor, { is: ["zone", "update"], entry_id: id, payload: summaryOf(members) }),
    bound: tags && replaceBindings(db, principal, "zone", id, tags),
    outlined: points
      ? db
          .update(zoneOutline)
          .set({ points, holes })
          .where(visibleTo(principal, zoneOutline, eq(zoneOutline.zone_id, id)))
      : undefined,
  });
}

/** Deletes the zones; none of them if one is unknown or named by a rule. */
export async function removeZones(db: Database, principal: Principal, zone_ids: number[], actor: Actor) {
  const ids = [...new Set(zone_ids)];
  const own = visibleZones(principal, among(zone.id, ids));
  const things = sql`SELECT ${zone.id} AS id, json_object('label', ${zone.label}) AS payload FROM ${zone} WHERE ${own}`;
  const areThere = sql`(SELECT count(*) FROM ${zone} WHERE ${own}) = ${ids.length}`;
  await write(db, {
    areThere: demand(areThere, () => new ApiError(201)),
    areFree: demand(sql`NOT ${isNamedByRule(principal, ids)}`, () => new NamedByRules()),
    recorded: recordEachChange(db, actor, { is: ["zone", "delete"] }, things),
    outlined: db
      .delete(zoneOutline)
      .where(sql`${zoneOutline.zone_id} IN (SELECT ${zone.id} FROM ${zone} WHERE ${own})`),
    removed: db.delete(zone).where(own),
    unbound: deleteRemovedBindings(db, "zone", zone, ids),
    hidden: unbindRemovedFromUsers(db, "zone", zone, principal.account_id, ids),
  });
}

/** Thrown when a rule names a zone that should be deleted. */
export class NamedByRules extends Error {}

/** Another account's zone is "not found" too: the answer must not reveal that it exists. */
export async function requireZone(db: Database, principal: Principal, id: number, withPoints: boolean) {
  const [row] = await selectZoneRows(
    db,
    { condition: visibleZones(principal, eq(zone.id, id)), offset: 0 },
    withPoints,
  );
  if (!row) throw new ApiError(201);
  return toZone(row);
}

function hasZone(condition: SQL | undefined) {
  return sql`EXISTS (SELECT 1 FROM ${zone} WHERE ${condition})`;
}

function toColumns({ label, address, color, type, radius }: NewZone) {
  return { label, label_folded: foldText(label), address, color, radius: type === "polygon" ? null : radius };
}

/** The payload of a record in the audit log. */
function summaryOf({ label, type }: NewZone) {
  return { label, type };
}

const NEWEST_ZONE_ID = sql`(SELECT max(id) FROM ${zone})`;
