import * as z from "zod";
import type { ReportTrip } from "#shared/contract/report-source.ts";
import { FILTER, SECONDS, SUMMARY, TABS } from "../../definition/parameters.ts";
import { plugin } from "../../definition/plugin.ts";
import type { TrackerData, TrackPoint } from "../../definition/tracker-data.ts";
import { sourceOf, sourceOfAll } from "../../layout/source.ts";
import { byName, createTable, defineFields, summaryTable, sumOf } from "../../layout/table.ts";
import { Movement } from "../../series/on-intervals.ts";
import { withoutShort } from "../../series/trips.ts";

export const regions = plugin({
  id: 73,
  title: ["Trips by state", "Fahrten nach Regionen"],
  parameters: z.object({
    ...{ ...SECONDS, ...TABS, ...SUMMARY, ...FILTER },
    group_type: z.enum(["province", "country"]).default("province"),
  }),
  async reportTracker(data, { filter, group_type }, writer) {
    const { words, named } = writer;
    const days = await waysOf(data, withoutShort(await data.allTrips(), filter), { group_type, dayOf: writer.dayOf });
    const fields = defineFields<Way>();
    const unknown = words("Unknown", "Unbekannt");
    const kilometers = ({ meters }: Way) => meters / 1000;
    const table = createTable(
      {
        header: words("By regions", "Nach Regionen"),
        fields: [
          fields.text("day", words("Day", "Tag"), ({ start_time }) => writer.day(start_time)),
          fields.sum("mileage", writer.distanceTitle(words("Mileage", "Strecke")), writer.distance, kilometers),
          fields.sum("time", words("Travel time", "Fahrtdauer"), writer.duration, ({ driven_ms }) => driven_ms),
        ],
        items: days,
        grouping: byName<Way>(({ region }) => region || unknown),
        sourceOf: sourceOfWay,
      },
      writer,
    );
    const summary = [...Map.groupBy(days, ({ region }) => region || unknown)].map(([region, all]) =>
      named.distance(region, sumOf(all, kilometers), sourceOfAll(all.map(sourceOfWay), data)),
    );
    return { sections: [...table, summaryTable(summary, writer)], summary, is_empty: days.length === 0 };
  },
});

/** The driving within a region on one day. */
type Way = {
  region: string;
  start_time: number;
  end_time: number;
  meters: number;
  driven_ms: number;
  points: number;
  /** The first and the last point. */
  ends: [TrackPoint, TrackPoint];
};

function sourceOfWay({ start_time, end_time, points, ends }: Way) {
  return sourceOf({ from: start_time, to: end_time, point_count: points, points: ends });
}

type RegionOptions = { group_type: "province" | "country"; dayOf(ms: number): string };

/** A step counts for the region in which it ends. Regions are looked up for squares of about two kilometers. */
async function waysOf(data: TrackerData, trips: ReportTrip[], { group_type, dayOf }: RegionOptions): Promise<Way[]> {
  const moving = new Movement(trips);
  const known = new Map<string, string>();
  const ways = new Map<string, Way>();
  for await (const page of data.points()) {
    const driven = page.flatMap((point) => {
      const driven_ms = point.follows ? moving.msWithin(point.time - point.step_ms, point.time) : 0;
      return driven_ms > 0 ? { point, driven_ms } : [];
    });
    await findRegions(
      data,
      driven.map(({ point }) => point),
      known,
      group_type,
    );
    for (const { point, driven_ms } of driven) {
      const region = known.get(squareOf(point)) ?? "";
      const key = JSON.stringify([region, dayOf(point.time)]);
      const way = ways.get(key) ?? beginWay(region, point);
      ways.set(key, way);
      way.end_time = point.time;
      way.points++;
      way.ends[1] = point;
      way.meters += point.step_meters;
      way.driven_ms += driven_ms;
    }
  }
  return [...ways.values()];
}

function beginWay(region: string, point: TrackPoint): Way {
  const { time } = point;
  return { region, start_time: time, end_time: time, meters: 0, driven_ms: 0, points: 0, ends: [point, point] };
}

async function findRegions(
  data: TrackerData,
  points: TrackPoint[],
  known: Map<string, string>,
  type: RegionOptions["group_type"],
) {
  // Bounds the memory: squares are looked up again after this.
  if (known.size > MAX_KNOWN_SQUARES) known.clear();
  const fresh = new Map(points.filter((point) => !known.has(squareOf(point))).map((point) => [squareOf(point), point]));
  if (fresh.size === 0) return;
  const names = await data.names([...fresh.values()].map(({ lat, lng }) => ({ lat, lng })));
  for (const [index, square] of [...fresh.keys()].entries()) known.set(square, names[index]?.[type] ?? "");
}

function squareOf({ lat, lng }: TrackPoint) {
  return `${Math.round(lat * 50)},${Math.round(lng * 50)}`;
}

const MAX_KNOWN_SQUARES = 50_000;
