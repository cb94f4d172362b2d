import { and, asc, eq, gt, inArray, lt, ne, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Imported, TypedImport } from "#shared/contract/import-process.ts";
import type { Database } from "#shared/database/open.ts";
import { rowIf, taken } from "#shared/database/rows.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { ApiError } from "#shared/error/api-error.ts";
import type { Page } from "#shared/operation/list-answer.ts";
import { recording } from "../outbox/audit.ts";
import { importProcess } from "../table/import-process.ts";
import { importRemark } from "../table/import-remark.ts";

type NewImport = {
  type: Imported;
  filename: string;
  headers: string[];
  user_headers?: string[];
  /** Rows of the sheet. */
  rows: number;
};
type ImportLimits = { open: number; rows: number };

/** How many may be open is counted in the statement that inserts; one like it is refused as such whatever the count. */
export async function insertImport(
  db: Database,
  principal: Principal,
  { rows, ...input }: NewImport,
  limits: ImportLimits,
  actor: Actor,
) {
  const { account_id, user_id, scope, limits: own } = principal;
  const { action_date: now } = actor;
  const row = {
    ...input,
    account_id,
    user_id,
    status: "created" as const,
    created: now,
    status_change_date: now,
    total_lines: Math.min(rows, limits.rows),
    processed_lines: 0,
    imported: 0,
    failed: 0,
    attempts: 0,
    importer: { account_id, scope, limits: own },
    actor,
  };
  const openOnes = sql`FROM ${importProcess} WHERE ${importProcess.account_id} = ${account_id} AND ${isOpen()}`;
  const like = sql`${importProcess.type} = ${input.type} AND ${importProcess.filename} = ${input.filename} AND ${importProcess.headers} = ${JSON.stringify(input.headers)}`;
  const admitted = sql`((SELECT count(*) ${openOnes}) < ${limits.open} OR EXISTS (SELECT 1 ${openOnes} AND ${like}))`;
  const [[inserted]] = await db
    .batch([
      db
        .insert(importProcess)
        .select(rowIf(importProcess, row, admitted))
        .returning({ id: importProcess.id }),
      recording(db, actor, {
        is: [`${input.type}_import`, "start"],
        entry_id: sql`last_insert_rowid()`,
        payload: { headers: input.headers, rows },
      }),
      db.insert(importRemark).select(
        sql`SELECT NULL, ${account_id}, (SELECT max(id) FROM ${importProcess}), 'warning', ${limits.rows + 1},
          ${`Rows limit exceeded: only ${limits.rows} are imported`}, NULL WHERE changes() = 1 AND ${rows} > ${limits.rows}`,
      ),
    ])
    .catch(taken(247));
  if (!inserted) throw new ApiError(15);
  return inserted.id;
}

/** A sub-user's own; all that there are to the master. */
export async function requireImport(db: Database, principal: Principal, type: Imported, id: number) {
  const [found] = await select(db).where(visible(principal, eq(importProcess.type, type), eq(importProcess.id, id)));
  if (!found) throw new ApiError(201);
  return toImport(found);
}

/** Those that are not put away, by id, page after page. */
export async function selectImports(
  db: Database,
  principal: Principal,
  types: readonly Imported[],
  after = 0,
): Promise<Page<TypedImport>> {
  const wanted = [inArray(importProcess.type, [...types]), ne(importProcess.status, "finished")];
  const rows = await select(db)
    .where(visible(principal, ...wanted, gt(importProcess.id, after)))
    .orderBy(asc(importProcess.id))
    .limit(IMPORTS_PAGE);
  const last = rows.at(-1);
  const items = rows.map(toImport);
  if (!last || rows.length < IMPORTS_PAGE) return { items };
  return { items, next: () => selectImports(db, principal, types, last.id) };
}

/** Puts away what has ended, once and for all. */
export async function finishImport(db: Database, principal: Principal, type: Imported, id: number, actor: Actor) {
  const own = visible(principal, eq(importProcess.type, type), eq(importProcess.id, id));
  const finished = { status: "finished" as const, status_change_date: actor.action_date };
  const [, , [left]] = await db.batch([
    db
      .update(importProcess)
      .set(finished)
      .where(and(own, inArray(importProcess.status, ["done", "failed"]))),
    recording(db, actor, { is: [`${type}_import`, "finish"], entry_id: id }),
    db.select({ status: importProcess.status }).from(importProcess).where(own),
  ]);
  if (!left) throw new ApiError(201);
  if (left.status !== "finished") throw new ApiError(280);
}

