import { awaitAll } from "#shared/background/await-all.ts";
import type { Imported } from "#shared/contract/import-process.ts";
import { type Database, openDatabase } from "#shared/database/open.ts";
import { nowMs } from "#shared/time/clock.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import type { FleetEnv } from "../env.ts";
import type { ImportRow } from "../table/import-process.ts";
import { readEmployees } from "./employees.ts";
import type { ImportCall, Line, LineReader } from "./line.ts";
import { storePart } from "./part-queries.ts";
import { endAsFailed, findNext, removeEnded, takeUp } from "./queries.ts";
import { readVehicles } from "./vehicles.ts";

/** Goes on with all that are open, a few parts of each in turn, and forgets those that ended long ago. */
export async function sweepImports(env: FleetEnv) {
  const db = openDatabase(env);
  const passed: number[] = [];
  const begun: Promise<boolean>[] = [];
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const id = await findNext(db, passed);
    if (id === undefined) break;
    const running = runImport(env, id);
    begun.push(running);
    // What fails waits for the next sweep, and what another one is at is left to that.
    if (!(await running.catch(() => false))) passed.push(id);
  }
  await removeEnded(db, nowMs(env) - KEPT_MS);
  await awaitAll(begun);
}

/** A turn of an import; false: this sweep has nothing more to do with it. */
async function runImport(env: FleetEnv, id: number): Promise<boolean> {
  const db = openDatabase(env);
  const process = await takeUp(db, id);
  if (!process) return false;
  const { account_id, filename, attempts } = process;
  const text = attempts > MOST_ATTEMPTS ? null : await env.FILES.readSheet({ account_id, file_id: filename });
  if (text !== null) return importLines(env, db, process, text.split("\n").slice(0, process.total_lines));
  await endAsFailed(db, id, nowMs(env));
  return false;
}

/** Some of them; false: somebody else is at it. */
async function importLines(env: FleetEnv, db: Database, process: ImportRow, texts: string[]): Promise<boolean> {
  let from = process.processed_lines;
  for (let part = 0; part < PARTS_OF_TURN && from < texts.length; part++) {
    const to = endOfPart(texts, from);
    const lines = await readLines({ db, env }, process, texts.slice(from, to), from);
    if (!(await storePart(db, process, { from, to }, lines, nowMs(env)))) return false;
    from = to;
  }
  return true;
}

/** Empty lines are passed over, but counted. */
async function readLines(call: ImportCall, process: ImportRow, texts: string[], before: number): Promise<Line[]> {
  const filled = texts
    .map((text, index) => ({ text, line: before + index + 1 }))
    .filter(({ text }) => text.trim() !== "");
  const rows = filled.map(({ text }) => text.split("\t"));
  const read = await READERS[process.type](call, process, rows);
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
/** Then the next import has its turn, and the sheet is read anew. */
const PARTS_OF_TURN = 4;
/** In one sweep: 20 of the longest imports. */
const MOST_TURNS = 100;
/** At one a minute. */
const MOST_ATTEMPTS = 60;
const KEPT_MS = 30 * DAY_MS;
