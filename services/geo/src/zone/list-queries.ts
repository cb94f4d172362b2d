import { and, count, eq, getTableColumns, gt, type SQL, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import { mentions } from "#shared/database/mentions.ts";
import { type Database, prepareOnce } from "#shared/database/open.ts";
import { onlyRow } from "#shared/database/rows.ts";
import { among } from "#shared/database/scope.ts";
import { read } from "#shared/database/steps.ts";
import { carriesRequestedTags, requestedTags } from "#shared/database/tag-binding/requested-tags.ts";
import { type ListWindow, mayHaveMore, type Page, pageAt } from "#shared/operation/list-answer.ts";
import type { Position } from "../point/schema.ts";
import { tagBinding } from "../table/tag-binding.ts";
import { zone } from "../table/zone/zone.ts";
import { zoneOutline } from "../table/zone/zone-outline.ts";
import { contains } from "./contains.ts";
import { isNearby } from "./grid/nearby-queries.ts";
import { toZone, type Zone } from "./schema.ts";
import { carriesAll, tagsOf } from "./tag-queries.ts";
import { isBoundTo, selectAccess, viewerOf, visibleThings, visibleToViewer } from "./visible-queries.ts";
import { MAX_ROWS_PER_PAGE, type PageRequest, selectWeighedIds } from "./weighed-queries.ts";

export function visibleZones(principal: Principal, ...conditions: (SQL | undefined)[]) {
  return visibleThings(principal, "zone", zone, ...conditions);
}

type ZoneSearch = { filter: string | null; tag_ids: number[]; limit?: number; offset: number };

/** The first page, with the number of all matching zones, ordered by id. */
export async function selectZones(db: Database, principal: Principal, search: ZoneSearch, withPoints: boolean) {
  const request = { ...search, condition: matchesSearch(principal, search) };
  const { rows, counted } = await read(db, {
    rows: selectZoneRows(db, request, withPoints),
    counted: countOf(db, request),
  });
  return { count: onlyRow(counted).count, page: toPage(db, request, rows, withPoints) };
}

/** The principal's zones that its sub-user sees. */
export async function selectZonesOf(
  db: Database,
  principal: Principal,
  sub_user_id: number,
  { order, ...search }: ZoneSearch & { order: "id" | "label" },
) {
  const condition = and(matchesSearch(principal, search), isBoundTo(sub_user_id, "zone", zone.id));
  const request = { ...search, condition, by: order === "label" ? zone.label_folded : undefined };
  const { rows, counted, access } = await read(db, {
    rows: selectZoneRows(db, request, false),
    counted: countOf(db, request),
    access: selectAccess(db, sub_user_id, "zone"),
  });
  const head = { access_to_all: onlyRow(access).to_all === 1, count: onlyRow(counted).count };
  return { head, page: toPage(db, request, rows, false) };
}

/** Zones with points, ordered by id in pages: all of them, or those of the ids. */
export async function selectZonesWithPoints(db: Database, principal: Principal, ids: number[] | null) {
  const isRequested = ids === null ? undefined : among(zone.id, ids);
  const request = { condition: visibleZones(principal, isRequested), offset: 0 };
  return toPage(db, request, await selectZoneRows(db, request, true), true);
}

/** Zones that contain the position, ordered by id in pages. The grid finds candidates, the points decide. */
export async function selectZonesAt(
  db: Database,
  principal: Principal,
  position: Position,
): Promise<Page<{ id: number; label: string }>> {
  const near = isNearby(principal, zone, position);
  return aroundAfter(0);

  async function aroundAfter(after: number): Promise<Page<{ id: number; label: string }>> {
    const rows = await selectZoneRows(
      db,
      { condition: visibleZones(principal, near, gt(zone.id, after)), offset: 0 },
      true,
    );
    const last = rows.at(-1);
    const items = rows.filter((row) => contains(row, position)).map(({ id, label }) => ({ id, label }));
    return { items, next: last && mayHaveMore(rows, MAX_ROWS_PER_PAGE) ? () => aroundAfter(last.id) : undefined };
  }
}

/** A page of zones with the tags, after the given id. */
export async function selectTaggedZones(db: Database, principal: Principal, tag_ids: number[], after: number) {
  const rows = await taggedZones(db).all({ ...viewerOf(principal), ...requestedTags(tag_ids), after });
  return { items: rows.map(toZone), after: mayHaveMore(rows, MAX_ROWS_PER_PAGE) ? rows.at(-1)?.id : undefined };
}
const taggedZones = prepareOnce((db) => {
  const carries = carriesRequestedTags(tagBinding, "zone", zone.id);
  const condition = visibleToViewer("zone", zone, carries, gt(zone.id, sql.placeholder("after")));
  return selectZoneRows(db, { condition, offset: 0 }, false).prepare();
});

function matchesSearch(principal: Principal, { filter, tag_ids }: ZoneSearch) {
  return visibleZones(
    principal,
    filter ? mentions(zone.label_folded, filter) : undefined,
    tag_ids.length > 0 ? carriesAll(principal, "zone", zone.id, tag_ids) : undefined,
  );
}

function countOf(db: Database, { condition }: PageRequest) {
  return db.select({ count: count() }).from(zone).where(condition);
}

function toPage(db: Database, request: PageRequest, rows: Row[], withPoints: boolean): Page<Zone> {
  const read = async (window: ListWindow) => selectZoneRows(db, { ...request, ...window }, withPoints);
  return pageAt(rows, request, { size: MAX_ROWS_PER_PAGE, read, toItem: toZone });
}

/** Rows of a page of zones, with points if requested. */
export function selectZoneRows(db: Database, request: PageRequest, withPoints: boolean) {
  const weight = withPoints ? ZONE_WITH_POINTS_BYTES : sql`${MAX_ZONE_BYTES}`;
  const weighed = selectWeighedIds(db, zone, weight, request);
  return db
    .select({
      ...ZONE_COLUMNS,
      points: withPoints ? zoneOutline.points : NO_POINTS,
      holes: withPoints ? zoneOutline.holes : NO_POINTS,
      candidates: weighed.candidates,
    })
    .from(weighed.table)
    .innerJoin(zone, eq(zone.id, weighed.id))
    .leftJoin(zoneOutline, and(outlineOf, sql`${withPoints ? 1 : 0}`))
    .where(weighed.fits)
    .orderBy(weighed.ordinal);
}
type Row = Awaited<ReturnType<typeof selectZoneRows>>[number];

const { account_id, revision, label_folded, point_count, cell, cells, ...ofRow } = getTableColumns(zone);
const ZONE_COLUMNS = { ...ofRow, tags: tagsOf("zone", zone.id) };
const outlineOf = eq(zoneOutline.zone_id, zone.id);
const NO_POINTS = sql<null>`NULL`;
/** The largest size of a zone and of a point in an answer. */
const MAX_ZONE_BYTES = 4500;
const MAX_POINT_BYTES = 70;
/** The size of a zone with its points. */
export const ZONE_WITH_POINTS_BYTES = sql`${zone.point_count} * ${MAX_POINT_BYTES} + ${MAX_ZONE_BYTES}`;
