import { allDone } from "#shared/background/all-done.ts";
import type { Imported } from "#shared/contract/import-process.ts";
import { type Database, openDatabase } from "#shared/database/open.ts";
import { nowMs } from "#shared/time/clock.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import type { FleetEnv } from "../env.ts";
import type { ImportRow } from "../table/import-process.ts";
import { readEmployees } from "./employees.ts";
import type { Line, LineReader } from "./line.ts";
import { storePart } from "./part-queries.ts";
import { endAsFailed, removeEnded, selectOpen, takeUp } from "./queries.ts";
import { readVehicles } from "./vehicles.ts";

/** Goes on with all that are open, those first that wait longest, and forgets those that ended long ago. */
export async function sweepImports(env: FleetEnv) {
  const db = openDatabase(env);
  const open = await selectOpen(db, SWEPT);
  const begun: Promise<void>[] = [];
  for (const id of open) {
    begun.push(runImport(env, id));
    await Promise.allSettled(begun);
  }
  await removeEnded(db, nowMs(env) - KEPT_MS);
  await allDone(begun);
}

async function runImport(env: FleetEnv, id: number) {
  const db = openDatabase(env);
  const process = await takeUp(db, id);
  if (!process) return;
  const { account_id, filename, attempts } = process;
  const text = attempts > MOST_ATTEMPTS ? null : await env.FILES.readSheet({ account_id, file_id: filename });
  if (text === null) return endAsFailed(db, id, nowMs(env));
  await importLines(env, db, process, text.split("\n").slice(0, process.total_lines));
}

async function importLines(env: FleetEnv, db: Database, process: ImportRow, texts: string[]) {
  let from = process.processed_lines;
  while (from < texts.length) {
    const to = endOfPart(texts, from);
    const lines = await readLines(db, process, texts.slice(from, to), from);
    if (!(await storePart(db, process, { from, to }, lines, nowMs(env)))) return;
    from = to;
  }
}

/** Empty lines are passed over, but counted. */
async function readLines(db: Database, process: ImportRow, texts: string[], before: number): Promise<Line[]> {
  const filled = texts
    .map((text, index) => ({ text, line: before + index + 1 }))
    .filter(({ text }) => text.trim() !== "");
  const rows = filled.map(({ text }) => text.split("\t"));
  const read = await READERS[process.type](db, process, rows);
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

const READERS: Record<Imported, LineReader> = { employee: readEmployees, vehicle: readVehicles };
/** Bounds what a transaction takes, in time and in memory. */
const PART_LINES = 250;
const PART_CHARACTERS = 250_000;
const SWEPT = 20;
/** At one a minute. */
const MOST_ATTEMPTS = 60;
const KEPT_MS = 30 * DAY_MS;
