import { and, count, eq, gte, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { NewEvent } from "#shared/contract/event.ts";
import { shownSince } from "#shared/contract/stored-range.ts";
import type { Database } from "#shared/database/open.ts";
import { demandRoom } from "#shared/database/room.ts";
import { only } from "#shared/database/rows.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { demandSearchable } from "#shared/database/search-size.ts";
import { demand, read, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import type { Part } from "#shared/operation/list-answer.ts";
import { folded } from "#shared/text/folded.ts";
import { submitForm } from "../form/queries.ts";
import { demandTracker } from "../links/tracker-queries.ts";
import { recording, recordingEach } from "../outbox/audit.ts";
import { type CheckinRow, checkin } from "../table/checkin.ts";
import { eventOutbox } from "../table/event-outbox.ts";
import { file } from "../table/file.ts";
import { form } from "../table/form.ts";
import { searchSize } from "../table/search-size.ts";

type NewCheckin = Pick<
  CheckinRow,
  "tracker_id" | "employee_id" | "employee_name" | "employee_folded" | "location" | "comment" | "file_ids"
> & { form?: Omit<Parameters<typeof submitForm>[2], "submitted" | "submit_location"> };

/** With its files and its form, which are its own from then on, and the event of it. */
export async function insertCheckin(
  db: Database,
  principal: Principal,
  { form: submission, ...given }: NewCheckin,
  actor: Actor,
) {
  const { account_id } = principal;
  const { tracker_id, location, comment, file_ids } = given;
  const texts = { address_folded: folded(location.address), comment_folded: comment === null ? null : folded(comment) };
  const row = { ...given, ...texts, account_id, lat: location.lat, lng: location.lng, marker_time: actor.action_date };
  const submitting = submission && { ...submission, submitted: actor.action_date, submit_location: location };
  const { inserted } = await write(db, {
    hasTracker: demandTracker(tracker_id, 201),
    arePhotos: demandPhotos(account_id, file_ids),
    room: demandRoom(principal, "checkins", checkin),
    ...(submitting && submitForm(db, principal, submitting)),
    inserted: db.insert(checkin).values(row).returning({ id: checkin.id }),
    recorded: recording(db, actor, {
      is: ["checkin", "create"],
      entry_id: sql`last_insert_rowid()`,
      payload: { tracker_id },
    }),
    formed: submitting && db.update(form).set({ checkin_id: newest }).where(eq(form.id, submitting.form_id)),
    photos: db
      .update(file)
      .set({ checkin_id: newest, expires: null })
      .where(and(eq(file.account_id, account_id), among(file.id, file_ids))),
    event: tellCreated(db, row),
  });
  return only(inserted).id;
}

/** That they are uploaded photos which nothing shows yet. */
function demandPhotos(account_id: number, ids: number[]) {
  if (ids.length === 0) return undefined;
  const isFree = sql`${file.state} = 'uploaded' AND ${file.owner} = 'checkin_image' AND ${file.checkin_id} IS NULL`;
  const free = sql`(SELECT count(*) FROM ${file} WHERE ${and(eq(file.account_id, account_id), among(file.id, ids), isFree)})`;
  return demand(sql`${free} = ${ids.length}`, () => new ApiError(201));
}

type CheckinReport = Pick<
  CheckinRow,
  "account_id" | "tracker_id" | "employee_id" | "location" | "comment" | "marker_time"
>;

function tellCreated(
  db: Database,
  { account_id, tracker_id, employee_id, location, comment, marker_time }: CheckinReport,
) {
  const { address, ...place } = location;
  const event: Omit<NewEvent, "event_id"> = {
    ...{ account_id, tracker_id, event: "checkin_creation", time: marker_time },
    message: comment || address || "Check-in",
    location: place,
    address,
    extra: employee_id === null ? {} : { employee_id },
  };
  const event_id = sql`'checkin-' || ${newest}`;
  return db
    .insert(eventOutbox)
    .select(
      sql`SELECT ${event_id}, ${account_id}, json_set(${JSON.stringify(event)}, '$.event_id', ${event_id}, '$.extra.checkin_id', ${newest})`,
    );
}

/** They show where trackers were: to a sub-user as far back as its group may look. */
function visibleCheckins(principal: Principal, now: number, ...conditions: (SQL | undefined)[]) {
  const { store_period } = principal;
  const isStored = store_period === null ? undefined : gte(checkin.marker_time, shownSince([store_period], now));
  return visibleTo(principal, checkin, isStored, ...conditions);
}

/** All of them, or none with 201. */
export async function removeCheckins(db: Database, principal: Principal, ids: number[], actor: Actor) {
  const own = visibleCheckins(principal, actor.action_date, among(checkin.id, ids));
  const things = sql`SELECT ${checkin.id} AS id, json_object('tracker_id', ${checkin.tracker_id}) AS payload FROM ${checkin} WHERE ${own}`;
  const found = sql`(SELECT count(*) FROM ${checkin} WHERE ${own})`;
  await write(db, {
    areThere: demand(sql`${found} = ${new Set(ids).size}`, () => new ApiError(201)),
    recorded: recordingEach(db, actor, { is: ["checkin", "delete"] }, things),
    removed: db.delete(checkin).where(own),
  });
}

export async function requireCheckin(db: Database, principal: Principal, id: number, now: number) {
  const [row] = await db
    .select(shown)
    .from(checkin)
    .leftJoin(form, ofCheckin)
    .where(visibleCheckins(principal, now, eq(checkin.id, id)));
  if (!row) throw new ApiError(204);
  return row;
}

export type CheckinSearch = { condition: (SQL | undefined)[]; texts: number; order: SQL[]; now: number };

/** The first page of those that the caller sees, and how many there are on all pages. */
export async function selectFirst(db: Database, principal: Principal, search: CheckinSearch & Part) {
  const { rows, counted } = await read(db, {
    searchable: demandSearchable(searchSize, principal, search.texts),
    rows: pageOf(db, principal, search),
    counted: db
      .select({ count: count() })
      .from(checkin)
      .leftJoin(form, ofCheckin)
      .where(visibleCheckins(principal, search.now, ...search.condition)),
  });
  return { rows, count: only(counted).count };
}

export function pageOf(db: Database, principal: Principal, search: CheckinSearch & Part) {
  const { condition, order, now, limit = PAGE, offset } = search;
  return db
    .select(shown)
    .from(checkin)
    .leftJoin(form, ofCheckin)
    .where(visibleCheckins(principal, now, ...condition))
    .orderBy(...order)
    .limit(Math.min(limit, PAGE))
    .offset(offset);
}

const ofCheckin = and(eq(form.account_id, checkin.account_id), eq(form.checkin_id, checkin.id));
const shown = {
  id: checkin.id,
  account_id: checkin.account_id,
  tracker_id: checkin.tracker_id,
  employee_id: checkin.employee_id,
  employee_name: checkin.employee_name,
  marker_time: checkin.marker_time,
  location: checkin.location,
  comment: checkin.comment,
  file_ids: checkin.file_ids,
  form_id: form.id,
  form_label: form.label,
};
/** For the transaction of an insert, behind it. */
const newest = sql`(SELECT max(id) FROM ${checkin})`;
/** With their files some 5 MB of answer at the most. */
export const PAGE = 200;
