import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Database } from "#shared/database/open.ts";
import { quotaLeft } from "#shared/database/quota.ts";
import { demandChange, write } from "#shared/database/steps.ts";
import { foldText } from "#shared/text/fold.ts";
import { recordingEach } from "../outbox/audit.ts";
import { type ImportRow, importProcess } from "../table/import-process.ts";
import { importRemark } from "../table/import-remark.ts";
import { tag } from "../table/tag.ts";
import { tagBinding } from "../table/tag-binding.ts";
import type { Line, ReadLine } from "./line.ts";
import { isOpen } from "./queries.ts";
import { TARGETS, type Target } from "./target-queries.ts";

/** How far the import is, and how far it is when these lines are done. */
type Span = { from: number; to: number };

/**
 * Stores some lines and moves the import on behind them, in one transaction: whoever dies, no line is imported twice.
 * False: the import is not where it was, somebody else is at it.
 */
export async function storePart(
  db: Database,
  process: ImportRow,
  span: Span,
  lines: Line[],
  now: number,
): Promise<boolean> {
  const part = partOf(process, lines.length);
  const actor = { ...process.actor, action_date: now };
  const { target, made } = part;
  const makesTags = process.importer.rights.includes("tag_update");
  try {
    await write(db, {
      lines: holdLines(db, process, span, lines, now),
      import: demandChange(() => new Overtaken()),
      rows: insertRows(db, process, part),
      refusals: insertRefusals(db, process, part),
      warnings: insertWarnings(db, part),
      tags: makesTags ? insertTags(db, process, part) : undefined,
      tagRecords: makesTags ? recordingEach(db, actor, { is: ["tag", "create"] }, JUST_INSERTED_TAGS) : undefined,
      tagging: bindTags(db, process, part),
      lackingTags: insertLackingTags(db, part, makesTags ? TAGS_LIMIT : UNKNOWN_TAGS),
      records: recordingEach(
        db,
        actor,
        { is: [process.type, "create"] },
        sql`SELECT made.id AS id, ${target.payload} AS payload FROM (${made}) AS made`,
      ),
      follow: target.follow?.(db, process.importer, now, made),
      progress: moveOn(db, process, span, part, now),
    });
    return true;
  } catch (thrown) {
    if (thrown instanceof Overtaken) return false;
    throw thrown;
  }
}

class Overtaken extends Error {}

type Part = ReturnType<typeof partOf>;

/**
 * What the statements of a part are made of: the import as `process` and its lines as `line`. A row gets the id that its
 * line has behind the last one ever given out, and so is found by what follows.
 */
function partOf({ id, type }: Pick<ImportRow, "id" | "type">, size: number) {
  const target = TARGETS[type];
  const process = sql`${importProcess} AS process`;
  const isOurs = sql`process.id = ${id}`;
  const newId = sql`(process.base_id + line.key + 1)`;
  return {
    target,
    isOurs,
    newId,
    lines: sql`${process}, json_each(process.given) AS line`,
    isMade: sql`EXISTS (SELECT 1 FROM ${target.table} AS made WHERE made.id = ${newId})`,
    made: sql`SELECT made.* FROM ${process}, ${target.table} AS made WHERE ${isOurs} AND made.account_id = process.account_id
      AND made.id > process.base_id AND made.id <= process.base_id + ${size}`,
  };
}

/** Within the transaction, the lines are the import's. */
function holdLines(db: Database, { id, type }: ImportRow, { from }: Span, lines: Line[], now: number) {
  return db
    .update(importProcess)
    .set({
      given: JSON.stringify(lines.map(toStored)),
      base_id: sql`coalesce((SELECT seq FROM sqlite_sequence WHERE name = ${type}), 0)`,
      status: "in_progress",
      status_change_date: sql`CASE ${importProcess.status} WHEN 'created' THEN ${now} ELSE ${importProcess.status_change_date} END`,
    })
    .where(and(eq(importProcess.id, id), eq(importProcess.processed_lines, from), isOpen()));
}

/** What a unique index refuses, or the account has no room for, is left out, and found missing by what follows. */
function insertRows(db: Database, { importer }: ImportRow, { target, newId, lines, isOurs }: Part) {
  const room = quotaLeft(importer, target.thing, target.table);
  return db
    .insert(target.table)
    .select(
      sql`SELECT ${columnsOf(target, newId)} FROM ${lines} WHERE ${isOurs} AND line.value ->> '$.row' IS NOT NULL
        ORDER BY line.key LIMIT max(0, ${room})`,
    )
    .onConflictDoNothing();
}

/** Each column from the member of its name; the id is the next that nothing ever had. */
function columnsOf({ table, columns = {} }: Target, newId: SQL): SQL {
  const own: Record<string, SQL> = { id: newId, account_id: sql`process.account_id`, revision: sql`0`, ...columns };
  const all = Object.keys(getTableColumns(table)).map((name) => own[name] ?? sql.raw(`line.value ->> '$.row.${name}'`));
  return sql.join(all, sql`, `);
}

type Remark = { kind: "error" | "warning"; message: SQL; text?: SQL; from: SQL; condition: SQL };

