import type { Principal } from "#shared/caller/principal.ts";
import { requireTrackers } from "#shared/contract/visible-tracker.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import type { Call } from "#shared/operation/declaration.ts";
import { languageOf } from "#shared/text/language.ts";
import type { Plugin } from "../definition/plugin.ts";
import type { ReportsEnv } from "../env.ts";
import { createWriter, type Writer } from "../layout/writer.ts";
import { PLUGINS } from "../plugin/all.ts";
import type { ReportRequest, ReportRow } from "../table/report.ts";

/** The plugin of the id, which is one that there is, and its parameters with what was left out. */
export function requirePlugin(given: Record<string, unknown>): {
  plugin: Plugin;
  parameters: ReportRequest["plugin"];
} {
  const plugin = PLUGINS.get(Number(given.plugin_id));
  if (!plugin) throw new ApiError(222);
  return { plugin, parameters: { ...given, plugin_id: plugin.id, show_seconds: given.show_seconds === true } };
}

type Subjects = { trackers: number[]; employees: number[] };

/** Those that the plugin is about, each once: any that the caller does not see is 217, a tariff without reports 236. */
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

/** Writes as the user had it when the report was ordered. */
export function writerOf({ locale_info, plugin, date_format, hour_mode }: ReportRequest): Writer {
  const { locale, time_zone, measurement_system } = locale_info;
  const units = { measurement_system, show_seconds: plugin.show_seconds, date_format, hour_mode };
  return createWriter({ zone: time_zone, language: languageOf(locale), ...units });
}

/** What a report is made of, besides for which range. */
type ReportOrder = Pick<
  ReportRequest,
  "geocoder" | "time_filter" | "include_places_in_address" | "include_zones_in_address"
> & { title: string | null };

type ReportPlan = { order: ReportOrder; subjects: Subjects; plugin: Plugin; parameters: ReportRequest["plugin"] };

/** The row of a report of what is there and may be asked for, in the zone, the units and the language of the user. */
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
  const hasSummary = count > 1 && parameters.include_summary_sheet === true;
  return {
    ...{ account_id: principal.account_id, user_id: principal.user_id },
    title: title ?? plugin.title[languageOf(locale) === "de" ? 1 : 0],
    request,
    reader: { ...principal, key: "" } satisfies ReportRow["reader"],
    state: "waiting" as const,
    sheets: count + (hasSummary ? 1 : 0),
  };
}
