import { and, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import type { Principal } from "#shared/caller/principal.ts";
import { selectOutboxByAccount } from "#shared/database/due-by-account.ts";
import type { Database } from "#shared/database/open.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { read, write } from "#shared/database/steps.ts";
import { checkin } from "../table/checkin.ts";
import { file } from "../table/file.ts";
import { form } from "../table/form/form.ts";
import { type RecordRow, record } from "../table/record/record.ts";
import { recordQueue } from "../table/record/record-queue.ts";

/**
 * Rows of the queue, round robin over accounts, with their check-ins and forms, and the last record of each account.
 */
export async function selectQueued(db: Database) {
  const rows = sql`(${selectOutboxByAccount(recordQueue, MAX_RECORDS_PER_TRANSACTION)})`;
  const idsOf = (kind: RecordRow["kind"]) =>
    sql`(SELECT ${recordQueue.thing_id} FROM ${recordQueue} WHERE rowid IN ${rows} AND ${recordQueue.kind} = ${kind})`;
  return read(db, {
    waiting: db.select().from(recordQueue).where(sql`rowid IN ${rows}`).orderBy(recordQueue.id),
    ...selectItems(db, idsOf),
    last: db
      .select({ account_id: record.account_id, place: record.place, hash: record.hash })
      .from(record)
      .where(
        sql`(${record.account_id}, ${record.place}) IN (SELECT own.account_id, max(own.place) FROM ${record} AS own
          WHERE own.account_id IN (SELECT ${recordQueue.account_id} FROM ${recordQueue} WHERE rowid IN ${rows}) GROUP BY own.account_id)`,
      ),
  });
}

/**
 * Stores the records and removes their rows from the queue. Fails on a unique index when another call extended a chain
 * first.
 */
export async function insertRecords(db: Database, records: Omit<RecordRow, "id">[], queue_ids: number[]) {
  await write(db, {
    records: records.length > 0 ? db.insert(record).values(records) : undefined,
    done: db.delete(recordQueue).where(among(recordQueue.id, queue_ids)),
  });
}

/** The newest record of an item that the caller sees; undefined while it is in the queue. */
export async function selectRecord(db: Database, principal: Principal, kind: RecordRow["kind"], thing_id: number) {
  const [found] = await db
    .select()
    .from(record)
    .where(
      visibleTo(principal, { account_id: record.account_id }, eq(record.kind, kind), eq(record.thing_id, thing_id)),
    )
    // The plus sign keeps SQLite from walking through the account's whole chain in the order of places.
    .orderBy(sql`+${record.place} DESC`)
    .limit(1);
  return found;
}

/** The record with this token, the hash of the record before it, and the item as it is now. */
export async function selectByToken(db: Database, token: string) {
  const own = eq(record.token, token);
  const idsOf = (kind: RecordRow["kind"]) =>
    sql`(SELECT ${record.thing_id} FROM ${record} WHERE ${and(own, eq(record.kind, kind))})`;
  const { records, before, ...items } = await read(db, {
    records: db.select().from(record).where(own),
    before: db
      .select({ hash: record.hash })
      .from(record)
      .where(
        sql`(${record.account_id}, ${record.place}) IN (SELECT own.account_id, own.place - 1 FROM ${record} AS own WHERE own.token = ${token})`,
      ),
    ...selectItems(db, idsOf),
  });
  return { record: records[0], before: before[0]?.hash ?? null, items };
}

/** Steps of a reading batch: check-ins, forms, and the files that the forms' values reference. */
function selectItems(db: Database, idsOf: (kind: RecordRow["kind"]) => SQL) {
  return {
    checkins: db
      .select()
      .from(checkin)
      .where(sql`${checkin.id} IN ${idsOf("checkin")}`),
    forms: db
      .select()
      .from(form)
      .where(sql`${form.id} IN ${idsOf("form")}`),
    files: db
      .select({ id: file.id, form_id: file.form_id })
      .from(file)
      .where(and(sql`${file.form_id} IN ${idsOf("form")}`, inArray(file.state, ["uploaded"]), isNull(file.expires))),
  };
}

/** Bounds a transaction to about 5 MB of fields and values. */
const MAX_RECORDS_PER_TRANSACTION = 30;
