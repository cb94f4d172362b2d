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

/** Goes on with all that are open, a few parts of each in turn, and forgets those that ended long ago. */
export async function sweepImports(env: FleetEnv) {
  const db = openDatabase(env);
  const passed: number[] = [];
  const started: Promise<boolean>[] = [];
  for (let step = 0; step < MAX_STEPS_PER_SWEEP; step++) {
    const id = await findNextImport(db, passed);
    if (id === undefined) break;
    const running = continueImport(env, id);
    started.push(running);
    // What fails waits for the next sweep, and what another one is at is left to that.
    if (!(await running.catch(() => false))) passed.push(id);
  }
  await deleteEndedImports(db, nowMs(env) - RETENTION_MS);
  await awaitAll(started);
}

/** A turn of an import; false: this sweep has nothing more to do with it. */
async function continueImport(env: FleetEnv, id: number): Promise<boolean> {
  const db = openDatabase(env);
  const process = await claimImport(db, id);
  if (!process) return false;
  const { account_id, filename, attempts } = process;
  const text = attempts > MAX_ATTEMPTS ? null : await env.FILES.readSheet({ account_id, file_id: filename });
  if (text !== null) return importLines(env, db, process, text.split("\n").slice(0, process.total_lines));
  await markImportFailed(db, id, nowMs(env));
  return false;
}

/** Some of them; false: somebody else is at it. */
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

/** Empty lines are passed over, but counted. */
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
/** Bounds what a transaction takes, in time and in memory. */
const MAX_LINES_PER_BATCH = 250;
const MAX_CHARACTERS_PER_BATCH = 250_000;
/** Then the next import has its turn, and the sheet is read anew. */
const MAX_BATCHES_PER_STEP = 4;
/** In one sweep: 20 of the longest imports. */
const MAX_STEPS_PER_SWEEP = 100;
/** At one a minute. */
const MAX_ATTEMPTS = 60;
const RETENTION_MS = 30 * DAY_MS;