function insertRemarks(db: Database, { isOurs }: Part, { kind, message, text = sql`NULL`, from, condition }: Remark) {
  return db.insert(importRemark).select(
    sql`SELECT NULL, process.account_id, process.id, ${kind}, line.value ->> '$.line', ${message}, ${text}
      FROM ${from} WHERE ${isOurs} AND ${condition}`,
  );
}

function insertRefusals(db: Database, { importer, type }: ImportRow, part: Part) {
  const { refusal, thing, table } = part.target;
  const lacksRoom = sql`${quotaLeft(importer, thing, table)} <= 0`;
  return insertRemarks(db, part, {
    kind: "error",
    message: sql`coalesce(line.value ->> '$.error', iif(${lacksRoom}, ${`${type}: Limit exceeded`}, ${refusal}))`,
    text: sql`line.value ->> '$.text'`,
    from: part.lines,
    condition: sql`NOT ${part.isMade}`,
  });
}

function insertWarnings(db: Database, part: Part) {
  return insertRemarks(db, part, {
    kind: "warning",
    message: sql`warning.value`,
    from: sql`${part.lines}, json_each(line.value, '$.warnings') AS warning`,
    condition: part.isMade,
  });
}

/** Those of the made rows that there are not yet, as far as the account may have them. */
function insertTags(db: Database, { importer }: ImportRow, part: Part) {
  return db.insert(tag).select(
    sql`SELECT NULL, account_id, name, name_folded, ${NEW_TAG_COLOR}, NULL, 0, NULL FROM (
          SELECT process.account_id, named.value ->> '$.name' AS name, min(named.value ->> '$.folded') AS name_folded
          FROM ${part.lines}, ${NAMED} WHERE ${part.isOurs} AND ${part.isMade} AND NOT ${IS_TAG} GROUP BY 2 ORDER BY min(line.key))
        LIMIT max(0, ${quotaLeft(importer, "tags", tag)})`,
  );
}

function bindTags(db: Database, { type }: ImportRow, part: Part) {
  return db
    .insert(tagBinding)
    .select(
      sql`SELECT ${type}, ${part.newId}, named.key, (${TAG_ID}), process.account_id
        FROM ${part.lines}, ${NAMED} WHERE ${part.isOurs} AND ${part.isMade} AND ${IS_TAG}`,
    )
    .onConflictDoNothing();
}

/** Of what was made without all of its tags; the message is why. */
function insertLackingTags(db: Database, part: Part, message: SQL) {
  return insertRemarks(db, part, {
    kind: "warning",
    message,
    from: part.lines,
    condition: sql`${part.isMade} AND EXISTS (SELECT 1 FROM ${NAMED} WHERE NOT ${IS_TAG})`,
  });
}

/** Behind these lines, and to its end with the last of them. */
function moveOn(db: Database, { id, total_lines }: ImportRow, { from, to }: Span, { made }: Part, now: number) {
  return db
    .update(importProcess)
    .set({
      imported: sql`${importProcess.imported} + (SELECT count(*) FROM (${made}))`,
      failed: sql`${importProcess.failed} + (SELECT count(*) FROM ${importRemark} AS remark WHERE remark.process_id = ${id}
        AND remark.kind = 'error' AND remark.line > ${from} AND remark.line <= ${to})`,
      processed_lines: to,
      attempts: 0,
      ...(to < total_lines ? {} : { status: "done" as const, status_change_date: now }),
      given: null,
    })
    .where(eq(importProcess.id, id));
}

function toStored({ line, text, read }: Line) {
  return {
    line,
    text,
    row: read.row,
    error: read.row ? undefined : wordingOf(read.errors).join("; ").slice(0, LONGEST_MESSAGE),
    warnings: wordingOf(read.warnings),
    tags: read.tags.map((name) => ({ name, folded: foldText(name) })),
  };
}

function wordingOf(offences: ReadLine["errors"]) {
  return offences.map(({ parameter, error }) => `${parameter}: ${error}`);
}

const NAMED = sql`json_each(line.value, '$.tags') AS named`;
/** Of several tags with one name, the oldest. */
const TAG_ID = sql`SELECT min(existing.id) FROM ${tag} AS existing WHERE existing.account_id = process.account_id
  AND existing.name = named.value ->> '$.name' AND NOT existing.removing`;
const IS_TAG = sql`(${TAG_ID}) IS NOT NULL`;
/** Those that the statement in front has inserted. */
const JUST_INSERTED_TAGS = sql`SELECT id, json_object('name', name) AS payload FROM ${tag}
  WHERE changes() > 0 AND id > last_insert_rowid() - changes() AND id <= last_insert_rowid()`;
const TAGS_LIMIT = sql`'tags: Tags limit exceeded'`;
const UNKNOWN_TAGS = sql`'tags: names no tag of yours: ' || (
  SELECT group_concat(named.value ->> '$.name', ', ') FROM ${NAMED} WHERE NOT ${IS_TAG})`;
const NEW_TAG_COLOR = "27A9E3";
const LONGEST_MESSAGE = 500;
