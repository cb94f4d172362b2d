import type { Language } from "#shared/text/language.ts";
import { writeLocal } from "#shared/time/clock.ts";
import type { Cell, Column } from "./sheet.ts";

type Wishes = { zone: string; language: Language; measurement_system: string; show_seconds: boolean };

/** Writes values as the reader of a report has them: language, zone, units. */
export type Writer = ReturnType<typeof writerFor>;

export function writerFor({ zone, language, measurement_system, show_seconds }: Wishes) {
  const unit = UNITS[measurement_system] ?? KILOMETER;
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
  const day = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" });
  const weekday = new Intl.DateTimeFormat(language, { weekday: "short", timeZone: "UTC" });
  const localDay = (ms: number) => Date.parse(`${writeLocal(ms, zone).slice(0, 10)}T00:00:00Z`);
  const timeOf = (ms: number) => writeLocal(ms, zone).slice(11, show_seconds ? 19 : 16);
  const value = (v: string, raw: number): Cell => ({ v, raw, type: "value" });
  return {
    language,
    zone,
    words: (english: string, german: string) => (language === "de" ? german : english),
    distanceTitle: (title: string) => `${title},\n${unit.name}`,
    speedTitle: (title: string) => `${title},\n${unit.speed}`,
    /** `yyyy-MM-dd`, by which rows are grouped. */
    dayOf: (ms: number) => writeLocal(ms, zone).slice(0, 10),
    dayHeader: (ms: number, rows: number) => `${day.format(localDay(ms))} (${weekday.format(localDay(ms))}) : ${rows}`,
    moment: (ms: number) => value(writeLocal(ms, zone).slice(0, show_seconds ? 19 : 16), ms),
    /** A moment and where it was. */
    place: (ms: number, { lat, lng, address }: { lat: number; lng: number; address: string }): Cell => ({
      ...value(address ? `${timeOf(ms)} - ${address}` : timeOf(ms), ms),
      location: { lat, lng },
    }),
    duration: (ms: number) => value(durationText(ms, show_seconds), Math.round(ms / 1000)),
    distance: (kilometers: number) => value(number.format(rounded(kilometers / unit.kilometers)), rounded(kilometers)),
    speed: (kmh: number) => value(number.format(Math.round(kmh / unit.kilometers)), Math.round(kmh)),
    number: (raw: number) => value(number.format(raw), raw),
    text: (v: string) => value(v, 0),
    /** Of a list of values; durations in minutes. */
    named: {
      count: (name: string, raw: number) => ({ name, v: number.format(raw), raw, highlight: false }),
      distance: (name: string, kilometers: number) => ({
        ...{ name: `${name}, ${unit.name}`, v: number.format(rounded(kilometers / unit.kilometers)) },
        ...{ raw: rounded(kilometers), highlight: false },
      }),
      speed: (name: string, kmh: number) => ({
        ...{ name: `${name}, ${unit.speed}`, v: number.format(Math.round(kmh / unit.kilometers)) },
        ...{ raw: Math.round(kmh), highlight: false },
      }),
      duration: (name: string, ms: number) => ({
        ...{ name, v: durationText(ms, show_seconds), raw: Math.round(ms / 60_000), highlight: false },
      }),
    },
  };
}

/** A column of values to be compared stands at the right. */
export function column(field: string, title: string, { isText = false, width = 1 } = {}): Column {
  return {
    field,
    title,
    align: isText ? "left" : "right",
    width,
    weight: isText ? 3 : 0,
    highlight_min_max: false,
  };
}

/** Hours may be more than a day has. */
export function durationText(ms: number, show_seconds: boolean): string {
  const seconds = Math.round(ms / 1000);
  const two = (value: number) => String(value).padStart(2, "0");
  const minutes = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}`;
  return show_seconds ? `${minutes}:${two(seconds % 60)}` : minutes;
}

function rounded(value: number) {
  return Math.round(value * 100) / 100;
}

const KILOMETER = { name: "km", speed: "km/h", kilometers: 1 };
const MILE = { name: "mi", speed: "mph", kilometers: 1.609344 };
const UNITS: Record<string, typeof KILOMETER> = {
  ...{ imperial: MILE, us: MILE },
  nautical: { name: "nmi", speed: "kn", kilometers: 1.852 },
};
