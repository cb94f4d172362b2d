import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Database } from "#shared/database/open.ts";
import { quotaLeft } from "#shared/database/quota.ts";
import { demandChange, write } from "#shared/database/steps.ts";
import { foldText } from "#shared/text/fold.ts";
import { recordChange, recordEachChange } from "../outbox/audit.ts";
import { type ImportRow, importProcess } from "../table/import/import-process.ts";
import { importRemark } from "../table/import/import-remark.ts";
import { tag } from "../table/tag/tag.ts";
import { tagBinding } from "../table/tag/tag-binding.ts";
import type { ParsedLine, SheetLine } from "./parsed-line.ts";
import { isOpen } from "./queries.ts";
import { type ImportTarget, TARGETS } from "./target-queries.ts";

/** Lines of the sheet: the import has processed those up to `from`, and those up to `to` once this batch is stored. */
type LineRange = { from: number; to: number };

/**
 * Stores lines and advances the import in one transaction, so a Worker that dies never makes a line be imported twice.
 * False: another Worker has advanced the import meanwhile.
 */
export async function storeBatch(
  db: Database,
  process: ImportRow,
  range: LineRange,
  lines: SheetLine[],
  now: number,
): Promise<boolean> {
  const batch = batchOf(process, lines.length);
  const actor = { ...process.actor, action_date: now };
  const { target, inserted } = batch;
  const makesTags = process.importer.rights.includes("tag_update");
  try {
    await write(db, {
      lines: claimLines(db, process, range, lines, now),
      import: demandChange(() => new OvertakenError()),
      rows: insertRows(db, process, batch),
      refusals: insertRefusals(db, process, batch),
      warnings: insertWarnings(db, batch),
      tags: makesTags ? insertTags(db, process, batch) : undefined,
      tagRecords: makesTags ? recordEachChange(db, actor, { is: ["tag", "create"] }, JUST_INSERTED_TAGS) : undefined,
      tagBindings: bindTags(db, process, batch),
      lackingTags: insertTagWarnings(db, batch, makesTags ? TAGS_LIMIT : UNKNOWN_TAGS),
      records: recordEachChange(
        db,
        actor,
        { is: [process.type, "create"] },
        sql`SELECT inserted.id AS id, ${target.payload} AS payload FROM (${inserted}) AS inserted`,
      ),
      driverChanges: target.recordChanges?.(db, process.importer, now, inserted),
      progress: updateProgress(db, process, range, batch, now),
      completed: range.to < process.total_lines ? undefined : recordCompletion(db, process, actor),
    });
    return true;
  } catch (thrown) {
    if (thrown instanceof OvertakenError) return false;
    throw thrown;
  }
}

class OvertakenError extends Error {}

type ImportBatch = ReturnType<typeof batchOf>;

/**
 * SQL parts shared by the statements of a batch: the import as `process`, its lines as `line`. A line's row gets the id
 * `base_id + index + 1`, by which the later statements find it.
 */
function batchOf({ id, type }: Pick<ImportRow, "id" | "type">, size: number) {
  const target = TARGETS[type];
  const process = sql`${importProcess} AS process`;
  const isOurs = sql`process.id = ${id}`;
  const newId = sql`(process.base_row_id + line.key + 1)`;
  return {
    target,
    isOurs,
    newId,
    lines: sql`${process}, json_each(process.batch_lines) AS line`,
    isInserted: sql`EXISTS (SELECT 1 FROM ${target.table} AS inserted WHERE inserted.id = ${newId})`,
    inserted: sql`SELECT inserted.* FROM ${process}, ${target.table} AS inserted WHERE ${isOurs} AND inserted.account_id = process.account_id
      AND inserted.id > process.base_row_id AND inserted.id <= process.base_row_id + ${size}`,
  };
}

/**
 * Stores the lines in the import's row for the statements behind it. Changes no row when another Worker has advanced
 * the import.
 */
