import { openDatabase } from "#shared/database/open.ts";
import { nowMs, systemNow } from "#shared/time/clock.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import type { Plugin, SubjectReport } from "../definition/plugin.ts";
import type { ReportsEnv } from "../env.ts";
import type { Sheet } from "../layout/sheet.ts";
import type { Writer } from "../layout/writer.ts";
import { PLUGINS } from "../plugin/all.ts";
import type { ReportRow } from "../table/report.ts";
import { createTrackerData } from "./data.ts";
import { leaseReport, releaseReport, storeProgress } from "./queries.ts";
import { writerOf } from "./request.ts";
import { putSheet, readLine, type SheetResult, subjectsOf } from "./sheets.ts";

/**
 * Makes the sheets of a report one by one, until its time slice ends. A sheet is stored before its progress, so another
 * call can continue after a crash. True: sheets are left, and no other call holds the lease.
 */
export async function runReport(id: number, env: ReportsEnv, now: () => number = systemNow): Promise<boolean> {
  const db = openDatabase(env);
  const end = now() + TIME_SLICE.ms;
  let row = await leaseReport(db, id, nowMs(env), nowMs(env) + LEASE_MS);
  let settings: Settings | undefined;
  for (let sheets = 1; row; sheets++) {
    // After too many failures, also of reading the settings, a sheet is left out, so that the report gets finished.
    if (row.tries <= MAX_ATTEMPTS) {
      settings ??= settingsOf(row);
      row.trackers = await makeSheet(row, settings, env);
    }
    const progress = await storeProgress(db, row, nowMs(env), nowMs(env) + LEASE_MS);
    if (progress?.state !== "waiting") return false;
    row = progress;
    if (sheets >= TIME_SLICE.sheets || now() > end) {
      await releaseReport(db, row);
      return true;
    }
  }
  return false;
}

/** Makes and stores the next sheet; answers the trackers whose data the report contains with it. */
async function makeSheet(row: ReportRow, settings: Settings, env: ReportsEnv): Promise<number[]> {
  const subject_id = subjectsOf(row)[row.done];
  if (subject_id === undefined) {
    await putSheet(row, "summary", await makeSummarySheet(row, settings, env), env);
    return row.trackers;
  }
  const { trackers, ...sheet } = await makeSubjectSheet(row, subject_id, settings, env);
  await putSheet(row, row.done, sheet, env);
  return [...new Set([...row.trackers, ...trackers])];
}

async function makeSubjectSheet(
  row: ReportRow,
  subject_id: number,
  settings: Settings,
  env: ReportsEnv,
): Promise<SheetResult & { trackers: number[] }> {
  const { plugin, parameters } = settings;
  const make = plugin.reportEmployee ? makeEmployeeReport : makeTrackerReport;
  const result = await make(row, subject_id, settings, env);
  // The subject was removed meanwhile, or the reader does not see it any more.
  if (!result) return { sheet: null, charts: [], line: { header: "", subject_id, summary: [] }, trackers: [] };
  const { header, part, trackers } = result;
  const { sections, summary, is_empty, charts = [] } = part;
  const isHidden = (is_empty && parameters.hide_empty_tabs) || parameters.include_summary_sheet_only === true;
  const sheet = { header, entity_ids: [subject_id], additional_field: "", sections };
  return { sheet: isHidden ? null : sheet, charts, line: { header, subject_id, summary }, trackers };
}

type SubjectResult = { header: string; part: SubjectReport; trackers: number[] } | undefined;

async function makeTrackerReport(
  row: ReportRow,
  id: number,
  { plugin, parameters, writer }: Settings,
  env: ReportsEnv,
): Promise<SubjectResult> {
  const [tracker] = await env.FLEET.trackersOf(row.reader, [id]);
  if (!tracker || tracker.blocked) return undefined;
  return {
    header: tracker.label,
    trackers: [id],
    part: await plugin.reportTracker(createTrackerData(row, tracker, env), parameters, writer),
  };
}

/** Reports an employee from all trackers that it was on and whose tariffs include reports. */
async function makeEmployeeReport(
  row: ReportRow,
  id: number,
  { plugin, parameters, writer }: Settings,
  env: ReportsEnv,
): Promise<SubjectResult> {
  const range = { from: row.from, to: row.to + 999 };
  const [[employee], assignments] = await Promise.all([
    env.RECORDS.employeesOf(row.reader, [id]),
    env.RECORDS.assignmentsOf(row.reader, id, range),
  ]);
  if (!employee || !plugin.reportEmployee) return undefined;
  const ids = [...new Set(assignments.map(({ tracker_id }) => tracker_id))];
  const trackers = ids.length > 0 ? await env.FLEET.trackersOf(row.reader, ids) : [];
  const rides = trackers
    .filter(({ blocked, has_reports }) => !blocked && has_reports)
    .map((tracker) => {
      const own = assignments.filter(({ tracker_id }) => tracker_id === tracker.tracker_id);
      const isOn = (ms: number) => own.some(({ from, to }) => ms >= from && ms < to);
      return { data: createTrackerData(row, tracker, env), isOn };
    });
  const part = await plugin.reportEmployee({ ...range, rides }, parameters, writer);
  return { header: employee.name, part, trackers: ids };
}

/** Reads the summary lines one by one, because there may be many. */
async function makeSummarySheet(row: ReportRow, { writer }: Settings, env: ReportsEnv): Promise<SheetResult> {
  const rows: Sheet["sections"] = [];
  const ids: number[] = [];
  for (let index = 0; index < subjectsOf(row).length; index++) {
    const line = await readLine(row, index, env);
    if (!line || line.summary.length === 0) continue;
    rows.push({ type: "map_table", header: line.header, rows: line.summary });
    ids.push(line.subject_id);
  }
  const header = writer.words("Summary", "Zusammenfassung");
  const sheet = { header, entity_ids: ids, additional_field: "", sections: rows };
  return { sheet, charts: [], line: { header, subject_id: 0, summary: [] } };
}

type Settings = { plugin: Plugin; parameters: Record<string, unknown>; writer: Writer };

function settingsOf({ request }: ReportRow): Settings {
  const plugin = PLUGINS.get(request.plugin.plugin_id);
  if (!plugin) throw new Error(`a report of plugin ${request.plugin.plugin_id} was taken`);
  return { plugin, parameters: plugin.parameters.parse(request.plugin), writer: writerOf(request) };
}

const LEASE_MS = 2 * MINUTE_MS;
/** Bounds the time that other reports in the queue wait for this one. */
const TIME_SLICE = { sheets: 50, ms: 5000 };
const MAX_ATTEMPTS = 5;
