import * as z from "zod";
import type { StatusShift } from "#shared/contract/report-source.ts";
import { SECONDS, TABS } from "../../definition/parameters.ts";
import { plugin } from "../../definition/plugin.ts";
import { sourceOfAll, sourceOfRecord } from "../../layout/source.ts";
import { byDay, createTable, defineFields, summaryTable, sumOf } from "../../layout/table.ts";
import { addAreasToRecords } from "../../series/areas.ts";

export const statuses = plugin({
  id: 47,
  title: ["Work statuses", "Arbeitsstatus"],
  parameters: z.object({ ...SECONDS, ...TABS }),
  async reportTracker(data, _, writer) {
    const { words } = writer;
    const shifts = await data.statuses();
    // The last status lasts until the end of the range, or until now if that is earlier.
    const end = Math.min(data.to, data.now);
    const found = shifts
      .map((shift, index): StatusRow => {
        const until = shifts[index + 1]?.time ?? end;
        return { ...shift, start_time: shift.time, lasted_ms: Math.max(0, until - shift.time) };
      })
      .filter(({ time }) => data.isWithin(time));
    const items = await addAreasToRecords(data, found);
    const fields = defineFields<StatusRow>();
    const none = words("None", "Keiner");
    const table = createTable(
      {
        header: words("Work statuses", "Arbeitsstatus"),
        fields: [
          fields.text("time", words("Time", "Zeit"), ({ time }) => writer.moment(time)),
          fields.text("before", words("Before", "Vorher"), ({ before }) => writer.text(before || none)),
          fields.text("status", words("Status", "Status"), ({ label }) => writer.text(label || none)),
          fields.sum("duration", words("Duration", "Dauer"), writer.duration, ({ lasted_ms }) => lasted_ms),
          fields.text(
            "address",
            words("Address", "Adresse"),
            ({ location }) => (location ? writer.address(location) : writer.text("")),
            4,
          ),
        ],
        items,
        grouping: byDay<StatusRow>(writer),
        sourceOf: sourceOfShift,
      },
      writer,
    );
    const summary = [...Map.groupBy(items, ({ label }) => label || none)].map(([label, all]) =>
      writer.named.duration(
        label,
        sumOf(all, ({ lasted_ms }) => lasted_ms),
        sourceOfAll(all.map(sourceOfShift), data),
      ),
    );
    return { sections: [...table, summaryTable(summary, writer)], summary, is_empty: items.length === 0 };
  },
});

type StatusRow = StatusShift & { start_time: number; lasted_ms: number };

function sourceOfShift({ id, time, lasted_ms, location }: StatusRow) {
  return { ...sourceOfRecord({ id, time, location }), to: time + lasted_ms };
}
