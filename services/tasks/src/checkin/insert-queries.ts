import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { NewEvent } from "#shared/contract/event/event.ts";
import type { Database } from "#shared/database/open.ts";
import { demandQuota } from "#shared/database/quota.ts";
import { among } from "#shared/database/scope.ts";
import { demand, type Steps, stepsOfEach, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { foldText } from "#shared/text/fold.ts";
import { submitForm } from "../form/queries.ts";
import { demandTrackers } from "../links/tracker-queries.ts";
import { recordEachChange } from "../outbox/audit.ts";
import { type CheckinRow, checkin } from "../table/checkin.ts";
import { file } from "../table/file.ts";
import { eventOutbox } from "../table/outbox/event-outbox.ts";

export type NewCheckin = Pick<
  CheckinRow,
  | "tracker_id"
  | "employee_id"
  | "employee_name"
  | "employee_folded"
  | "location"
  | "comment"
  | "file_ids"
  | "marker_time"
> & { form?: Omit<Parameters<typeof submitForm>[2], "submitted" | "submit_location" | "submit_areas" | "checkin_id"> };

/**
 * Stores check-ins with their photos, forms and events: all of them or none. `noteStep` adds a step to the transaction
 * and gets an expression for the id of the first one. Answers the ids in the order of the check-ins.
 */
export async function insertCheckins(
  db: Database,
  principal: Principal,
  checkins: NewCheckin[],
  actor: Actor,
  noteStep?: (first: SQL) => BatchItem<"sqlite">,
): Promise<number[]> {
  const { account_id } = principal;
  const rows = checkins.map((one) => toRow(one, account_id, actor.action_date));
  const files = checkins.flatMap(({ file_ids }, key) => file_ids.map((id) => [id, key] as const));
  // Runs after the insert: ids given out in one transaction are consecutive.
  const first = sql`((SELECT max(id) FROM ${checkin}) - ${checkins.length - 1})`;
  const entries = sql`SELECT ${checkin.id} AS id, json_object('tracker_id', ${checkin.tracker_id}) AS payload
    FROM ${checkin} WHERE ${checkin.id} >= ${first}`;
  const { inserted } = await write(db, {
    haveTrackers: demandTrackers(
      checkins.map(({ tracker_id }) => tracker_id),
      201,
    ),
    arePhotos: demandPhotos(
      principal,
      files.map(([id]) => id),
    ),
    quota: demandQuota(principal, "checkins", checkin, checkins.length),
    inserted: db.insert(checkin).select(selectRows(rows)).returning({ id: checkin.id }),
    recorded: recordEachChange(db, actor, { is: ["checkin", "create"] }, entries),
    ...submissionSteps(db, principal, checkins, first),
    photos: files.length > 0 ? bindPhotos(db, account_id, files, first) : undefined,
    events: insertCreatedEvents(db, rows, first),
    noted: noteStep?.(first),
  });
  return inserted.map(({ id }) => id).toSorted((one, other) => one - other);
}

function toRow({ form: _, ...given }: NewCheckin, account_id: number, received: number) {
  const { location, comment } = given;
  const texts = {
    address_folded: foldText(location.address),
    comment_folded: comment === null ? null : foldText(comment),
  };
  return { ...given, ...texts, account_id, received, lat: location.lat, lng: location.lng };
}
type Row = ReturnType<typeof toRow>;

/** A query over JSON, so that any number of rows takes one statement. */
function selectRows(rows: Row[]) {
  return sql`SELECT ${ROW_VALUES} FROM json_each(${JSON.stringify(rows)}) AS each ORDER BY each.key`;
}

const ROW_VALUES = sql.raw(
  Object.keys(getTableColumns(checkin))
    .map((name) => {
      if (name === "id") return "NULL";
      // JSON columns keep their JSON text.
      return `each.value ${name === "location" || name === "file_ids" ? "->" : "->>"} '${name}'`;
    })
    .join(", "),
);

/** Submits the form of each check-in at the check-in's time and position. */
function submissionSteps(db: Database, principal: Principal, given: NewCheckin[], first: SQL): Steps {
  return stepsOfEach(given, ({ form: filled, marker_time, location }, key) => {
    if (!filled) return {};
    const checkin_id = sql`${first} + ${key}`;
    const submission = { ...filled, submitted: marker_time, submit_location: location, submit_areas: null, checkin_id };
    return submitForm(db, principal, submission);
  });
}

/** Demands that all ids are photos that the caller uploaded and that no check-in shows yet. */
function demandPhotos(principal: Principal, ids: number[]) {
  if (ids.length === 0) return undefined;
  const free = sql`(SELECT count(*) FROM ${file} WHERE ${isUnusedPhoto(principal, ids)})`;
  return demand(sql`${free} = ${ids.length}`, () => new ApiError(201));
}

/** True for those of the ids that are photos that the caller uploaded and that no check-in shows yet. */
export function isUnusedPhoto({ account_id, user_id }: Principal, ids: number[]) {
  const isFree = sql`${file.state} = 'uploaded' AND ${file.owner} = 'checkin_image' AND ${file.checkin_id} IS NULL`;
  return and(eq(file.account_id, account_id), eq(file.user_id, user_id), among(file.id, ids), isFree);
}

function bindPhotos(db: Database, account_id: number, files: (readonly [number, number])[], first: SQL) {
  return db.run(
    sql`UPDATE ${file} SET checkin_id = ${first} + (pair.value ->> 1), expires = NULL
      FROM json_each(${JSON.stringify(files)}) AS pair
      WHERE ${file.id} = pair.value ->> 0 AND ${eq(file.account_id, account_id)}`,
  );
}

/** Stores an event of each check-in's tracker, at the time of the check-in. */
function insertCreatedEvents(db: Database, rows: Row[], first: SQL) {
  const events = rows.map((row): Omit<NewEvent, "event_id"> => {
    const { account_id, tracker_id, marker_time, location, comment, employee_id } = row;
    const { address, ...place } = location;
    return {
      ...{ account_id, tracker_id, event: "checkin_creation", time: marker_time },
      message: comment || address || "Check-in",
      location: place,
      address,
      extra: employee_id === null ? {} : { employee_id },
    };
  });
  const createdEvents = sql`SELECT ${first} + each.key AS id, each.value AS event FROM json_each(${JSON.stringify(events)}) AS each`;
  return db.insert(eventOutbox).select(
    sql`SELECT 'checkin-' || id, event ->> 'account_id', json_set(event, '$.event_id', 'checkin-' || id, '$.extra.checkin_id', id)
      FROM (${createdEvents})`,
  );
}
