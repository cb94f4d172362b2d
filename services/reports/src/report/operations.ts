import { z } from "zod";
import { TABLE_FORMATS } from "#shared/contract/table-document.ts";
import { requireTrackers } from "#shared/contract/visible-tracker.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import type { Call } from "#shared/operation/declaration.ts";
import { downloadHeaders } from "#shared/operation/download.ts";
import { streamOf } from "#shared/operation/list-answer.ts";
import { MEDIA_TYPES } from "#shared/operation/media-type.ts";
import { languageOf } from "#shared/text/language.ts";
import { writeLocal } from "#shared/time/clock.ts";
import { HOUR_MS } from "#shared/time/duration.ts";
import { requireSpan } from "#shared/time/span.ts";
import type { ReportsEnv } from "../env.ts";
import { operation } from "../operation.ts";
import { PLUGINS } from "../plugin/all.ts";
import type { Plugin } from "../plugin/plugin.ts";
import type { ReportRow } from "../table/report.ts";
import { inTurn } from "../turn/turn.ts";
import { insertReport, removeReport, requireReport, selectReports } from "./queries.ts";
import { GenerateInput, type PluginParameters, Report, ReportItem } from "./schema.ts";
import { sheetsOf } from "./sheets.ts";

export const generateReport = operation("/report/tracker/generate", {
  summary: "Begins to make a report; its id is known at once",
  right: "reports",
  takesGet: true,
  input: GenerateInput,
  output: z.object({ id: z.int() }),
  errors: [15, 211, 217, 222, 236],
  async run(input, { db, env, principal, clock }) {
    const { from, to, title, geocoder, time_filter, include_places_in_address, include_zones_in_address } = input;
    if (to <= from) throw invalid("to", "must be after from");
    const { plugin, parameters } = pluginOf(input.plugin);
    requireRange(input, plugin, { env, clock });
    const trackers = [...new Set(input.trackers)];
    if (trackers.length === 0) throw invalid("trackers", "must name a tracker at least");
    const found = requireTrackers(await env.FLEET.trackersOf(principal, trackers), trackers);
    if (!found.every(({ has_reports }) => has_reports)) throw new ApiError(236);
    const { locale, account_time_zone: time_zone, measurement_system } = principal;
    const hasSummary = trackers.length > 1 && parameters.include_summary_sheet === true;
    const id = await insertReport(
      db,
      {
        ...{ account_id: principal.account_id, user_id: principal.user_id, created: clock.now(), from, to },
        title: title ?? plugin.title[languageOf(locale) === "de" ? 1 : 0],
        request: {
          ...{ geocoder, trackers, time_filter, include_places_in_address, include_zones_in_address },
          plugin: { ...parameters, plugin_id: plugin.id, show_seconds: input.plugin.show_seconds },
          locale_info: { locale, time_zone, measurement_system },
        },
        reader: { ...principal, key: "" },
        state: "waiting",
        sheets: trackers.length + (hasSummary ? 1 : 0),
      },
      { parallel: Number(env.PARALLEL_REPORTS), kept: Number(env.KEPT_REPORTS) },
    );
    // What cannot be queued now the sweep queues.
    await env.JOBS.send({ report_id: id }).catch(() => undefined);
    return { id };
  },
});

export const listReports = operation("/report/tracker/list", {
  summary: "The user's reports, newest first",
  right: "reports",
  reads: true,
  input: z.object({}),
  output: z.object({ list: z.array(ReportItem) }),
  errors: [],
  async run(_, { db, principal }) {
    return { list: (await selectReports(db, principal)).map(toItem) };
  },
});

export const statusReport = operation("/report/tracker/status", {
  summary: "How much of a report is ready",
  right: "reports",
  reads: true,
  input: z.object({ report_id: z.int() }),
  output: z.object({ percent_ready: z.int() }),
  errors: [204],
  async run({ report_id }, { db, principal }) {
    return { percent_ready: percentOf(await requireReport(db, principal, report_id)) };
  },
});

