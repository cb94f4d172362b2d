import { and, asc, eq, sql } from "drizzle-orm";
import { allDone } from "#shared/background/all-done.ts";
import type { Imported } from "#shared/contract/import-process.ts";
import { type Database, openDatabase } from "#shared/database/open.ts";
import { nowMs } from "#shared/time/clock.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import type { FleetEnv } from "../env.ts";
import { type ImportRow, importProcess } from "../table/import-process.ts";
import { employees } from "./employees.ts";
import type { Kind } from "./kind.ts";
import { type Given, importPart } from "./part.ts";
import { deleteEnded, isOpen } from "./queries.ts";
import { vehicles } from "./vehicles.ts";

/** Goes on with all that are open, those first that wait longest, and forgets those that ended long ago. */
export async function sweepImports(env: FleetEnv) {
  const db = openDatabase(env);
  const open = await db
    .select({ id: importProcess.id })
    .from(importProcess)
    .where(isOpen())
    .orderBy(asc(importProcess.attempts), asc(importProcess.id))
    .limit(SWEPT);
  const begun: Promise<void>[] = [];
  for (const { id } of open) {
    begun.push(runImport(env, id));
    await Promise.allSettled(begun);
  }
  await deleteEnded(db, nowMs(env) - KEPT_MS);
  await allDone(begun);
}

async function runImport(env: FleetEnv, id: number) {
  const db = openDatabase(env);
  const [process] = await db
    .update(importProcess)
    .set({ attempts: sql`${importProcess.attempts} + 1` })
    .where(and(eq(importProcess.id, id), isOpen()))
    .returning();
  if (!process) return;
  const { account_id, filename, attempts } = process;
  const text = attempts > MOST_ATTEMPTS ? null : await env.FILES.readSheet({ account_id, file_id: filename });
  if (text === null) return endAsFailed(db, id, nowMs(env));
  await importLines(env, db, process, text.split("\n").slice(0, process.total_lines));
}

async function importLines(env: FleetEnv, db: Database, process: ImportRow, lines: string[]) {
  const kind = KINDS[process.type];
  let from = process.processed_lines;
  while (from < lines.length) {
    const to = endOfPart(lines, from);
    const given = await readLines(db, kind, process, lines.slice(from, to), from);
    if (!(await importPart(db, kind, process, { from, to }, given, nowMs(env)))) return;
    from = to;
  }
}

/** Empty lines are passed over, but counted. */
async function readLines(
  db: Database,
  kind: Kind,
  { importer, headers }: ImportRow,
  lines: string[],
  before: number,
): Promise<Given[]> {
  const filled = lines
    .map((text, index) => ({ text, line: before + index + 1 }))
    .filter(({ text }) => text.trim() !== "");
  const rows = filled.map(({ text }) => text.split("\t"));
  const read = await kind.read(db, importer, rows, headers);
  return filled.flatMap((one, index) => {
    const line = read[index];
    return line ? [{ ...one, read: line }] : [];
  });
}

function endOfPart(lines: string[], from: number) {
  let size = 0;
  let end = from;
  while (end < lines.length && end - from < PART_LINES && size < PART_CHARACTERS) size += lines[end++]?.length ?? 0;
  return end;
}

async function endAsFailed(db: Database, id: number, now: number) {
  await db
    .update(importProcess)
    .set({ status: "failed", status_change_date: now })
    .where(and(eq(importProcess.id, id), isOpen()));
}

const KINDS: Record<Imported, Kind> = { employee: employees, vehicle: vehicles };
/** Bounds what a transaction takes, in time and in memory. */
const PART_LINES = 250;
const PART_CHARACTERS = 250_000;
const SWEPT = 20;
/** At one a minute. */
const MOST_ATTEMPTS = 60;
const KEPT_MS = 30 * DAY_MS;
