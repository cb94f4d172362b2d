import * as z from "zod";
import type { ReportTask } from "#shared/contract/report-source.ts";
import { SECONDS, TABS } from "../../definition/parameters.ts";
import { plugin } from "../../definition/plugin.ts";
import { sourceOfAll, sourceOfRecord } from "../../layout/source.ts";
import { byDay, createTable, defineFields, summaryTable } from "../../layout/table.ts";
import type { Writer } from "../../layout/writer.ts";
import { areaFields, collectRecords, formText, type RecordRow } from "./records.ts";

export const tasks = plugin({
  id: 42,
  title: ["Tasks", "Aufträge"],
  parameters: z.object({
    ...{ ...SECONDS, ...TABS },
    show_external_id: z.boolean().default(false),
    show_description: z.boolean().default(false),
    show_forms: z.boolean().default(false),
    /** Adds the visible areas that the task's position is in today. */
    show_places_and_zones: z.boolean().default(false),
  }),
  async reportTracker(data, options, writer) {
    const { words } = writer;
    const { items, note } = await collectRecords(
      data.tasks(),
      { data, showsAreas: options.show_places_and_zones },
      writer,
    );
    const table = createTable(
      {
        header: words("Tasks", "Aufträge"),
        fields: fieldsFor(options, writer),
        items,
        grouping: byDay<TaskRow>(writer),
        sourceOf: sourceOfTask,
      },
      writer,
    );
    const byStatus = [...Map.groupBy(items, ({ status }) => status)];
    const count = (name: string, all: TaskRow[]) =>
      writer.named.count(name, all.length, sourceOfAll(all.map(sourceOfTask), data));
    const summary = [
      count(words("Tasks", "Aufträge"), items),
      ...byStatus.map(([status, all]) => count(words(...statusOf(status)), all)),
    ];
    return { sections: [...table, ...note, summaryTable(summary, writer)], summary, is_empty: items.length === 0 };
  },
});

type TaskRow = RecordRow<ReportTask>;

function sourceOfTask({ id, time, to, location }: TaskRow) {
  return { ...sourceOfRecord({ id, time, location }), to };
}

type TaskOptions = Record<"show_external_id" | "show_description" | "show_forms" | "show_places_and_zones", boolean>;

function fieldsFor(options: TaskOptions, { words, ...writer }: Writer) {
  const fields = defineFields<TaskRow>();
  const { show_external_id, show_description, show_forms } = options;
  const moment = (ms: number | null) => (ms === null ? writer.text("") : writer.moment(ms));
  return [
    fields.text("label", words("Task", "Auftrag"), ({ label }) => writer.text(label), 3),
    fields.text("status", words("Status", "Stand"), ({ status }) => writer.text(words(...statusOf(status))), 1),
    fields.text("from", words("From", "Von"), ({ time }) => writer.moment(time)),
    fields.text("to", words("To", "Bis"), ({ to }) => writer.moment(to)),
    fields.text("arrived", words("Arrival", "Ankunft"), ({ arrived }) => moment(arrived)),
    fields.sum("stay", words("Stay", "Aufenthalt"), writer.duration, ({ stay_seconds }) => stay_seconds * 1000),
    fields.text(
      "address",
      words("Address", "Adresse"),
      (task) => (task.location ? writer.address(task.location) : writer.text("")),
      4,
    ),
    ...areaFields<ReportTask>(options.show_places_and_zones, { words, ...writer }),
    ...(show_external_id
      ? [fields.text("external_id", words("External id", "Externe Kennung"), (task) => writer.text(task.external_id))]
      : []),
    ...(show_description
      ? [fields.text("description", words("Description", "Beschreibung"), (task) => writer.text(task.description), 4)]
      : []),
    ...(show_forms
      ? [fields.text("form", words("Form", "Formular"), ({ form }) => writer.text(formText(form)), 4)]
      : []),
  ];
}

function statusOf(status: string): [english: string, german: string] {
  return STATUSES[status] ?? [status, status];
}

const STATUSES: Record<string, [english: string, german: string]> = {
  unassigned: ["Unassigned", "Nicht zugewiesen"],
  assigned: ["Assigned", "Zugewiesen"],
  done: ["Done", "Erledigt"],
  failed: ["Failed", "Gescheitert"],
  delayed: ["Done late", "Verspätet erledigt"],
  arrived: ["Arrived", "Angekommen"],
  faulty: ["Done with faults", "Fehlerhaft erledigt"],
};
