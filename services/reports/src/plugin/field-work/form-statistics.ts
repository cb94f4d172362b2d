import * as z from "zod";
import type { FilledField, FilledForm } from "#shared/contract/report-source.ts";
import { SECONDS, TABS } from "../../definition/parameters.ts";
import { plugin } from "../../definition/plugin.ts";
import type { Source } from "../../layout/sheet.ts";
import { sourceOf, sourceOfAll } from "../../layout/source.ts";
import { byName, createTable, defineFields } from "../../layout/table.ts";

export const formStatistics = plugin({
  id: 70,
  title: ["Form completion statistics", "Auswertung von Formularen"],
  parameters: z.object({
    ...{ ...SECONDS, ...TABS },
    /** Includes options that were never chosen. */
    show_nonselected: z.boolean().default(false),
  }),
  async reportTracker(data, { show_nonselected }, writer) {
    const { words } = writer;
    const counts = new Map<string, Count>();
    let forms = 0;
    let evidence: Source | undefined;
    for await (const page of data.forms()) {
      forms += page.length;
      evidence = sourceOfAll([...(evidence ? [evidence] : []), ...page.map(sourceOfForm)], data);
      for (const form of page) for (const field of form.fields) count(counts, form, field);
    }
    const items = [...counts.values()].filter(({ times }) => show_nonselected || times > 0);
    const fields = defineFields<Count>();
    const sections = createTable(
      {
        header: words("Values of fields", "Werte der Felder"),
        fields: [
          fields.text("field", words("Field", "Feld"), ({ field }) => writer.text(field), 3),
          fields.text(
            "value",
            words("Value", "Wert"),
            ({ value }) => writer.text(value || words("Filled in", "Ausgefüllt")),
            3,
          ),
          fields.sum("times", words("Times", "Male"), writer.number, ({ times }) => times),
          fields.value("share", words("Share", "Anteil"), ({ times, forms }) =>
            writer.percent(times / Math.max(1, forms)),
          ),
        ],
        items,
        grouping: byName<Count>(({ form }) => form),
        sourceOf: ({ from, to, form_ids }) => sourceOf({ record_ids: form_ids, from, to }),
      },
      writer,
    );
    const summary = [writer.named.count(words("Forms", "Formulare"), forms, evidence ?? sourceOfAll([], data))];
    return { sections, summary, is_empty: forms === 0 };
  },
});

type SubmittedForm = FilledForm & { id: number; time: number };

function sourceOfForm({ id, time }: SubmittedForm) {
  return sourceOf({ record_ids: [id], from: time });
}

/** How often an option was chosen, or a field without options was filled in, among `forms` forms. */
type Count = {
  form: string;
  field: string;
  value: string;
  times: number;
  forms: number;
  from: number;
  to: number;
  form_ids: number[];
};

function count(
  counts: Map<string, Count>,
  { id, time, template_id, label: form }: SubmittedForm,
  { label: field, ...filled }: FilledField,
) {
  const { options, chosen, value } = filled;
  const add = (option: string, isChosen: boolean) => {
    const key = JSON.stringify([template_id, field, option]);
    const known = counts.get(key) ?? {
      form,
      field,
      value: option,
      times: 0,
      forms: 0,
      from: time,
      to: time,
      form_ids: [],
    };
    if (counts.size < MAX_COUNTS || counts.has(key)) counts.set(key, known);
    known.forms++;
    known.to = time;
    // Forms without this option are not its evidence.
    if (isChosen && known.form_ids.length < MAX_FORM_IDS) known.form_ids.push(id);
    if (isChosen) known.times++;
  };
  if (options.length === 0) add("", value !== "");
  else for (const [index, option] of options.entries()) add(option, chosen.includes(index));
}

const MAX_COUNTS = 20_000;
const MAX_FORM_IDS = 100;
