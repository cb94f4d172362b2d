import * as z from "zod";
import { agentTool, cursor, localTime, trackerIds } from "./agent-tool.ts";
import { offsetOf, toAnswerPage } from "./answer-page.ts";

export const runReport = agentTool("run_report", {
  description:
    "Starts a report about trackers; answers its id for read_report. `plugin_id`: 4 trips, 6 stops, 77 shifts, 7 engine hours, 27 speeding, 11 events, 10 fuel, 8 zone visits, 85 place visits, 46 eco driving, 42 tasks, 80 check-ins, 66 shifts of drivers. `options` as in /report/tracker/generate.",
  input: z.object({
    plugin_id: z.int(),
    tracker_ids: trackerIds(),
    from: localTime(),
    to: localTime(),
    title: z.string().max(255).optional(),
    options: z.record(z.string(), z.unknown()).optional(),
  }),
  async run({ plugin_id, tracker_ids, from, to, title, options }, caller) {
    const order = { title, trackers: tracker_ids, from, to, plugin: { ...options, plugin_id } };
    const { id } = await caller.read("/report/tracker/generate", order, z.object({ id: z.int() }));
    return { report_id: id };
  },
});

export const readReport = agentTool("read_report", {
  description: "The lines of a report, or how much of it is ready. Tables are lines of cells below their titles.",
  input: z.object({ report_id: z.int(), cursor: cursor() }),
  async run({ report_id, cursor }, caller) {
    const { percent_ready } = await caller.read("/report/tracker/status", { report_id }, Progress);
    if (percent_ready < 100) return { percent_ready };
    const { report } = await caller.read("/report/tracker/retrieve", { report_id }, Report);
    const offset = offsetOf(cursor);
    const lines = report.sheets.flatMap(({ header, sections }) => [[header], ...sections.flatMap(linesOf)]);
    const { title, from, to } = report;
    return { ...(offset === 0 ? { title, from, to } : {}), ...toAnswerPage(lines.slice(offset), offset, false) };
  },
});

/** The texts of a section, a list of cells a line. */
function linesOf(section: z.output<typeof Section>): string[][] {
  if (section.type === "text") return [[section.text]];
  if (section.type === "map_table") return [[section.header], ...section.rows.map(({ name, v }) => [name, v])];
  const { header, columns, data } = section;
  const groups = data.flatMap((group) => [
    [group.header],
    ...group.rows.map((row) => columns.map(({ field }) => row[field]?.v ?? "")),
  ]);
  return [[header], columns.map(({ title }) => title), ...groups];
}

const Section = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("table"),
    header: z.string(),
    columns: z.array(z.object({ field: z.string(), title: z.string() })),
    data: z.array(z.object({ header: z.string(), rows: z.array(z.record(z.string(), z.object({ v: z.string() }))) })),
  }),
  z.object({
    type: z.literal("map_table"),
    header: z.string(),
    rows: z.array(z.object({ name: z.string(), v: z.string() })),
  }),
  z.object({ type: z.literal("text"), text: z.string() }),
]);
const Report = z.object({
  report: z.object({
    title: z.string(),
    from: z.string(),
    to: z.string(),
    sheets: z.array(z.object({ header: z.string(), sections: z.array(Section) })),
  }),
});
const Progress = z.object({ percent_ready: z.int() });