function claimLines(db: Database, { id, type }: ImportRow, { from }: LineRange, lines: SheetLine[], now: number) {
  return db
    .update(importProcess)
    .set({
      batch_lines: JSON.stringify(lines.map(toStored)),
      base_row_id: sql`coalesce((SELECT seq FROM sqlite_sequence WHERE name = ${type}), 0)`,
      status: "in_progress",
      status_change_date: sql`CASE ${importProcess.status} WHEN 'created' THEN ${now} ELSE ${importProcess.status_change_date} END`,
    })
    .where(and(eq(importProcess.id, id), eq(importProcess.processed_lines, from), isOpen()));
}

/**
 * Inserts the rows of the lines. Rows that a unique index refuses or that exceed the account's quota are left out; the
 * later statements see that they are missing.
 */
function insertRows(db: Database, { importer }: ImportRow, { target, newId, lines, isOurs }: ImportBatch) {
  const quota = quotaLeft(importer, target.limit, target.table);
  return db
    .insert(target.table)
    .select(
      sql`SELECT ${columnsOf(target, newId)} FROM ${lines} WHERE ${isOurs} AND line.value ->> '$.row' IS NOT NULL
        ORDER BY line.key LIMIT max(0, ${quota})`,
    )
    .onConflictDoNothing();
}

/** The value of each column: the line's member of that name, except those that `own` computes. */
function columnsOf({ table, columns = {} }: ImportTarget, newId: SQL): SQL {
  const own: Record<string, SQL> = { id: newId, account_id: sql`process.account_id`, revision: sql`0`, ...columns };
  const all = Object.keys(getTableColumns(table)).map((name) => own[name] ?? sql.raw(`line.value ->> '$.row.${name}'`));
  return sql.join(all, sql`, `);
}

type Remark = { kind: "error" | "warning"; message: SQL; text?: SQL; from: SQL; condition: SQL };

function insertRemarks(
  db: Database,
  { isOurs }: ImportBatch,
  { kind, message, text = sql`NULL`, from, condition }: Remark,
) {
  return db.insert(importRemark).select(
    sql`SELECT NULL, process.account_id, process.id, ${kind}, line.value ->> '$.line', ${message}, ${text}
      FROM ${from} WHERE ${isOurs} AND ${condition}`,
  );
}

function insertRefusals(db: Database, { importer, type }: ImportRow, batch: ImportBatch) {
  const { refusal, limit, table } = batch.target;
  const isOverQuota = sql`${quotaLeft(importer, limit, table)} <= 0`;
  return insertRemarks(db, batch, {
    kind: "error",
    message: sql`coalesce(line.value ->> '$.error', iif(${isOverQuota}, ${`${type}: Limit exceeded`}, ${refusal}))`,
    text: sql`line.value ->> '$.text'`,
    from: batch.lines,
    condition: sql`NOT ${batch.isInserted}`,
  });
}

function insertWarnings(db: Database, batch: ImportBatch) {
  return insertRemarks(db, batch, {
    kind: "warning",
    message: sql`warning.value`,
    from: sql`${batch.lines}, json_each(line.value, '$.warnings') AS warning`,
    condition: batch.isInserted,
  });
}

/** Creates the tags that inserted rows name and the account lacks, as far as its quota allows. */
function insertTags(db: Database, { importer }: ImportRow, batch: ImportBatch) {
  return db.insert(tag).select(
    sql`SELECT NULL, account_id, name, name_folded, ${NEW_TAG_COLOR}, NULL, 0, 0, NULL FROM (
          SELECT process.account_id, named.value ->> '$.name' AS name, min(named.value ->> '$.folded') AS name_folded
          FROM ${batch.lines}, ${NAMED_TAGS} WHERE ${batch.isOurs} AND ${batch.isInserted} AND NOT ${IS_TAG} GROUP BY 2 ORDER BY min(line.key))
        LIMIT max(0, ${quotaLeft(importer, "tags", tag)})`,
  );
}

