import * as z from "zod";
import type { ReportCheckin } from "#shared/contract/report-source.ts";
import { COORDINATES, SECONDS, TABS } from "../../definition/parameters.ts";
import { plugin } from "../../definition/plugin.ts";
import { sourceOfAll, sourceOfRecord } from "../../layout/source.ts";
import { byDay, createTable, defineFields } from "../../layout/table.ts";
import type { Writer } from "../../layout/writer.ts";
import { appendCoordinates } from "../../series/trips.ts";
import { areaFields, collectRecords, formText, type RecordRow } from "./records.ts";

export const checkins = plugin({
  id: 80,
  title: ["Check-ins", "Check-ins"],
  parameters: z.object({
    ...{ ...SECONDS, ...TABS, ...COORDINATES },
    /** Adds the visible areas that the check-in's position is in today. */
    show_places_and_zones: z.boolean().default(false),
    show_forms: z.boolean().default(false),
  }),
  async reportTracker(data, options, writer) {
    const { items, note } = await collectRecords(
      data.checkins(),
      { data, showsAreas: options.show_places_and_zones },
      writer,
    );
    const table = createTable(
      {
        header: "Check-ins",
        fields: fieldsFor(options, writer),
        items,
        grouping: byDay<CheckinRow>(writer),
        sourceOf: sourceOfRecord,
      },
      writer,
    );
    const evidence = sourceOfAll(items.map(sourceOfRecord), data);
    const summary = [writer.named.count("Check-ins", items.length, evidence)];
    return { sections: [...table, ...note], summary, is_empty: items.length === 0 };
  },
});

type CheckinRow = RecordRow<ReportCheckin>;
type CheckinOptions = Record<"show_coordinates" | "show_forms" | "show_places_and_zones", boolean>;

function fieldsFor(options: CheckinOptions, { words, ...writer }: Writer) {
  const fields = defineFields<CheckinRow>();
  const { show_coordinates, show_forms } = options;
  return [
    fields.text("time", words("Time", "Zeit"), ({ time }) => writer.moment(time)),
    fields.text("employee", words("Employee", "Mitarbeiter"), ({ employee }) => writer.text(employee)),
    fields.text(
      "address",
      words("Address", "Adresse"),
      ({ location }) => writer.address(appendCoordinates(location, show_coordinates)),
      4,
    ),
    ...areaFields<ReportCheckin>(options.show_places_and_zones, { words, ...writer }),
    fields.text("comment", words("Comment", "Kommentar"), ({ comment }) => writer.text(comment), 3),
    fields.sum("files", words("Files", "Dateien"), writer.number, ({ files }) => files),
    ...(show_forms
      ? [fields.text("form", words("Form", "Formular"), ({ form }) => writer.text(formText(form)), 4)]
      : []),
  ];
}
