import * as z from "zod";
import { COORDINATES, FILTER, SECONDS, TABS } from "../../definition/parameters.ts";
import { plugin } from "../../definition/plugin.ts";
import { sourceOfAll } from "../../layout/source.ts";
import { byDay, createTable, defineFields, sumOf } from "../../layout/table.ts";
import { ignitionOf } from "../../series/ignition.ts";
import { findOnIntervals } from "../../series/on-intervals.ts";
import { appendCoordinates, sourceOfStop, stopsBetween, withoutShort } from "../../series/trips.ts";

export const stops = plugin({
  id: 6,
  title: ["Stops", "Halte"],
  parameters: z.object({ ...SECONDS, ...TABS, ...FILTER, ...COORDINATES }),
  async reportTracker(data, { filter, show_coordinates }, writer) {
    const { words } = writer;
    const between = stopsBetween(withoutShort(await data.allTrips(), filter));
    const found = between.filter(({ start_time }) => data.isWithin(start_time));
    const engine = found.length > 0 ? await findOnIntervals(data, ignitionOf(await data.equipment()), writer.zone) : [];
    const stops = withEngine(found, engine);
    const fields = defineFields<Halt>();
    const share = (all: Halt[]) => {
      const stopped = sumOf(all, lengthOf);
      return writer.percent(stopped > 0 ? sumOf(all, ({ engine_ms }) => engine_ms) / stopped : 0);
    };
    const table = createTable(
      {
        header: words("Stops", "Halte"),
        fields: [
          fields.text("start", words("Start", "Beginn"), ({ start_time }) => writer.moment(start_time)),
          fields.text("end", words("End", "Ende"), ({ end_time }) => writer.moment(end_time)),
          fields.text(
            "address",
            words("Address", "Adresse"),
            ({ place }) => writer.address(appendCoordinates(place, show_coordinates)),
            4,
          ),
          fields.sum("duration", words("Duration", "Dauer"), writer.duration, lengthOf),
          fields.sum("engine", words("Engine on", "Motor an"), writer.duration, ({ engine_ms }) => engine_ms),
          fields.value("engine_share", words("Engine on, %", "Motor an, %"), (stop) => share([stop]), share),
        ],
        items: stops,
        grouping: byDay<Halt>(writer),
        sourceOf: sourceOfStop,
      },
      writer,
    );
    const evidence = sourceOfAll(stops.map(sourceOfStop), data);
    const engine_ms = sumOf(stops, (stop) => stop.engine_ms);
    const summary = [
      writer.named.count(words("Stops", "Halte"), stops.length, evidence),
      writer.named.duration(words("Stopped", "Standzeit"), sumOf(stops, lengthOf), evidence),
      writer.named.duration(words("Engine on", "Motor an"), engine_ms, evidence),
    ];
    return { sections: table, summary, is_empty: stops.length === 0 };
  },
});

type Times = { start_time: number; end_time: number };
type Halt = ReturnType<typeof stopsBetween>[number] & { engine_ms: number };

function lengthOf({ start_time, end_time }: Times) {
  return end_time - start_time;
}

/** Adds the time with the engine on; stops and intervals are in order. */
function withEngine(stops: ReturnType<typeof stopsBetween>, runs: Times[]): Halt[] {
  let first = 0;
  return stops.map((stop) => {
    while ((runs[first]?.end_time ?? Number.POSITIVE_INFINITY) <= stop.start_time) first++;
    let engine_ms = 0;
    for (let index = first; (runs[index]?.start_time ?? Number.POSITIVE_INFINITY) < stop.end_time; index++) {
      const run = runs[index] ?? stop;
      engine_ms += Math.max(0, Math.min(run.end_time, stop.end_time) - Math.max(run.start_time, stop.start_time));
    }
    return { ...stop, engine_ms };
  });
}
