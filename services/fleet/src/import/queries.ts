import { and, asc, eq, gt, inArray, lt, ne, not, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Imported, TypedImport } from "#shared/contract/import-process.ts";
import type { Database } from "#shared/database/open.ts";
import { demandQuota } from "#shared/database/quota.ts";
import { isThere, onlyRow, throwIfTaken } from "#shared/database/rows.ts";
import { among, visibleTo } from "#shared/database/scope.ts";
import { demand, read, write } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { type Page, pageAfter } from "#shared/operation/list-answer.ts";
import { recordChange } from "../outbox/audit.ts";
import { type ImportRow, importProcess } from "../table/import/import-process.ts";
import { importRemark } from "../table/import/import-remark.ts";
import { TARGETS } from "./target-queries.ts";

type NewImport = {
  type: Imported;
  filename: string;
  headers: string[];
  user_headers?: string[];
  /** The number of rows in the sheet. */
  rows: number;
};
type ImportLimits = { open: number; rows: number };

/**
 * Stores a new import; 15 when `limits.open` imports are open already. A second open import of the same sheet is 247,
 * whatever their number.
 */
export async function insertImport(
  db: Database,
  principal: Principal,
  input: NewImport,
  limits: ImportLimits,
  actor: Actor,
) {
  const { account_id } = principal;
  const { type, headers, rows } = input;
  const isTooLong = rows > limits.rows;
  const { inserted } = await write(db, {
    openImports: demand(canOpenImport(principal, input, limits), () => new ApiError(15)),
    quota: demandQuota(principal, TARGETS[type].limit, TARGETS[type].table, Math.min(rows, limits.rows)),
    inserted: db
      .insert(importProcess)
      .values(rowOf(principal, input, limits, actor))
      .returning({ id: importProcess.id }),
    record: recordChange(db, actor, {
      is: [`${type}_import`, "start"],
      entry_id: sql`last_insert_rowid()`,
      payload: { headers, rows },
    }),
    warning: isTooLong
      ? db.insert(importRemark).values({
          account_id,
          process_id: sql`(SELECT max(id) FROM ${importProcess})`,
          kind: "warning",
          line: limits.rows + 1,
          message: `Rows limit exceeded: only ${limits.rows} are imported`,
        })
      : undefined,
  }).catch(throwIfTaken(247));
  return onlyRow(inserted).id;
}

function canOpenImport({ account_id }: Principal, { type, filename, headers }: NewImport, limits: ImportLimits): SQL {
  const openImports = sql`FROM ${importProcess} WHERE ${importProcess.account_id} = ${account_id} AND ${isOpen()}`;
  const isSameSheet = sql`${importProcess.type} = ${type} AND ${importProcess.filename} = ${filename}
    AND ${importProcess.headers} = ${JSON.stringify(headers)}`;
  return sql`((SELECT count(*) ${openImports}) < ${limits.open} OR EXISTS (SELECT 1 ${openImports} AND ${isSameSheet}))`;
}

function rowOf(
  { account_id, user_id, scope, rights, limits: own }: Principal,
  { rows, ...input }: NewImport,
  limits: ImportLimits,
  actor: Actor,
) {
  return {
    ...input,
    account_id,
    user_id,
    status: "created" as const,
    created: actor.action_date,
    status_change_date: actor.action_date,
    total_lines: Math.min(rows, limits.rows),
    processed_lines: 0,
    imported: 0,
    failed: 0,
    attempts: 0,
    importer: { account_id, scope, limits: own, rights },
    actor,
  };
}

/** An import of the account; sub-users see only the imports that they started. */
export async function requireImport(db: Database, principal: Principal, type: Imported, id: number) {
  const [found] = await selectRows(db).where(
    isVisibleImport(principal, eq(importProcess.type, type), eq(importProcess.id, id)),
  );
  if (!found) throw new ApiError(201);
  return toImport(found);
}

/** Imports that no user has finished yet (`/…/import/finish`), by id, in pages. */
export async function selectImports(
  db: Database,
  principal: Principal,
  types: readonly Imported[],
  after = 0,
): Promise<Page<TypedImport>> {
  const isShown = and(inArray(importProcess.type, [...types]), ne(importProcess.status, "finished"));
  const rows = await selectRows(db)
    .where(isVisibleImport(principal, isShown, gt(importProcess.id, after)))
    .orderBy(asc(importProcess.id))
    .limit(MAX_IMPORTS_PER_PAGE);
  const next = (last: number) => selectImports(db, principal, types, last);
  return pageAfter(rows, { size: MAX_IMPORTS_PER_PAGE, toItem: toImport, next });
}

