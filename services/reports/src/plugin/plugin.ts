import type { z } from "zod";
import type { ReportPoint, ReportTrip } from "#shared/contract/report-source.ts";
import type { NamedValue, Section } from "../layout/sheet.ts";
import type { Writer } from "../layout/writer.ts";

/** What a plugin reads of one tracker; all of it within the range, the stored period and the filter of times. */
export type TrackerData = {
  from: number;
  to: number;
  /** Those that begin within. */
  trips(): Promise<ReportTrip[]>;
  points(): AsyncGenerator<ReportPoint[]>;
  isWithin(ms: number): boolean;
};

/** The part of a report about one tracker, and its line in the summary. */
export type Part = { sections: Section[]; summary: NamedValue[]; is_empty: boolean };

/** A kind of report: its parameters as they are declared, and what it makes of a tracker. */
export type Plugin<Parameters extends z.ZodObject = z.ZodObject> = {
  id: number;
  title: [english: string, german: string];
  parameters: Parameters;
  /** Hours, where it takes shorter ranges than others. */
  longest_hours?: number;
  partOf(data: TrackerData, parameters: z.output<Parameters>, writer: Writer): Promise<Part>;
};

/** Keeps a plugin's own parameters while it is made, and forgets them for the list of all. */
export function plugin<Parameters extends z.ZodObject>(made: Plugin<Parameters>): Plugin {
  return made as unknown as Plugin;
}
