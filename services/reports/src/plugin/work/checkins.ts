import { z } from "zod";
import type { ReportCheckin } from "#shared/contract/report-source.ts";
import { COORDINATES, SECONDS, TABS } from "../../definition/parameters.ts";
import { plugin } from "../../definition/plugin.ts";
import { sourceOfAll, sourceOfRecord } from "../../layout/source.ts";
import { byDay, fieldsOf, tableOf } from "../../layout/table.ts";
import type { Writer } from "../../layout/writer.ts";
import { located } from "../../series/trips.ts";
import { areaFields, formText, type Gathered, gathered } from "./gathered.ts";

export const checkins = plugin({
  id: 80,
  title: ["Check-ins", "Check-ins"],
  parameters: z.object({
    ...{ ...SECONDS, ...TABS, ...COORDINATES },
    /** What of the reader's they are in today. */
    show_places_and_zones: z.boolean().default(false),
    show_forms: z.boolean().default(false),
  }),
  async partOf(data, wishes, writer) {
    const { items, note } = await gathered(data.checkins(), { data, showsAreas: wishes.show_places_and_zones }, writer);
    const table = tableOf(
      {
        header: "Check-ins",
        fields: fieldsFor(wishes, writer),
        items,
        grouping: byDay<Shown>(writer),
        sourceOf: sourceOfRecord,
      },
      writer,
    );
    const made = sourceOfAll(items.map(sourceOfRecord), data);
    const summary = [writer.named.count("Check-ins", items.length, made)];
    return { sections: [...table, ...note], summary, is_empty: items.length === 0 };
  },
});

type Shown = Gathered<ReportCheckin>;
type Wishes = Record<"show_coordinates" | "show_forms" | "show_places_and_zones", boolean>;

function fieldsFor(wishes: Wishes, { words, ...writer }: Writer) {
  const fields = fieldsOf<Shown>();
  const { show_coordinates, show_forms } = wishes;
  return [
    fields.text("time", words("Time", "Zeit"), ({ time }) => writer.moment(time)),
    fields.text("employee", words("Employee", "Mitarbeiter"), ({ employee }) => writer.text(employee)),
    fields.text(
      "address",
      words("Address", "Adresse"),
      ({ location }) => writer.address(located(location, show_coordinates)),
      4,
    ),
    ...areaFields<ReportCheckin>(wishes.show_places_and_zones, { words, ...writer }),
    fields.text("comment", words("Comment", "Kommentar"), ({ comment }) => writer.text(comment), 3),
    fields.sum("files", words("Files", "Dateien"), writer.number, ({ files }) => files),
    ...(show_forms
      ? [fields.text("form", words("Form", "Formular"), ({ form }) => writer.text(formText(form)), 4)]
      : []),
  ];
}