function bindTags(db: Database, { type }: ImportRow, batch: ImportBatch) {
  return db
    .insert(tagBinding)
    .select(
      sql`SELECT ${type}, ${batch.newId}, named.key, (${TAG_ID}), process.account_id
        FROM ${batch.lines}, ${NAMED_TAGS} WHERE ${batch.isOurs} AND ${batch.isInserted} AND ${IS_TAG}`,
    )
    .onConflictDoNothing();
}

/** Warns of each inserted row that did not get all of its tags; `message` says why. */
function insertTagWarnings(db: Database, batch: ImportBatch, message: SQL) {
  return insertRemarks(db, batch, {
    kind: "warning",
    message,
    from: batch.lines,
    condition: sql`${batch.isInserted} AND EXISTS (SELECT 1 FROM ${NAMED_TAGS} WHERE NOT ${IS_TAG})`,
  });
}

/** Counts the lines of the batch, and ends the import after the last line of the sheet. */
function updateProgress(
  db: Database,
  { id, total_lines }: ImportRow,
  { from, to }: LineRange,
  { inserted }: ImportBatch,
  now: number,
) {
  return db
    .update(importProcess)
    .set({
      imported: sql`${importProcess.imported} + (SELECT count(*) FROM (${inserted}))`,
      failed: sql`${importProcess.failed} + (SELECT count(*) FROM ${importRemark} AS remark WHERE remark.process_id = ${id}
        AND remark.kind = 'error' AND remark.line > ${from} AND remark.line <= ${to})`,
      processed_lines: to,
      attempts: 0,
      ...(to < total_lines ? {} : { status: "done" as const, status_change_date: now }),
      batch_lines: null,
    })
    .where(eq(importProcess.id, id));
}

/** Records that the last line of the sheet is processed. */
function recordCompletion(db: Database, { id, type }: ImportRow, actor: Actor) {
  const { imported, failed } = importProcess;
  const isOurs = eq(importProcess.id, id);
  return recordChange(db, actor, {
    is: [`${type}_import`, "complete"],
    entry_id: id,
    payload: sql`SELECT json_object('imported', ${imported}, 'failed', ${failed}) FROM ${importProcess} WHERE ${isOurs}`,
  });
}

function toStored({ line, text, parsed }: SheetLine) {
  return {
    line,
    text,
    row: parsed.row,
    error: parsed.row ? undefined : toMessages(parsed.errors).join("; ").slice(0, MAX_MESSAGE_CHARACTERS),
    warnings: toMessages(parsed.warnings),
    tags: parsed.tags.map((name) => ({ name, folded: foldText(name) })),
  };
}

function toMessages(offences: ParsedLine["errors"]) {
  return offences.map(({ parameter, error }) => `${parameter}: ${error}`);
}

const NAMED_TAGS = sql`json_each(line.value, '$.tags') AS named`;
/** The oldest tag of that name. */
const TAG_ID = sql`SELECT min(existing.id) FROM ${tag} AS existing WHERE existing.account_id = process.account_id
  AND existing.name = named.value ->> '$.name' AND NOT existing.removing`;
const IS_TAG = sql`(${TAG_ID}) IS NOT NULL`;
/** The tags that the preceding statement has inserted: their ids are the last ones. */
const JUST_INSERTED_TAGS = sql`SELECT id, json_object('name', name) AS payload FROM ${tag}
  WHERE changes() > 0 AND id > last_insert_rowid() - changes() AND id <= last_insert_rowid()`;
const TAGS_LIMIT = sql`'tags: Tags limit exceeded'`;
const UNKNOWN_TAGS = sql`'tags: names no tag of yours: ' || (
  SELECT group_concat(named.value ->> '$.name', ', ') FROM ${NAMED_TAGS} WHERE NOT ${IS_TAG})`;
const NEW_TAG_COLOR = "27A9E3";
const MAX_MESSAGE_CHARACTERS = 500;
