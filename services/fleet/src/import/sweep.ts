import { awaitAll } from "#shared/background/await-all.ts";
import type { Imported } from "#shared/contract/import-process.ts";
import { type Database, openDatabase } from "#shared/database/open.ts";
import { nowMs } from "#shared/time/clock.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import type { FleetEnv } from "../env.ts";
import type { ImportRow } from "../table/import/import-process.ts";
import { storeBatch } from "./batch-queries.ts";
import { parseEmployees } from "./parse-employees.ts";
import { parseVehicles } from "./parse-vehicles.ts";
import type { ImportContext, LineParser, SheetLine } from "./parsed-line.ts";
import { claimImport, deleteEndedImports, findNextImport, markImportFailed } from "./queries.ts";

/** Continues the open imports, a few batches of each before the next one, and deletes those that ended long ago. */
export async function sweepImports(env: FleetEnv) {
  const db = openDatabase(env);
  const skipped: number[] = [];
  const started: Promise<boolean>[] = [];
  for (let step = 0; step < MAX_STEPS_PER_SWEEP; step++) {
    const id = await findNextImport(db, skipped);
    if (id === undefined) break;
    const running = continueImport(env, id);
    started.push(running);
    // An import that fails, or on which another Worker is working, waits for the next sweep.
    if (!(await running.catch(() => false))) skipped.push(id);
  }
  await deleteEndedImports(db, nowMs(env) - RETENTION_MS);
  await awaitAll(started);
}

/** Imports some batches of the import. False: it has ended, failed, or another Worker is working on it. */
async function continueImport(env: FleetEnv, id: number): Promise<boolean> {
  const db = openDatabase(env);
  const process = await claimImport(db, id);
  if (!process) return false;
  const { account_id, filename, attempts } = process;
  const text = attempts > MAX_ATTEMPTS ? null : await env.FILES.readSheet({ account_id, file_id: filename });
  if (text !== null) return importLines(env, db, process, text.split("\n").slice(0, process.total_lines));
  await markImportFailed(db, process, nowMs(env));
  return false;
}

/** Imports the next batches of lines. False: another Worker has advanced the import. */
async function importLines(env: FleetEnv, db: Database, process: ImportRow, texts: string[]): Promise<boolean> {
  let from = process.processed_lines;
  for (let batch = 0; batch < MAX_BATCHES_PER_STEP && from < texts.length; batch++) {
    const to = endOfBatch(texts, from);
    const lines = await parseLines({ db, env }, process, texts.slice(from, to), from);
    if (!(await storeBatch(db, process, { from, to }, lines, nowMs(env)))) return false;
    from = to;
  }
  return true;
}

/** Parses the lines that are not empty; empty lines count for the line numbers. */
async function parseLines(
  call: ImportContext,
  process: ImportRow,
  texts: string[],
  before: number,
): Promise<SheetLine[]> {
  const filled = texts
    .map((text, index) => ({ text, line: before + index + 1 }))
    .filter(({ text }) => text.trim() !== "");
  const rows = filled.map(({ text }) => text.split("\t"));
  const parsed = await PARSERS[process.type](call, process, rows);
  return filled.flatMap((one, index) => {
    const line = parsed[index];
    return line ? [{ ...one, parsed: line }] : [];
  });
}

function endOfBatch(lines: string[], from: number) {
  let size = 0;
  let end = from;
  while (end < lines.length && end - from < MAX_LINES_PER_BATCH && size < MAX_CHARACTERS_PER_BATCH)
    size += lines[end++]?.length ?? 0;
  return end;
}

const PARSERS: Record<Imported, LineParser> = { employee: parseEmployees, vehicle: parseVehicles };
/** Limits the duration and the memory of a transaction, as does `MAX_CHARACTERS_PER_BATCH`. */
const MAX_LINES_PER_BATCH = 250;
const MAX_CHARACTERS_PER_BATCH = 250_000;
/** After so many batches the next import continues. Each step reads the sheet from the files service again. */
const MAX_BATCHES_PER_STEP = 4;
/** Enough for 20 imports of the largest size. */
const MAX_STEPS_PER_SWEEP = 100;
/** An hour, at one attempt per minute. */
const MAX_ATTEMPTS = 60;
const RETENTION_MS = 30 * DAY_MS;
