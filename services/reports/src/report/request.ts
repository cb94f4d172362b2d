import type { Principal } from "#shared/caller/principal.ts";
import { requireTrackers } from "#shared/contract/tracker/visible-tracker.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import type { Call } from "#shared/operation/declaration.ts";
import { languageOf } from "#shared/text/language.ts";
import type { Plugin } from "../definition/plugin.ts";
import type { ReportsEnv } from "../env.ts";
import { createWriter, type Writer } from "../layout/writer.ts";
import { PLUGINS } from "../plugin/all.ts";
import type { ReportRequest, ReportRow } from "../table/report.ts";

/** The plugin with this id, or 222; and its parameters with defaults. */
export function requirePlugin(input: Record<string, unknown>): {
  plugin: Plugin;
  parameters: ReportRequest["plugin"];
} {
  const plugin = PLUGINS.get(Number(input.plugin_id));
  if (!plugin) throw new ApiError(222);
  return { plugin, parameters: { ...input, plugin_id: plugin.id, show_seconds: input.show_seconds === true } };
}

type Subjects = { trackers: number[]; employees: number[] };

/**
 * The trackers or employees of the report, each once. Throws 217 for one that the caller does not see, 236 for a tariff
 * without reports.
 */
export async function requireSubjects(
  input: Subjects,
  { reportEmployee }: Plugin,
  { env, principal }: Pick<Call<ReportsEnv>, "env" | "principal">,
): Promise<Subjects> {
  const subject = reportEmployee ? "employees" : "trackers";
  const ids = [...new Set(input[subject])];
  if (ids.length === 0) throw invalid(subject, "must not be empty");
  if (subject === "employees") {
    const found = await env.RECORDS.employeesOf(principal, ids);
    if (found.length < ids.length) throw new ApiError(217);
    return { trackers: [], employees: ids };
  }
  const found = requireTrackers(await env.FLEET.trackersOf(principal, ids), ids);
  if (!found.every(({ has_reports }) => has_reports)) throw new ApiError(236);
  return { trackers: ids, employees: [] };
}

/** A writer with the settings that the user had when the report was requested. */
export function writerOf({ locale_info, plugin, date_format, hour_mode }: ReportRequest): Writer {
  const { locale, time_zone, measurement_system } = locale_info;
  const units = { measurement_system, show_seconds: plugin.show_seconds, date_format, hour_mode };
  return createWriter({ zone: time_zone, language: languageOf(locale), ...units });
}

/** A request of a report, without its time range. */
type ReportOrder = Pick<
  ReportRequest,
  "geocoder" | "time_filter" | "include_places_in_address" | "include_zones_in_address"
> & { title: string | null };

type ReportPlan = { order: ReportOrder; subjects: Subjects; plugin: Plugin; parameters: ReportRequest["plugin"] };

/** The row of a checked report, with the user's zone, units and language. */
export function toReportRow(principal: Principal, { order, subjects, plugin, parameters }: ReportPlan) {
  const { geocoder, title, time_filter, include_places_in_address, include_zones_in_address } = order;
  const { locale, time_zone, measurement_system, date_format, hour_mode } = principal;
  const request: ReportRequest = {
    ...{ geocoder, ...subjects, time_filter, include_places_in_address, include_zones_in_address },
    plugin: parameters,
    locale_info: { locale, time_zone, measurement_system },
    ...{ date_format, hour_mode },
  };
  const count = Math.max(subjects.trackers.length, subjects.employees.length);
  const { include_summary_sheet, include_summary_sheet_only } = parameters;
  const hasSummary = include_summary_sheet_only === true || (count > 1 && include_summary_sheet === true);
  return {
    ...{ account_id: principal.account_id, user_id: principal.user_id },
    title: title ?? plugin.title[languageOf(locale) === "de" ? 1 : 0],
    request,
    // A report about employees adds the trackers that they were on.
    trackers: subjects.trackers,
    reader: { ...principal, key: "" } satisfies ReportRow["reader"],
    state: "waiting" as const,
    sheets: count + (hasSummary ? 1 : 0),
  };
}
