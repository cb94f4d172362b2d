import * as z from "zod";
import { SECONDS } from "../../definition/parameters.ts";
import { plugin } from "../../definition/plugin.ts";
import type { TrackPoint } from "../../definition/tracker-data.ts";
import type { Row, Section } from "../../layout/sheet.ts";
import { sourceOf } from "../../layout/source.ts";
import { cutNote, MAX_TABLE_ROWS } from "../../layout/table.ts";
import { toColumn } from "../../layout/writer.ts";

export const points = plugin({
  id: 91,
  title: ["Points", "Punkte"],
  maxHours: 24,
  parameters: z.object({ ...SECONDS }),
  async reportTracker(data, _, writer) {
    const { words, speedTitle } = writer;
    const rows: Row[] = [];
    let first: TrackPoint[] = [];
    for await (const page of data.points()) {
      if (first.length === 0) first = page;
      for (const { time, lat, lng, alt, speed, satellites } of page) {
        if (rows.length === MAX_TABLE_ROWS) break;
        rows.push({
          time: { ...writer.moment(time), location: { lat, lng } },
          lat: writer.number(lat),
          lng: writer.number(lng),
          speed: writer.speed(speed),
          alt: writer.height(alt ?? 0),
          satellites: writer.number(satellites ?? 0),
        });
      }
    }
    const table: Section = {
      type: "table",
      header: words("Points", "Punkte"),
      column_groups: [],
      columns: [
        toColumn("time", words("Time", "Zeit"), { isText: true, width: 2 }),
        toColumn("lat", words("Latitude", "Breite")),
        toColumn("lng", words("Longitude", "Länge")),
        toColumn("speed", speedTitle(words("Speed", "Geschwindigkeit"))),
        toColumn("alt", writer.heightTitle(words("Altitude", "Höhe"))),
        toColumn("satellites", words("Satellites", "Satelliten")),
      ],
      data:
        rows.length > 0 ? [{ header: writer.dayHeader(data.from, rows.length), rows, sources: { point: "time" } }] : [],
    };
    const sections = rows.length === MAX_TABLE_ROWS ? [table, cutNote(writer)] : [table];
    const evidence = sourceOf({ from: data.from, to: data.to, point_count: rows.length, points: first });
    const summary = [writer.named.count(words("Points", "Punkte"), rows.length, evidence)];
    return { sections, summary, is_empty: rows.length === 0 };
  },
});
