import * as z from "zod";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { type Call, SerializedReply } from "#shared/operation/declaration.ts";
import { downloadHeaders } from "#shared/operation/download.ts";
import { streamOf } from "#shared/operation/list-answer.ts";
import { MEDIA_TYPES } from "#shared/operation/media-type.ts";
import { HOUR_MS } from "#shared/time/duration.ts";
import { requireSpan } from "#shared/time/span.ts";
import type { Plugin } from "../definition/plugin.ts";
import type { ReportsEnv } from "../env.ts";
import { operation } from "../operation.ts";
import type { ReportRow } from "../table/report.ts";
import { REPORT_FORMATS, renderFile, requireFinished } from "./file.ts";
import { insertReport, removeReport, requireReport, selectReports } from "./queries.ts";
import { requirePlugin, requireSubjects, toReportRow } from "./request.ts";
import { GenerateInput, Report, ReportItem } from "./schema.ts";
import { cacheFirstText, isSingle, readExplainedSheets, readFirstText, readSheetTexts } from "./sheets.ts";
import { SourcePage, serializeExplained } from "./sources.ts";

export const generateReport = operation("/report/tracker/generate", {
  summary: "Starts a report; answers its id at once",
  right: "reports",
  takesGet: true,
  expensive: true,
  input: GenerateInput,
  output: z.object({ id: z.int() }),
  errors: [15, 211, 217, 222, 236],
  codeFor: (parameter, value) => (parameter === "plugin.plugin_id" && Number.isInteger(value) ? 222 : undefined),
  async run(input, { db, env, principal, clock, actor }) {
    const { from, to } = input;
    if (to <= from) throw invalid("to", "must be after from");
    const { plugin, parameters } = requirePlugin(input.plugin);
    requireRange(input, plugin, { env, clock });
    const subjects = await requireSubjects(input, plugin, { env, principal });
    const id = await insertReport(
      db,
      { ...toReportRow(principal, { order: input, subjects, plugin, parameters }), created: clock.now(), from, to },
      { parallel: Number(env.PARALLEL_REPORTS), kept: Number(env.KEPT_REPORTS) },
      actor,
    );
    // If queueing fails, the sweep queues the report.
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
  summary: "The progress of a report in percent",
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
  summary: "The content of a report, with `explain` also the evidence of its values",
  right: "reports",
  reads: true,
  expensive: true,
  input: z.object({
    report_id: z.int(),
    /** Adds evidence to `source_limit` rows, totals and values of lists, after the first `source_offset` ones. */
    explain: z.boolean().default(false),
    source_offset: z.int().min(0).default(0),
    source_limit: z.int().min(1).max(10_000).default(1000),
  }),
  output: z.object({ report: Report }),
  errors: [204, 229],
  async run({ report_id, explain, source_offset, source_limit }, { db, env, principal, clock }) {
    // Both reads run at once: most reports have one sheet.
    const [found, first] = await Promise.all([
      requireReport(db, principal, report_id),
      explain ? undefined : readFirstText({ id: report_id, account_id: principal.account_id }, env),
    ]);
    const row = requireFinished(found);
    const { id, title, request } = row;
    const [created, from, to] = [row.created, row.from, row.to].map(clock.write);
    const head = { id, title, created, from, to, time_filter: request.time_filter };
    if (first !== undefined) cacheFirstText(row, first);
    if (first !== undefined && isSingle(row)) return new SerializedReply(`${toOpening(head)}${first}${CLOSING}`);
    const sheets = explain
      ? serializeExplained(readExplainedSheets(row, env), new SourcePage(source_offset, source_limit))
      : readSheetTexts(row, env, first);
    return new Response(streamOf(serializeReport(head, sheets)), { headers: { "Content-Type": MEDIA_TYPES.json } });
  },
});

export const downloadReport = operation("/report/tracker/download", {
  summary: "A report as a file",
  right: "reports",
  reads: true,
  reply: ["pdf", "xls", "xlsx", "csv"],
  expensive: true,
  input: z.object({ report_id: z.int(), format: z.enum(REPORT_FORMATS), headless: z.boolean().default(false) }),
  output: z.object({}),
  errors: [15, 204, 229, 267],
  async run({ report_id, format, headless }, { db, env, principal }) {
    const row = requireFinished(await requireReport(db, principal, report_id));
    const { body, name, type } = await renderFile(row, { format, headless }, env);
    return new Response(body, { headers: downloadHeaders(name, type) });
  },
});

export const deleteReport = operation("/report/tracker/delete", {
  summary: "Removes a report",
  right: "reports",
  input: z.object({ report_id: z.int() }),
  output: z.object({}),
  errors: [101, 201],
  async run({ report_id }, { db, principal, actor }) {
    if (principal.demo) throw new ApiError(101);
    await removeReport(db, principal, report_id, actor);
    return {};
  },
});

export const operations = [generateReport, listReports, statusReport, retrieveReport, downloadReport, deleteReport];

function requireRange(
  { from, to }: { from: number; to: number },
  { maxHours }: Plugin,
  { env, clock }: Pick<Call<ReportsEnv>, "env" | "clock">,
) {
  requireSpan({ from, to }, env.MAX_SPANS, "reports", clock.zone);
  if (maxHours !== undefined && to - from > maxHours * HOUR_MS)
    throw new ApiError(211, { max_time_span: `PT${maxHours}H` });
}

function toItem(row: ReportRow) {
  const { id, title, created, from, to, request } = row;
  const { plugin, time_filter, geocoder, trackers, employees = [], locale_info } = request;
  const { include_places_in_address, include_zones_in_address } = request;
  const parameters = {
    ...{ geocoder, trackers, employees, plugins: [plugin], locale_info },
    ...{ include_places_in_address, include_zones_in_address },
  };
  return {
    id,
    title,
    created,
    from,
    to,
    time_filter,
    parameters,
    percent: percentOf(row),
    type: row.schedule_id === null ? ("user" as const) : ("scheduled" as const),
  };
}

function percentOf({ done, sheets }: ReportRow) {
  return Math.floor((done * 100) / sheets);
}

/** Streams the report, which may exceed a Worker's memory. */
async function* serializeReport(head: object, sheets: AsyncIterable<string>): AsyncGenerator<string> {
  yield toOpening(head);
  let separator = "";
  for await (const sheet of sheets) {
    yield separator + sheet;
    separator = ",";
  }
  yield CLOSING;
}

/** The JSON before the sheets. */
function toOpening(head: object) {
  return `${JSON.stringify({ success: true, report: head }).slice(0, -2)},"sheets":[`;
}

const CLOSING = "]}}";
