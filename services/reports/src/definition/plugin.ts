import type { z } from "zod";
import type { Chart } from "../layout/chart.ts";
import type { NamedValue, Section } from "../layout/sheet.ts";
import type { Writer } from "../layout/writer.ts";
import type { TrackerData } from "./tracker-data.ts";

/** The part of a report about one tracker, and its line in the summary. */
export type SubjectReport = {
  sections: Section[];
  summary: NamedValue[];
  is_empty: boolean;
  /** For files that can show them: there is no form of them in JSON. */
  charts?: Chart[];
};

/** A kind of report: its parameters as they are declared, and what it makes of a tracker. */
export type Plugin<Parameters extends z.ZodObject = z.ZodObject> = {
  id: number;
  title: [english: string, german: string];
  parameters: Parameters;
  /** Hours, where it takes shorter ranges than others. */
  maxHours?: number;
  reportTracker(data: TrackerData, parameters: z.output<Parameters>, writer: Writer): Promise<SubjectReport>;
  /** One that has this is about employees instead of trackers: of all trackers that one of them was on. */
  reportEmployee?(drives: EmployeeDrives, parameters: z.output<Parameters>, writer: Writer): Promise<SubjectReport>;
};

/** Of a range. */
export type EmployeeDrives = { from: number; to: number; rides: TrackerRide[] };
/** A tracker, and at which moments the employee was on it. */
export type TrackerRide = { data: TrackerData; isOn(ms: number): boolean };

/** Keeps a plugin's own parameters while it is made, and forgets them for the list of all. */
export function plugin<Parameters extends z.ZodObject>(made: Plugin<Parameters>): Plugin {
  return made as unknown as Plugin;
}
