import type * as z from "zod";
import type { ReportPluginId } from "#shared/contract/report-plugin.ts";
import type { Chart } from "../layout/chart.ts";
import type { NamedValue, Section } from "../layout/sheet.ts";
import type { Writer } from "../layout/writer.ts";
import type { TrackerData } from "./tracker-data.ts";

/** The report of a plugin about one subject (a tracker or an employee), and the subject's lines in the summary. */
export type SubjectReport = {
  sections: Section[];
  summary: NamedValue[];
  is_empty: boolean;
  /** Only for files that can draw; JSON answers have no charts. */
  charts?: Chart[];
};

/** A kind of report: its declared parameters, and how it reports a tracker or an employee. */
export type Plugin<Parameters extends z.ZodObject = z.ZodObject> = {
  id: ReportPluginId;
  title: [english: string, german: string];
  parameters: Parameters;
  /** The longest time range in hours, if it is shorter than the general one. */
  maxHours?: number;
  reportTracker(data: TrackerData, parameters: z.output<Parameters>, writer: Writer): Promise<SubjectReport>;
  /** A plugin with this method reports employees instead of trackers, from all trackers that the employee was on. */
  reportEmployee?(drives: EmployeeDrives, parameters: z.output<Parameters>, writer: Writer): Promise<SubjectReport>;
};

/** The trackers that an employee was on within the range. */
export type EmployeeDrives = { from: number; to: number; rides: TrackerRide[] };
/** A tracker, and the moments at which the employee was on it. */
export type TrackerRide = { data: TrackerData; isOn(ms: number): boolean };

/** Checks a plugin against its own parameters, then hides their type, so that all plugins fit one list. */
export function plugin<Parameters extends z.ZodObject>(declaration: Plugin<Parameters>): Plugin {
  return declaration as unknown as Plugin;
}