/** The lines that were not imported, in order, in pieces; undefined where there are none. */
export async function selectFailed(db: Database, principal: Principal, type: Imported, id: number) {
  const own = visible(principal, eq(importProcess.type, type), eq(importProcess.id, id));
  const [known, first] = await db.batch([
    db.select({ id: importProcess.id }).from(importProcess).where(own),
    failedLines(db, principal, id, 0),
  ]);
  if (known.length === 0) throw new ApiError(201);
  return first.length === 0 ? undefined : { first, after: (line: number) => failedLines(db, principal, id, line) };
}

/** No more of them than a response of the database holds. */
function failedLines(db: Database, { account_id }: Principal, process_id: number, after: number) {
  const size = sql<number>`sum(length(CAST(${importRemark.text} AS BLOB))) OVER (ORDER BY ${importRemark.line})`;
  const failed = db
    .select({ line: importRemark.line, text: importRemark.text, size: size.as("size") })
    .from(importRemark)
    .where(
      and(
        eq(importRemark.account_id, account_id),
        eq(importRemark.process_id, process_id),
        eq(importRemark.kind, "error"),
        gt(importRemark.line, after),
      ),
    )
    .as("failed");
  return db
    .select({ line: failed.line, text: failed.text })
    .from(failed)
    .where(lt(failed.size, PAGE_BYTES))
    .orderBy(asc(failed.line));
}

/** Long ended, nobody will look at them. */
export async function deleteEnded(db: Database, before: number) {
  const ended = db
    .select({ id: importProcess.id })
    .from(importProcess)
    .where(
      and(inArray(importProcess.status, ["done", "failed", "finished"]), lt(importProcess.status_change_date, before)),
    )
    .limit(DELETED);
  const ids = (await ended).map(({ id }) => id);
  if (ids.length === 0) return;
  await db.batch([
    db.delete(importRemark).where(among(importRemark.process_id, ids)),
    db.delete(importProcess).where(among(importProcess.id, ids)),
  ]);
}

export function isOpen(): SQL {
  return sql`${importProcess.status} IN ('created', 'in_progress')`;
}

function visible(principal: Principal, ...conditions: SQL[]) {
  const own = principal.kind === "subuser" ? eq(importProcess.user_id, principal.user_id) : undefined;
  return visibleTo(principal, importProcess, own, ...conditions);
}

function select(db: Database) {
  const { id, user_id, created, type, headers, user_headers, filename, status, status_change_date } = importProcess;
  const { imported, failed, total_lines, processed_lines } = importProcess;
  return db
    .select({
      ...{ id, user_id, created, type, headers, user_headers, filename, status, status_change_date },
      ...{ imported, failed, total_lines, processed_lines },
      warnings: remarks("warning"),
      errors: remarks("error"),
    })
    .from(importProcess)
    .$dynamic();
}
type Shown = Awaited<ReturnType<typeof select>>[number];

function remarks(kind: "error" | "warning") {
  const first = sql`SELECT line, message FROM ${importRemark} WHERE ${importRemark.process_id} = ${importProcess.id}
    AND ${importRemark.kind} = ${kind} ORDER BY line, ${importRemark.id} LIMIT ${SHOWN}`;
  return sql<TypedImport["progress"]["errors"]>`(SELECT json_group_array(json_object('line', line, 'error', message))
    FROM (${first}))`.mapWith(JSON.parse);
}

function toImport({
  headers,
  user_headers,
  imported,
  failed,
  total_lines,
  processed_lines,
  ...shown
}: Shown): TypedImport {
  const { warnings, errors, ...row } = shown;
  const percent = Math.floor((100 * processed_lines) / total_lines);
  const progress = { imported, failed, percent, processed_lines, warnings, errors };
  return { ...row, params: { headers, user_headers: user_headers ?? undefined }, progress };
}

const SHOWN = 25;
const IMPORTS_PAGE = 200;
const PAGE_BYTES = 5_000_000;
const DELETED = 100;
