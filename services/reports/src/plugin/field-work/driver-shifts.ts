import * as z from "zod";
import type { DriverShift } from "#shared/contract/report-source.ts";
import { SECONDS, TABS } from "../../definition/parameters.ts";
import { plugin } from "../../definition/plugin.ts";
import { sourceOfAll, sourceOfRecord } from "../../layout/source.ts";
import { byDay, createTable, defineFields } from "../../layout/table.ts";
import { addAreasToRecords } from "../../series/areas.ts";

export const driverShifts = plugin({
  id: 66,
  title: ["Driver shift change", "Fahrerwechsel"],
  parameters: z.object({ ...SECONDS, ...TABS }),
  async reportTracker(data, _, writer) {
    const { words } = writer;
    // The driver at the beginning of the range is not a change within it.
    const changes = (await data.drivers()).filter(({ time }) => time > data.from && data.isWithin(time));
    const items = (await addAreasToRecords(data, changes)).map((shift) => ({ ...shift, start_time: shift.time }));
    const fields = defineFields<DriverShiftRow>();
    const nobody = words("No driver", "Kein Fahrer");
    const sections = createTable(
      {
        header: words("Driver changes", "Fahrerwechsel"),
        fields: [
          fields.text("time", words("Time", "Zeit"), ({ time }) => writer.moment(time)),
          fields.text(
            "before",
            words("Previous driver", "Bisheriger Fahrer"),
            ({ before }) => writer.text(before || nobody),
            3,
          ),
          fields.text("driver", words("New driver", "Neuer Fahrer"), ({ driver }) => writer.text(driver || nobody), 3),
          fields.text(
            "address",
            words("Address", "Adresse"),
            ({ location }) => (location ? writer.address(location) : writer.text("")),
            4,
          ),
        ],
        items,
        grouping: byDay<DriverShiftRow>(writer),
        sourceOf: sourceOfRecord,
      },
      writer,
    );
    const evidence = sourceOfAll(items.map(sourceOfRecord), data);
    const summary = [writer.named.count(words("Driver changes", "Fahrerwechsel"), items.length, evidence)];
    return { sections, summary, is_empty: items.length === 0 };
  },
});

type DriverShiftRow = DriverShift & { start_time: number };
