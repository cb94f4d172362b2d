import { and, eq, exists, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { rowIf } from "#shared/database/rows.ts";
import { among } from "#shared/database/scope.ts";
import { inOrder } from "#shared/database/tag-binding/queries.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { folded } from "#shared/text/folded.ts";
import { recording, recordingEach } from "../outbox/audit.ts";
import { subUserBinding } from "../table/sub-user-binding.ts";
import { zone } from "../table/zone.ts";
import { zoneOutline } from "../table/zone-outline.ts";
import { bindNew, noneRemoved, rebind, unbindRemoved } from "../tag-binding/queries.ts";
import { bindToMaker, unbindRemovedFromUsers } from "../visibility/queries.ts";
import { rowsOf, visibleZones } from "./list.ts";
import { type ChangedZone, type NewZone, toZone } from "./schema.ts";
import { classOf, type Shape } from "./shape.ts";

/** How many the account may have is counted in the statement that inserts. */
export async function insertZone(db: Database, principal: Principal, input: NewZone, shape: Shape, actor: Actor) {
  const { account_id, limits } = principal;
  const { points, ...figure } = shape;
  const row = { ...rowOf(input), ...figure, type: input.type, account_id };
  const tags = inOrder(input.tags);
  const linked = noneRemoved(tags);
  const own = sql`SELECT count(*) FROM ${zone} WHERE ${zone.account_id} = ${account_id}`;
  const [[inserted], , [known]] = await db.batch([
    db
      .insert(zone)
      .select(rowIf(zone, row, and(sql`(${own}) < ${limits.zones}`, linked)))
      .returning({ id: zone.id }),
    recording(db, actor, { is: ["zone", "create"], entry_id: sql`last_insert_rowid()`, payload: summaryOf(input) }),
    selectHolds(db, linked),
    ...insertOutline(db, account_id, points),
    ...bindToMaker(db, principal, "zone", NEWEST, actor.action_date),
    bindNew(db, principal, "zone", zone, tags),
  ]);
  if (inserted) return inserted.id;
  throw known?.holds ? new ApiError(268) : unknownTags();
}

/** Zones of a file, without tags: all or, where that were too many for the account, none. */
export async function insertZones(
  db: Database,
  principal: Principal,
  given: { input: NewZone; shape: Shape }[],
  actor: Actor,
) {
  if (given.length === 0) return [];
  const { account_id, user_id, limits } = principal;
  const rows = JSON.stringify(given.map(({ input, shape }) => ({ ...rowOf(input), ...shape, type: input.type })));
  const columns = Object.values(getTableColumns(zone)).flatMap(({ name }) =>
    name === "id"
      ? sql`NULL`
      : name === "revision"
        ? sql`0`
        : name === "account_id"
          ? sql`${account_id}`
          : sql`value ->> ${name}`,
  );
  const own = sql`SELECT count(*) FROM ${zone} WHERE ${zone.account_id} = ${account_id}`;
  // They have the last ids that there are, in the order given.
  const id = sql`${NEWEST} - ${given.length - 1} + key`;
  const [inserted] = await db.batch([
    db
      .insert(zone)
      .select(
        sql`SELECT ${sql.join(columns, sql`, `)} FROM json_each(${rows})
          WHERE (${own}) + ${given.length} <= ${limits.zones} ORDER BY key`,
      )
      .returning({ id: zone.id }),
    recording(db, actor, { is: ["zone", "upload"], payload: { count: given.length } }),
    ...(principal.kind === "subuser"
      ? [
          db.insert(subUserBinding).select(
            sql`SELECT ${account_id}, ${user_id}, 'zone', ${id}, ${actor.action_date} FROM json_each(${rows})
              WHERE changes() > 0`,
          ),
        ]
      : []),
    db.insert(zoneOutline).select(
      sql`SELECT ${id}, ${account_id}, value ->> 'points' FROM json_each(${rows})
        WHERE changes() > 0 AND json_type(value, '$.points') = 'array'`,
    ),
  ]);
  if (inserted.length === 0) throw new ApiError(268);
  return inserted.map(({ id }) => id);
}

/** Without a shape the points stay; a sausage's new radius finds its cell among those kept. */
export async function changeZone(
  db: Database,
  principal: Principal,
  { id, ...input }: ChangedZone,
  shape: Shape | undefined,
  actor: Actor,
) {
  const tags = inOrder(input.tags);
  const linked = noneRemoved(tags);
  const wanted = visibleZones(principal, eq(zone.id, id));
  const mayChange = and(wanted, eq(zone.type, input.type), linked);
  const { points = null, ...figure } = shape ?? {};
  // A number is bound as a fraction, which is no index of an array.
  const kept = sql`${zone.cells} ->> CAST(${classOf(input.radius ?? 0)} AS INTEGER)`;
  const cell = sql`iif(${zone.type} = 'sausage', ${kept}, ${zone.cell})`;
  const isThere = exists(db.select({ id: zone.id }).from(zone).where(mayChange));
  const [, , , , , [known]] = await db.batch([
    db
      .update(zone)
      .set({ ...rowOf(input), ...(shape ? figure : { cell }) })
      .where(mayChange),
    recording(db, actor, { is: ["zone", "update"], entry_id: id, payload: summaryOf(input) }),
    ...rebind(db, principal, "zone", id, tags, isThere),
    db
      .update(zoneOutline)
      .set({ points: points ?? [] })
      .where(and(eq(zoneOutline.zone_id, id), isThere, sql`${points ? 1 : 0}`)),
    db
      .select({ type: zone.type, linked: holding(linked) })
      .from(zone)
      .where(wanted),
  ]);
  if (!known) throw new ApiError(201);
  if (known.type !== input.type) throw new ApiError(231);
  if (!known.linked) throw unknownTags();
}

/** All of the ids or, where one is unknown, none. */
export async function deleteZones(db: Database, principal: Principal, given: number[], actor: Actor) {
  const ids = [...new Set(given)];
  const wanted = visibleZones(principal, among(zone.id, ids));
  const all = and(wanted, sql`(SELECT count(*) FROM ${zone} WHERE ${wanted}) = ${ids.length}`);
  const things = sql`SELECT ${zone.id} AS id, json_object('label', ${zone.label}) AS payload FROM ${zone} WHERE ${all}`;
  const [, , deleted] = await db.batch([
    recordingEach(db, actor, { is: ["zone", "delete"] }, things),
    db.delete(zoneOutline).where(sql`${zoneOutline.zone_id} IN (SELECT ${zone.id} FROM ${zone} WHERE ${all})`),
    // Counted before the first of them goes.
    db.delete(zone).where(sql`${zone.id} IN (SELECT ${zone.id} FROM ${zone} WHERE ${all})`).returning({ id: zone.id }),
    unbindRemoved(db, "zone", zone, ids),
    unbindRemovedFromUsers(db, "zone", zone, principal.account_id, ids),
  ]);
  if (deleted.length < ids.length) throw new ApiError(201);
}

/** Another account's zone is "not found" too: the answer must not reveal that it exists. */
export async function requireZone(db: Database, principal: Principal, id: number, withPoints: boolean) {
  const [row] = await rowsOf(db, { condition: visibleZones(principal, eq(zone.id, id)), offset: 0 }, withPoints);
  if (!row) throw new ApiError(201);
  return toZone(row);
}

/** For the batch of a new zone, right behind the record of it. */
function insertOutline(db: Database, account_id: number, points: Shape["points"]) {
  if (!points) return [];
  const row = sql`SELECT ${NEWEST}, ${account_id}, ${JSON.stringify(points)} WHERE changes() = 1`;
  return [db.insert(zoneOutline).select(row)];
}

/** Whether a condition that a statement of the batch stood under held. */
function selectHolds(db: Database, condition: SQL | undefined) {
  return db.select({ holds: holding(condition) }).from(sql`(SELECT 1)`);
}

function holding(condition: SQL | undefined) {
  return sql<number>`${condition ?? sql`TRUE`}`;
}

function rowOf({ label, address, color, type, radius }: NewZone) {
  return { label, label_folded: folded(label), address, color, radius: type === "polygon" ? null : radius };
}

/** For the audit log. */
function summaryOf({ label, type }: NewZone) {
  return { label, type };
}

function unknownTags() {
  return invalid("zone.tags", "names a tag that does not exist");
}

const NEWEST = sql`(SELECT max(id) FROM ${zone})`;
