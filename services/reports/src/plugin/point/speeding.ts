import * as z from "zod";
import { MINUTE_MS } from "#shared/time/duration.ts";
import { FILTER, GROUPED, SECONDS, TABS } from "../../definition/parameters.ts";
import { plugin } from "../../definition/plugin.ts";
import { sourceOfAll } from "../../layout/source.ts";
import { byDay, byName, createTable, defineFields, maxOf, sumOf } from "../../layout/table.ts";
import type { Writer } from "../../layout/writer.ts";
import { createDriverLookup } from "../../series/drivers.ts";
import { sourceOfViolation, type Violation, violationsOf } from "../../series/violations.ts";

export const speeding = plugin({
  id: 27,
  title: ["Speed violations", "Geschwindigkeitsverstöße"],
  parameters: z.object({
    ...{ ...SECONDS, ...TABS, ...FILTER, ...GROUPED },
    /** km/h. */
    max_speed: z.int().min(1).max(400),
    /** A violation must last longer than this. */
    min_duration_minutes: z.int().min(0).max(1440).default(0),
  }),
  async reportTracker(data, { max_speed, min_duration_minutes, group_by_driver, filter }, writer) {
    const { words } = writer;
    const drivers = group_by_driver ? createDriverLookup(await data.drivers(), writer) : () => "";
    const short = filter ? (await data.allTrips()).filter(({ is_short }) => is_short) : [];
    const long = (await violationsOf(data, max_speed)).filter(
      ({ start_time, end_time }) =>
        end_time - start_time > min_duration_minutes * MINUTE_MS &&
        !short.some((trip) => trip.start_time <= start_time && end_time <= trip.end_time),
    );
    const names = await data.names(long.map(({ peak }) => peak));
    const shown = long.map(
      (violation, index): ViolationRow => ({
        ...violation,
        place: { lat: violation.peak.lat, lng: violation.peak.lng, address: names[index]?.address ?? "" },
        driver: drivers(violation.start_time),
      }),
    );
    const sections = createTable(
      {
        header: words("Speed violations", "Geschwindigkeitsverstöße"),
        fields: fieldsFor(writer),
        items: shown,
        grouping: group_by_driver ? byName<ViolationRow>(({ driver }) => driver) : byDay<ViolationRow>(writer),
        sourceOf: sourceOfViolation,
      },
      writer,
    );
    const evidence = sourceOfAll(shown.map(sourceOfViolation), data);
    const fastest = maxOf(shown, ({ peak }) => peak.speed);
    const summary = [
      writer.named.count(words("Violations", "Verstöße"), shown.length, evidence),
      writer.named.speed(words("Max. speed", "Höchstgeschwindigkeit"), fastest, evidence),
    ];
    return { sections, summary, is_empty: shown.length === 0 };
  },
});

type ViolationRow = Violation & { place: { lat: number; lng: number; address: string }; driver: string };

function fieldsFor({ words, speedTitle, ...writer }: Writer) {
  const fields = defineFields<ViolationRow>();
  const average = (all: ViolationRow[]) =>
    writer.speed(
      sumOf(all, ({ speeds }) => speeds) /
        Math.max(
          1,
          sumOf(all, ({ points }) => points),
        ),
    );
  return [
    fields.text("start", words("Start", "Beginn"), ({ start_time, place: { lat, lng } }) => ({
      ...writer.moment(start_time),
      location: { lat, lng },
    })),
    fields.sum("duration", words("Duration", "Dauer"), writer.duration, (one) => one.end_time - one.start_time),
    fields.value("avg_speed", speedTitle(words("Average speed", "Durchschnitt")), (one) => average([one]), average),
    fields.most(
      "max_speed",
      speedTitle(words("Max. speed", "Höchstgeschwindigkeit")),
      writer.speed,
      ({ peak }) => peak.speed,
    ),
    fields.text(
      "address",
      words("Address of the peak", "Ort des Höchstwerts"),
      ({ place }) => writer.address(place),
      4,
    ),
  ];
}