/** Removes an ended import from the lists; 280 while it is still running. */
export async function finishImport(db: Database, principal: Principal, type: Imported, id: number, actor: Actor) {
  const own = isVisibleImport(principal, eq(importProcess.type, type), eq(importProcess.id, id));
  await write(db, {
    import: demand(isThere(importProcess, own), () => new ApiError(201)),
    end: demand(isThere(importProcess, and(own, not(isOpen()))), () => new ApiError(280)),
    update: db
      .update(importProcess)
      .set({ status: "finished", status_change_date: actor.action_date })
      .where(and(own, inArray(importProcess.status, ["done", "failed"]))),
    record: recordChange(db, actor, { is: [`${type}_import`, "finish"], entry_id: id }),
  });
}

/** The lines that were not imported, in order, in pieces that a response can hold; undefined when there are none. */
export async function selectFailed(db: Database, principal: Principal, type: Imported, id: number) {
  const own = isVisibleImport(principal, eq(importProcess.type, type), eq(importProcess.id, id));
  const { first } = await read(db, {
    import: demand(isThere(importProcess, own), () => new ApiError(201)),
    first: failedLines(db, principal, id, 0),
  });
  return first.length === 0 ? undefined : { first, after: (line: number) => failedLines(db, principal, id, line) };
}

/** Failed lines, as many as a response of the database can hold. */
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
    .where(lt(failed.size, MAX_PAGE_BYTES))
    .orderBy(asc(failed.line));
}

/** The next import to work on: fewest attempts first, then least progress. Undefined when only `passed` are open. */
export async function findNextImport(db: Database, skipped: number[]): Promise<number | undefined> {
  const row = await db
    .select({ id: importProcess.id })
    .from(importProcess)
    .where(and(isOpen(), not(among(importProcess.id, skipped))))
    .orderBy(asc(importProcess.attempts), asc(importProcess.processed_lines), asc(importProcess.id))
    .limit(1)
    .get();
  return row?.id;
}

/** Counts another attempt and returns the import; undefined when it has ended. */
export async function claimImport(db: Database, id: number): Promise<ImportRow | undefined> {
  const [process] = await db
    .update(importProcess)
    .set({ attempts: sql`${importProcess.attempts} + 1` })
    .where(and(eq(importProcess.id, id), isOpen()))
    .returning();
  return process;
}

export async function markImportFailed(db: Database, { id, type, actor }: ImportRow, now: number) {
  await write(db, {
    failed: db
      .update(importProcess)
      .set({ status: "failed", status_change_date: now })
      .where(and(eq(importProcess.id, id), isOpen())),
    record: recordChange(db, { ...actor, action_date: now }, { is: [`${type}_import`, "fail"], entry_id: id }),
  });
}

/** Deletes imports that ended before the moment, with their remarks. */
export async function deleteEndedImports(db: Database, before: number) {
  const ended = await db
    .select({ id: importProcess.id })
    .from(importProcess)
    .where(
      and(inArray(importProcess.status, ["done", "failed", "finished"]), lt(importProcess.status_change_date, before)),
    )
    .limit(MAX_IMPORTS_PER_SWEEP);
  const ids = ended.map(({ id }) => id);
  if (ids.length === 0) return;
  await write(db, {
    remarks: db.delete(importRemark).where(among(importRemark.process_id, ids)),
    imports: db.delete(importProcess).where(among(importProcess.id, ids)),
  });
}

export function isOpen(): SQL {
  return sql`${importProcess.status} IN ('created', 'in_progress')`;
}

function isVisibleImport(principal: Principal, ...conditions: (SQL | undefined)[]) {
  const own = principal.kind === "subuser" ? eq(importProcess.user_id, principal.user_id) : undefined;
  return visibleTo(principal, importProcess, own, ...conditions);
}

function selectRows(db: Database) {
  const { id, user_id, created, type, headers, user_headers, filename, status, status_change_date } = importProcess;
  const { imported, failed, total_lines, processed_lines } = importProcess;
  return db
    .select({
      ...{ id, user_id, created, type, headers, user_headers, filename, status, status_change_date },
      ...{ imported, failed, total_lines, processed_lines },
      warnings: remarksOf("warning"),
      errors: remarksOf("error"),
    })
    .from(importProcess)
    .$dynamic();
}
type SelectedImport = Awaited<ReturnType<typeof selectRows>>[number];

function remarksOf(kind: "error" | "warning") {
  const first = sql`SELECT line, message FROM ${importRemark} WHERE ${importRemark.process_id} = ${importProcess.id}
    AND ${importRemark.kind} = ${kind} ORDER BY line, ${importRemark.id} LIMIT ${MAX_REMARKS}`;
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
  ...rest
}: SelectedImport): TypedImport {
  const { warnings, errors, ...row } = rest;
  const percent = Math.floor((100 * processed_lines) / total_lines);
  const progress = { imported, failed, percent, processed_lines, warnings, errors };
  return { ...row, params: { headers, user_headers: user_headers ?? undefined }, progress };
}

const MAX_REMARKS = 25;
const MAX_IMPORTS_PER_PAGE = 200;
const MAX_PAGE_BYTES = 5_000_000;
const MAX_IMPORTS_PER_SWEEP = 100;
