import * as z from "zod";
import type { Principal } from "#shared/caller/principal.ts";
import { retryOutdated } from "#shared/database/steps.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { downloadHeaders } from "#shared/operation/download.ts";
import { runInTurn } from "#shared/operation/run-in-turn.ts";
import { ANYONE } from "#shared/operation/serve.ts";
import { HOUR_MS } from "#shared/time/duration.ts";
import { toDay } from "#shared/time/schedule-days.ts";
import { requireSpan } from "#shared/time/span.ts";
import type { ReportsEnv } from "../env.ts";
import { operation } from "../operation.ts";
import { renderFile } from "../report/file.ts";
import { requireMailed } from "../report/queries.ts";
import { requirePlugin, requireSubjects } from "../report/request.ts";
import type { ReportRow } from "../table/report.ts";
import type { ScheduleParameters, ScheduleRow } from "../table/report-schedule.ts";
import { findNextRun, rangeBefore } from "./days.ts";
import { changeSchedule, insertSchedule, removeSchedule, requireSchedule, selectSchedules } from "./queries.ts";
import { ChangedSchedule, NewSchedule, Schedule, toSchedule } from "./schema.ts";

export const createSchedule = operation("/report/schedule/create", {
  summary: "Creates a schedule that makes a report on given days and mails it",
  right: "reports",
  input: z.object({ schedule: NewSchedule }),
  output: z.object({ id: z.int() }),
  errors: [211, 217, 222, 236, 268],
  codeFor: toPluginError,
  async run({ schedule: { enabled, parameters: input } }, { db, env, principal, clock, actor }) {
    const parameters = await requireReport(input, { env, principal, now: clock.now() });
    const { time_zone } = principal;
    const row = { enabled, parameters, time_zone, next_run: findNextRun(parameters, clock.now(), time_zone) };
    return { id: await insertSchedule(db, principal, row, Number(env.REPORT_SCHEDULES), actor) };
  },
});

export const updateSchedule = operation("/report/schedule/update", {
  summary: "Changes a schedule; what is left out stays, parameters are replaced as a whole",
  right: "reports",
  input: z.object({ schedule: ChangedSchedule }),
  output: z.object({}),
  errors: [201, 211, 217, 222, 236],
  codeFor: toPluginError,
  async run({ schedule: { id, enabled, parameters: input } }, { db, env, principal, clock, actor }) {
    const now = clock.now();
    // Both run at once; the error of a missing schedule takes precedence.
    const [found, checked] = await Promise.allSettled([
      requireSchedule(db, principal, id),
      input && requireReport(input, { env, principal, now }),
    ]);
    if (found.status === "rejected") throw found.reason;
    if (checked.status === "rejected") throw checked.reason;
    const requested = checked.value;
    let first: ScheduleRow | undefined = found.value;
    await retryOutdated(async () => {
      const row = first ?? (await requireSchedule(db, principal, id));
      first = undefined;
      const parameters = requested ?? row.parameters;
      const isEnabled = enabled ?? row.enabled;
      // With the same days and time the next run stays: today's report may be about to be made.
      const isUnchanged = isEnabled && row.enabled && isSameTime(parameters, row.parameters);
      const { time_zone } = principal;
      const run = isUnchanged ? {} : { time_zone, next_run: findNextRun(parameters, now, time_zone) };
      await changeSchedule(db, row, { enabled: isEnabled, parameters, ...run }, actor);
    });
    return {};
  },
});

export const deleteSchedule = operation("/report/schedule/delete", {
  summary: "Deletes a schedule; the reports that it has made stay",
  right: "reports",
  input: z.object({ schedule_id: z.int() }),
  output: z.object({}),
  errors: [201],
  async run({ schedule_id }, { db, principal, actor }) {
    await removeSchedule(db, principal, schedule_id, actor);
    return {};
  },
});

export const listSchedules = operation("/report/schedule/list", {
  summary: "The user's report schedules, with the time of the next report and the result of the last",
  right: "reports",
  reads: true,
  input: z.object({}),
  output: z.object({ list: z.array(Schedule) }),
  errors: [],
  async run(_, { db, principal }) {
    return { list: (await selectSchedules(db, principal)).map(toSchedule) };
  },
});

/** The target of links in mails: the token replaces a session. */
export const fetchReport = operation("/report/mailed/fetch", {
  summary: "The file of a scheduled report, by its mailed address; needs no hash",
  accepts: ANYONE,
  reads: true,
  reply: ["file"],
  input: z.object({ report: z.int(), token: z.string().max(64) }),
  output: z.object({}),
  errors: [15, 204, 267],
  async run({ report, token }, { db, env, clock }) {
    const since = clock.now() - Number(env.MAILED_HOURS) * HOUR_MS;
    const row = await requireMailed(db, report, token, since);
    await requireReadable(row, env);
    const { format, zip } = row.mail ?? { format: "pdf" as const, zip: false };
    // The gateway does not know the account: the call has no hash.
    const turns = { acquire: () => env.TURNS.acquireFor(row.account_id) };
    return runInTurn(turns, async () => {
      const { body, name, type } = await renderFile(row, { format, headless: false, zip }, env);
      return new Response(body, { headers: downloadHeaders(name, type) });
    });
  },
});

export const operations = [createSchedule, updateSchedule, deleteSchedule, listSchedules, fetchReport];

/** 204 unless its user may log in and sees the trackers of the report, as if the user read it. */
async function requireReadable({ user_id, trackers }: ReportRow, { USERS }: ReportsEnv) {
  const reader = (await USERS.principalsOf([user_id]))[user_id];
  if (!reader || reader === "closed") throw new ApiError(204);
  const { scope } = reader;
  if (scope !== "all" && !trackers.every((id) => scope.includes(id))) throw new ApiError(204);
}

type CheckOptions = { env: ReportsEnv; principal: Principal; now: number };

/** Checks that the report could be made today: 217, 222 and 236 as for a report, 211 for a period that is too long. */
async function requireReport(
  parameters: z.output<typeof NewSchedule>["parameters"],
  { env, principal, now }: CheckOptions,
): Promise<ScheduleParameters> {
  const { period, report } = parameters;
  const { time_zone } = principal;
  const { plugin, parameters: requested } = requirePlugin(report.plugin);
  requireSpan(rangeBefore(toDay(now, time_zone), period, time_zone), env.MAX_SPANS, "reports", time_zone);
  // A plugin limited to some hours accepts a day, even one of 25 hours.
  if (plugin.maxHours !== undefined && period !== "1d")
    throw new ApiError(211, { max_time_span: `PT${plugin.maxHours}H` });
  const subjects = await requireSubjects(report, plugin, { env, principal });
  return { ...parameters, report: { ...report, ...subjects, plugin: requested } };
}

function toPluginError(parameter: string, value: unknown) {
  return parameter.endsWith("report.plugin.plugin_id") && Number.isInteger(value) ? (222 as const) : undefined;
}

function isSameTime(one: ScheduleParameters, other: ScheduleParameters) {
  return one.sending_time === other.sending_time && JSON.stringify(one.schedule) === JSON.stringify(other.schedule);
}
