import type { SubjectReport } from "../../definition/plugin.ts";
import { sourceOf, sourceOfAll } from "../../layout/source.ts";
import { byDay, createTable, defineFields, summaryTable, sumOf } from "../../layout/table.ts";
import type { Writer } from "../../layout/writer.ts";
import type { DrivingResult, Kind, Offence } from "./penalties.ts";

/** The penalties of a drive as a table with a summary. */
export function createPenaltyReport(
  { offences, meters, ...way }: DrivingResult,
  range: Range,
  writer: Writer,
): SubjectReport {
  const { words, named } = writer;
  const table = createTable(
    {
      header: words("Penalties", "Strafpunkte"),
      fields: fieldsFor(writer),
      items: offences,
      grouping: byDay<Offence>(writer),
      sourceOf: sourceOfOffence,
    },
    writer,
  );
  const total = sumOf(offences, penaltyOf);
  const count = (name: string, all: Offence[]) =>
    named.count(name, sumOf(all, penaltyOf), sourceOfAll(all.map(sourceOfOffence), range));
  const driven = sourceOf({ from: range.from, to: range.to, point_count: way.points, points: way.ends });
  const kilometers = meters / 1000;
  const summary = [
    count(words("Penalties", "Strafpunkte"), offences),
    named.measured(
      words("Penalties per 100 km", "Strafpunkte auf 100 km"),
      kilometers > 0 ? (total / kilometers) * 100 : 0,
      driven,
    ),
    ...KINDS.map((kind) => {
      const own = offences.filter((one) => one.kind === kind);
      return count(words(...NAMES[kind]), own);
    }),
    named.distance(words("Mileage", "Strecke"), kilometers, driven),
  ];
  return { sections: [...table, summaryTable(summary, writer)], summary, is_empty: meters === 0 };
}

type Range = { from: number; to: number };

function sourceOfOffence({ start_time, end_time, lat, lng, points }: Offence) {
  return sourceOf({ from: start_time, to: end_time, point_count: points, points: [{ time: start_time, lat, lng }] });
}

function fieldsFor({ words, ...writer }: Writer) {
  const fields = defineFields<Offence>();
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
