import { z } from "zod";
import type { ReportPoint } from "#shared/contract/report-source.ts";
import { byDay } from "../layout/days.ts";
import { column } from "../layout/writer.ts";
import { FILTER, SECONDS, TABS } from "./parameters.ts";
import { plugin, type TrackerData } from "./plugin.ts";

export const speeding = plugin({
  id: 27,
  title: ["Speed violations", "Geschwindigkeitsverstöße"],
  parameters: z.object({
    ...{ ...SECONDS, ...TABS, ...FILTER },
    /** km/h. */
    max_speed: z.int().min(1).max(400),
    min_duration_minutes: z.int().min(0).max(1440).default(0),
  }),
  async partOf(data, { max_speed, min_duration_minutes }, writer) {
    const { words, speedTitle } = writer;
    const all = await violationsOf(data, max_speed);
    const shown = all.filter(({ start_time, end_time }) => end_time - start_time > min_duration_minutes * 60_000);
    const table = {
      type: "table" as const,
      header: words("Speed violations", "Geschwindigkeitsverstöße"),
      column_groups: [] as [],
      columns: [
        column("start", words("Start", "Beginn"), { isText: true, width: 3 }),
        column("duration", words("Duration", "Dauer")),
        column("avg_speed", speedTitle(words("Average speed", "Durchschnitt"))),
        column("max_speed", speedTitle(words("Max. speed", "Höchstgeschwindigkeit"))),
      ],
      data: byDay(shown, writer, {
        row: ({ start_time, end_time, speeds, points, peak }) => ({
          start: { ...writer.moment(start_time), location: { lat: peak.lat, lng: peak.lng } },
          duration: writer.duration(end_time - start_time),
          avg_speed: writer.speed(speeds / points),
          max_speed: writer.speed(peak.speed),
        }),
      }),
    };
    const summary = [
      writer.named.count(words("Violations", "Verstöße"), shown.length),
      writer.named.speed(words("Max. speed", "Höchstgeschwindigkeit"), Math.max(0, ...fastestOf(shown))),
    ];
    return { sections: [table], summary, is_empty: shown.length === 0 };
  },
});

type Violation = { start_time: number; end_time: number; speeds: number; points: number; peak: ReportPoint };

/** Points in a row above the limit; a silence ends one. */
async function violationsOf(data: TrackerData, most: number): Promise<Violation[]> {
  const violations: Violation[] = [];
  let open: Violation | undefined;
  for await (const page of data.points()) {
    for (const point of page) {
      if (open && point.time - open.end_time > SILENCE_MS) open = undefined;
      if (point.speed <= most) {
        open = undefined;
        continue;
      }
      if (!open) {
        open = begun(point);
        violations.push(open);
      }
      open.end_time = point.time;
      open.speeds += point.speed;
      open.points++;
      if (point.speed > open.peak.speed) open.peak = point;
    }
  }
  return violations;
}

function begun(point: ReportPoint): Violation {
  return { start_time: point.time, end_time: point.time, speeds: 0, points: 0, peak: point };
}

function* fastestOf(violations: Violation[]) {
  for (const { peak } of violations) yield peak.speed;
}

const SILENCE_MS = 30 * 60_000;
