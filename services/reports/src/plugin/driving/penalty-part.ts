import type { Part } from "../../definition/plugin.ts";
import { sourceOf } from "../../layout/source.ts";
import { byDay, fieldsOf, summaryTable, sumOf, tableOf } from "../../layout/table.ts";
import type { Writer } from "../../layout/writer.ts";
import type { Judged, Kind, Offence } from "./penalties.ts";

/** What drives come to in penalties. */
export function penaltyPart({ offences, meters }: Judged, writer: Writer): Part {
  const { words, named } = writer;
  const table = tableOf(
    {
      header: words("Penalties", "Strafpunkte"),
      fields: fieldsFor(writer),
      items: offences,
      grouping: byDay<Offence>(writer),
      sourceOf: ({ start_time, end_time, lat, lng, points }) => {
        return sourceOf({
          ...{ from: start_time, to: end_time, point_count: points, points: [{ time: start_time, lat, lng }] },
        });
      },
    },
    writer,
  );
  const total = sumOf(offences, penaltyOf);
  const of = (kind: Kind) =>
    sumOf(
      offences.filter((one) => one.kind === kind),
      penaltyOf,
    );
  const kilometers = meters / 1000;
  const summary = [
    named.count(words("Penalties", "Strafpunkte"), total),
    named.measured(
      words("Penalties per 100 km", "Strafpunkte auf 100 km"),
      kilometers > 0 ? (total / kilometers) * 100 : 0,
    ),
    ...KINDS.map((kind) => named.count(words(...NAMES[kind]), of(kind))),
    named.distance(words("Mileage", "Strecke"), kilometers),
  ];
  return { sections: [...table, summaryTable(summary, writer)], summary, is_empty: meters === 0 };
}

function fieldsFor({ words, ...writer }: Writer) {
  const fields = fieldsOf<Offence>();
  return [
    fields.text("time", words("Time", "Zeit"), ({ start_time, lat, lng }) => ({
      ...writer.moment(start_time),
      location: { lat, lng },
    })),
    fields.text("type", words("Type", "Art"), ({ kind }) => writer.text(words(...NAMES[kind]))),
    fields.text("detail", words("Detail", "Näheres"), ({ detail }) => writer.text(detail)),
    fields.sum("duration", words("Duration", "Dauer"), writer.duration, (one) => one.end_time - one.start_time),
    fields.sum("penalty", words("Penalty", "Strafpunkte"), writer.number, penaltyOf),
  ];
}

function penaltyOf({ penalty }: Offence) {
  return penalty;
}

const KINDS = ["speeding", "harsh", "idling"] as const;
const NAMES: Record<Kind, [english: string, german: string]> = {
  speeding: ["Speeding", "Zu schnell"],
  harsh: ["Harsh driving", "Ruckartiges Fahren"],
  idling: ["Idling", "Leerlauf"],
};
