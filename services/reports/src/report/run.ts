import { type Database, openDatabase } from "#shared/database/open.ts";
import { languageOf } from "#shared/text/language.ts";
import { nowMs } from "#shared/time/clock.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import type { ReportsEnv } from "../env.ts";
import type { Sheet } from "../layout/sheet.ts";
import { type Writer, writerFor } from "../layout/writer.ts";
import { PLUGINS } from "../plugin/all.ts";
import type { Plugin } from "../plugin/plugin.ts";
import type { ReportRow } from "../table/report.ts";
import { dataOf } from "./data.ts";
import { lease, noteSheet, release } from "./queries.ts";
import { type KeptSheet, sheetKey, summaryKey } from "./sheets.ts";

/**
 * Goes on with a report, sheet after sheet, as long as a Worker may work on. Each sheet is in the bucket before it is noted:
 * whoever dies leaves a report that somebody else goes on with. True: it is not finished, and nobody else is at it.
 */
export async function runReport(id: number, env: ReportsEnv): Promise<boolean> {
  const db = openDatabase(env);
  const end = Date.now() + WORKED_MS;
  let row = await lease(db, id, nowMs(env), nowMs(env) + LEASE_MS);
  while (row) {
    const noted = await makeSheet(row, env, db);
    if (noted?.state !== "waiting") return false;
    row = noted;
    if (Date.now() > end) {
      await release(db, row);
      return true;
    }
  }
  return false;
}

async function makeSheet(row: ReportRow, env: ReportsEnv, db: Database): Promise<ReportRow | undefined> {
  const tracker_id = row.request.trackers[row.done];
  // What nobody could make in so many tries is left out, so that all else is there in the end.
  if (row.tries <= MOST_TRIES) {
    const sheet = tracker_id === undefined ? await summarySheet(row, env) : await trackerSheet(row, tracker_id, env);
    const key = tracker_id === undefined ? summaryKey(row) : sheetKey(row, row.done);
    await env.BUCKET.put(key, JSON.stringify(sheet));
  }
  return noteSheet(db, row, nowMs(env) + LEASE_MS);
}

async function trackerSheet(row: ReportRow, tracker_id: number, env: ReportsEnv): Promise<KeptSheet> {
  const { plugin, parameters, writer } = settingsOf(row);
  const [tracker] = await env.FLEET.trackersOf(row.reader, [tracker_id]);
  // It was removed meanwhile, or is not the reader's any more.
  if (!tracker || tracker.blocked) return { sheet: null, header: "", tracker_id, summary: [] };
  const { sections, summary, is_empty } = await plugin.partOf(dataOf(row, tracker, env), parameters, writer);
  const isHidden = (is_empty && parameters.hide_empty_tabs) || isOnlySummary(row, parameters);
  const sheet = { header: tracker.label, entity_ids: [tracker_id], additional_field: "", sections };
  return { sheet: isHidden ? null : sheet, header: tracker.label, tracker_id, summary };
}

/** The lines of all things, read one after the other: there may be many. */
async function summarySheet(row: ReportRow, env: ReportsEnv): Promise<KeptSheet> {
  const { writer } = settingsOf(row);
  const rows: Sheet["sections"] = [];
  const ids: number[] = [];
  for (let index = 0; index < row.request.trackers.length; index++) {
    const kept = await (await env.BUCKET.get(sheetKey(row, index)))?.json<KeptSheet>();
    if (!kept || kept.summary.length === 0) continue;
    rows.push({ type: "map_table", header: kept.header, rows: kept.summary });
    ids.push(kept.tracker_id);
  }
  const header = writer.words("Summary", "Zusammenfassung");
  return {
    sheet: { header, entity_ids: ids, additional_field: "", sections: rows },
    header,
    tracker_id: 0,
    summary: [],
  };
}

type Settings = { plugin: Plugin; parameters: Record<string, unknown>; writer: Writer };

function settingsOf({ request }: ReportRow): Settings {
  const plugin = PLUGINS.get(request.plugin.plugin_id);
  if (!plugin) throw new Error(`a report of plugin ${request.plugin.plugin_id} was taken`);
  const { locale, time_zone, measurement_system } = request.locale_info;
  const { show_seconds } = request.plugin;
  const writer = writerFor({ zone: time_zone, language: languageOf(locale), measurement_system, show_seconds });
  return { plugin, parameters: plugin.parameters.parse(request.plugin), writer };
}

function isOnlySummary({ request }: ReportRow, { include_summary_sheet_only }: Record<string, unknown>) {
  return include_summary_sheet_only === true && request.trackers.length > 1;
}

const LEASE_MS = 2 * MINUTE_MS;
const WORKED_MS = 15_000;
const MOST_TRIES = 5;
