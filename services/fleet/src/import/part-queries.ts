import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Database } from "#shared/database/open.ts";
import { folded } from "#shared/text/folded.ts";
import { recordingEach } from "../outbox/audit.ts";
import { type ImportRow, importProcess } from "../table/import-process.ts";
import { importRemark } from "../table/import-remark.ts";
import { tag } from "../table/tag.ts";
import { tagBinding } from "../table/tag-binding.ts";
import type { Kind, ReadLine } from "./kind.ts";
import { isOpen } from "./queries.ts";

/** A line of the sheet, by its number and its text, and what became of it. */
export type Given = { line: number; text: string; read: ReadLine };
/** How far the import is, and how far it is when these lines are done. */
type Span = { from: number; to: number };

/**
 * Stores some lines and moves the import on behind them, in one transaction: whoever dies, no line is imported twice.
 * False: the import is not where it was, somebody else is at it.
 */
export async function importPart(
  db: Database,
  kind: Kind,
  { id, type, importer, actor, total_lines }: ImportRow,
  { from, to }: Span,
  lines: Given[],
  now: number,
): Promise<boolean> {
  const token = crypto.randomUUID();
  const { table } = kind;
  const process = sql`${importProcess} AS process`;
  const isMine = sql`process.id = ${id} AND process.token = ${token}`;
  const given = sql`${process}, json_each(process.given) AS given`;
  const newId = sql`(process.base_id + given.key + 1)`;
  const isMade = sql`EXISTS (SELECT 1 FROM ${table} AS made WHERE made.id = ${newId})`;
  const made = sql`SELECT made.* FROM ${process}, ${table} AS made WHERE ${isMine} AND made.account_id = process.account_id
    AND made.id > process.base_id AND made.id <= process.base_id + ${lines.length}`;
  const named = sql`${given}, json_each(given.value, '$.tags') AS named`;
  const known = sql`SELECT min(known.id) FROM ${tag} AS known WHERE known.account_id = process.account_id AND known.name = named.value ->> '$.name' AND NOT known.removing`;
  const isKnown = sql`(${known}) IS NOT NULL`;
  const remark = (kind: string, message: SQL, text = sql`NULL`) =>
    sql`SELECT NULL, process.account_id, process.id, ${kind}, given.value ->> '$.line', ${message}, ${text}`;

  const [claimed] = await db.batch([
    db
      .update(importProcess)
      .set({
        token,
        given: JSON.stringify(lines.map(toGiven)),
        base_id: sql`coalesce((SELECT seq FROM sqlite_sequence WHERE name = ${type}), 0)`,
        status: "in_progress",
        status_change_date: sql`CASE ${importProcess.status} WHEN 'created' THEN ${now} ELSE ${importProcess.status_change_date} END`,
      })
      .where(and(eq(importProcess.id, id), eq(importProcess.processed_lines, from), isOpen()))
      .returning({ id: importProcess.id }),
    // What a unique index refuses is left out, and found missing by what follows.
    db
      .insert(table)
      .select(
        sql`SELECT ${columnsOf(kind, newId)} FROM ${given} WHERE ${isMine} AND given.value ->> '$.row' IS NOT NULL ORDER BY given.key`,
      )
      .onConflictDoNothing(),
    db.insert(importRemark).select(
      sql`${remark("error", sql`coalesce(given.value ->> '$.error', ${kind.refusal})`, sql`given.value ->> '$.text'`)}
          FROM ${given} WHERE ${isMine} AND NOT ${isMade}`,
    ),
    db.insert(importRemark).select(
      sql`${remark("warning", sql`warning.value`)}
          FROM ${given}, json_each(given.value, '$.warnings') AS warning WHERE ${isMine} AND ${isMade}`,
    ),
    db.insert(tag).select(
      sql`SELECT NULL, account_id, name, name_folded, ${NEW_TAG_COLOR}, NULL, 0 FROM (
            SELECT process.account_id, named.value ->> '$.name' AS name, min(named.value ->> '$.folded') AS name_folded
            FROM ${named} WHERE ${isMine} AND ${isMade} AND NOT ${isKnown} GROUP BY 2 ORDER BY min(given.key))
          LIMIT max(0, ${importer.limits.tags} - (SELECT count(*) FROM ${tag} WHERE ${tag.account_id} = ${importer.account_id}))`,
    ),
    recordingEach(
      db,
      { ...actor, action_date: now },
      { is: ["tag", "create"] },
      sql`SELECT id, json_object('name', name) AS payload FROM ${tag} WHERE changes() > 0 AND id > last_insert_rowid() - changes() AND id <= last_insert_rowid()`,
    ),
    db
      .insert(tagBinding)
      .select(
        sql`SELECT ${type}, ${newId}, named.key, (${known}), process.account_id FROM ${named} WHERE ${isMine} AND ${isMade} AND ${isKnown}`,
      )
      .onConflictDoNothing(),
    db.insert(importRemark).select(
      sql`${remark("warning", sql`'tags: Tags limit exceeded'`)}
          FROM ${named} WHERE ${isMine} AND ${isMade} AND NOT ${isKnown} GROUP BY given.key`,
    ),
    recordingEach(
      db,
      { ...actor, action_date: now },
      { is: [type, "create"] },
      sql`SELECT made.id AS id, ${kind.payload} AS payload FROM (${made}) AS made`,
    ),
    ...(kind.follow?.(db, importer, now, made) ?? []),
    db
      .update(importProcess)
      .set({
        imported: sql`${importProcess.imported} + (SELECT count(*) FROM (${made}))`,
        failed: sql`${importProcess.failed} + (SELECT count(*) FROM ${importRemark} AS remark WHERE remark.process_id = ${id}
          AND remark.kind = 'error' AND remark.line > ${from} AND remark.line <= ${to})`,
        processed_lines: to,
        attempts: 0,
        ...(to < total_lines ? {} : { status: "done" as const, status_change_date: now }),
        token: null,
        given: null,
      })
      .where(and(eq(importProcess.id, id), eq(importProcess.token, token))),
  ]);
  return claimed.length > 0;
}

/** Each column from the member of its name; the id is the next that nothing ever had. */
function columnsOf({ table, columns = {} }: Kind, newId: SQL): SQL {
  const own: Record<string, SQL> = { id: newId, account_id: sql`process.account_id`, revision: sql`0`, ...columns };
  const all = Object.keys(getTableColumns(table)).map(
    (name) => own[name] ?? sql.raw(`given.value ->> '$.row.${name}'`),
  );
  return sql.join(all, sql`, `);
}

function toGiven({ line, text, read }: Given) {
  return {
    line,
    text,
    row: read.row,
    error: read.row ? undefined : wordingOf(read.errors).join("; ").slice(0, LONGEST_MESSAGE),
    warnings: wordingOf(read.warnings),
    tags: read.tags.map((name) => ({ name, folded: folded(name) })),
  };
}

function wordingOf(offences: ReadLine["errors"]) {
  return offences.map(({ parameter, error }) => `${parameter}: ${error}`);
}

const NEW_TAG_COLOR = "27A9E3";
const LONGEST_MESSAGE = 500;
