import { z } from "zod";
import type { Row } from "../layout/sheet.ts";
import { column } from "../layout/writer.ts";
import { SECONDS } from "./parameters.ts";
import { plugin } from "./plugin.ts";

export const points = plugin({
  id: 91,
  title: ["Points", "Punkte"],
  longest_hours: 24,
  parameters: z.object({ ...SECONDS }),
  async partOf(data, _, writer) {
    const { words, speedTitle } = writer;
    const rows: Row[] = [];
    for await (const page of data.points()) {
      for (const { time, lat, lng, alt, speed, satellites } of page) {
        if (rows.length === MOST_POINTS) break;
        rows.push({
          time: { ...writer.moment(time), location: { lat, lng } },
          lat: writer.number(lat),
          lng: writer.number(lng),
          speed: writer.speed(speed),
          alt: writer.number(alt ?? 0),
          satellites: writer.number(satellites ?? 0),
        });
      }
    }
    const table = {
      type: "table" as const,
      header: words("Points", "Punkte"),
      column_groups: [] as [],
      columns: [
        column("time", words("Time", "Zeit"), { isText: true, width: 2 }),
        column("lat", words("Latitude", "Breite")),
        column("lng", words("Longitude", "Länge")),
        column("speed", speedTitle(words("Speed", "Geschwindigkeit"))),
        column("alt", words("Altitude, m", "Höhe, m")),
        column("satellites", words("Satellites", "Satelliten")),
      ],
      data: rows.length > 0 ? [{ header: writer.dayHeader(data.from, rows.length), rows }] : [],
    };
    const cut = {
      type: "text" as const,
      text: words("Only the first points are shown.", "Nur die ersten Punkte."),
      style: "small_print" as const,
    };
    const sections = rows.length === MOST_POINTS ? [table, cut] : [table];
    return {
      sections,
      summary: [writer.named.count(words("Points", "Punkte"), rows.length)],
      is_empty: rows.length === 0,
    };
  },
});

/** A day of points, two in three seconds. */
const MOST_POINTS = 60_000;