export const retrieveReport = operation("/report/tracker/retrieve", {
  summary: "What a report says",
  right: "reports",
  reads: true,
  input: z.object({ report_id: z.int() }),
  output: z.object({ report: Report }),
  errors: [204, 229],
  async run({ report_id }, { db, env, principal, clock }) {
    const row = requireFinished(await requireReport(db, principal, report_id));
    const { id, title, request } = row;
    const [created, from, to] = [row.created, row.from, row.to].map(clock.write);
    const head = { id, title, created, from, to, time_filter: request.time_filter };
    return new Response(streamOf(jsonOf(head, row, env)), {
      headers: { "Content-Type": MEDIA_TYPES.json },
    });
  },
});

export const downloadReport = operation("/report/tracker/download", {
  summary: "A report as a file",
  right: "reports",
  reads: true,
  reply: ["pdf", "xls", "xlsx"],
  input: z.object({ report_id: z.int(), format: z.enum(TABLE_FORMATS), headless: z.boolean().default(false) }),
  output: z.object({}),
  errors: [15, 204, 229, 267],
  async run({ report_id, format, headless }, { db, env, principal }) {
    const row = requireFinished(await requireReport(db, principal, report_id));
    // Imported when it is needed: only Workers can read its fonts, and declarations are read elsewhere too.
    const { writeReport } = await import("../file/write.ts");
    const { time_zone, locale } = row.request.locale_info;
    const range = [row.from, row.to].map((ms) => writeLocal(ms, time_zone)).join(" – ");
    const head = headless ? null : { title: row.title, subtitle: range };
    const write = () =>
      writeReport({ head, title: row.title, sheets: sheetsOf(row, env) }, format, {
        language: languageOf(locale),
        limits: env.DOCUMENT_LIMITS,
      });
    const file = await inTurn(env.TURNS, principal.account_id, write);
    if (!file) throw new ApiError(15);
    return new Response(file, { headers: downloadHeaders(`${row.title}.${format}`, MEDIA_TYPES[format]) });
  },
});

export const deleteReport = operation("/report/tracker/delete", {
  summary: "Removes a report",
  right: "reports",
  input: z.object({ report_id: z.int() }),
  output: z.object({}),
  errors: [101, 201],
  async run({ report_id }, { db, principal }) {
    if (principal.demo) throw new ApiError(101);
    await removeReport(db, principal, report_id);
    return {};
  },
});

export const operations = [generateReport, listReports, statusReport, retrieveReport, downloadReport, deleteReport];

/** The plugin by its id, and its parameters as it takes them; what is wrong with them is 7 with its path. */
function pluginOf(given: PluginParameters): { plugin: Plugin; parameters: Record<string, unknown> } {
  const plugin = PLUGINS.get(given.plugin_id);
  if (!plugin) throw new ApiError(222);
  const parsed = plugin.parameters.safeParse(given);
  if (parsed.success) return { plugin, parameters: parsed.data };
  const [issue] = parsed.error.issues;
  throw invalid(["plugin", ...(issue?.path ?? [])].join("."), issue?.message ?? "is not right");
}

function requireRange(
  { from, to }: { from: number; to: number },
  { longest_hours }: Plugin,
  { env, clock }: Pick<Call<ReportsEnv>, "env" | "clock">,
) {
  requireSpan({ from, to }, env.MAX_SPANS, "reports", clock.zone);
  if (longest_hours !== undefined && to - from > longest_hours * HOUR_MS) throw new ApiError(211);
}

function requireFinished(row: ReportRow): ReportRow {
  if (row.state !== "finished") throw new ApiError(229);
  return row;
}

function toItem(row: ReportRow) {
  const { id, title, created, from, to, request } = row;
  const { plugin, time_filter, geocoder, trackers, locale_info } = request;
  const { include_places_in_address, include_zones_in_address } = request;
  const parameters = {
    ...{ geocoder, trackers, plugins: [plugin], locale_info },
    ...{ include_places_in_address, include_zones_in_address },
  };
  return { id, title, created, from, to, time_filter, parameters, percent: percentOf(row), type: "user" as const };
}

function percentOf({ done, sheets }: ReportRow) {
  return Math.floor((done * 100) / sheets);
}

/** As it is read: a report may be larger than a Worker's memory. */
async function* jsonOf(head: object, row: ReportRow, env: ReportsEnv): AsyncGenerator<string> {
  yield `${JSON.stringify({ success: true, report: head }).slice(0, -2)},"sheets":[`;
  let separator = "";
  for await (const sheet of sheetsOf(row, env)) {
    yield separator + JSON.stringify(sheet);
    separator = ",";
  }
  yield "]}}";
}
