import type { Language } from "#shared/text/language.ts";
import { writeLocal } from "#shared/time/clock.ts";
import type { Cell, Column, NamedValue, Source } from "./sheet.ts";

type WriterOptions = {
  zone: string;
  language: Language;
  measurement_system: string;
  show_seconds: boolean;
  /** From the user's settings; null uses the formats of the language. */
  date_format?: string | null;
  hour_mode?: string | null;
};

/** Formats values for the reader of a report: language, zone, units. */
export type Writer = ReturnType<typeof createWriter>;

export function createWriter({
  zone,
  language,
  measurement_system,
  show_seconds,
  date_format,
  hour_mode,
}: WriterOptions) {
  const unit = UNITS[measurement_system] ?? KILOMETER;
  const tank = VOLUMES[measurement_system] ?? { name: "l", liters: 1 };
  const rise = unit === MILE ? { name: "ft", meters: 0.3048 } : { name: "m", meters: 1 };
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
  const { dateOf, weekdayOf } = createDayFormats(language, date_format ?? null);
  const clock = (local: string) => formatTime(local, { show_seconds, isTwelve: hour_mode === "TWELVE_HOURS" });
  const timeOf = (ms: number) => clock(writeLocal(ms, zone).slice(11));
  const momentOf = (ms: number) => {
    const local = writeLocal(ms, zone);
    return `${date_format ? dateOf(local) : local.slice(0, 10)} ${clock(local.slice(11))}`;
  };
  const words = (english: string, german: string) => (language === "de" ? german : english);
  const value = (v: string, raw: number): Cell => ({ v, raw, type: "value" });
  return {
    language,
    zone,
    words,
    distanceTitle: (title: string) => `${title},\n${unit.name}`,
    speedTitle: (title: string) => `${title},\n${unit.speed}`,
    volumeTitle: (title: string) => `${title}, ${tank.name}`,
    /** The title for values of `consumption`. */
    consumptionTitle:
      unit === MILE
        ? words("miles per gallon", "Meilen je Gallone")
        : words(`${tank.name} per 100 km`, `${tank.name} auf 100 km`),
    heightTitle: (title: string) => `${title}, ${rise.name}`,
    /** `yyyy-MM-dd` in the zone; rows are grouped by it. */
    dayOf: (ms: number) => writeLocal(ms, zone).slice(0, 10),
    dayHeader: (ms: number, rows: number) => {
      const local = writeLocal(ms, zone);
      return `${dateOf(local)} (${weekdayOf(local)}) : ${rows}`;
    },
    moment: (ms: number) => value(momentOf(ms), ms),
    /** Formats a day that is given as `yyyy-MM-dd`. */
    date: (day: string) => dateOf(day),
    day: (ms: number) => value(dateOf(writeLocal(ms, zone)), ms),
    /** A moment with the position of that time. */
    place: (ms: number, { lat, lng, address }: { lat: number; lng: number; address: string }): Cell => ({
      ...value(address ? `${timeOf(ms)} - ${address}` : timeOf(ms), ms),
      location: { lat, lng },
    }),
    duration: (ms: number) => value(formatDuration(ms, show_seconds), Math.round(ms / 1000)),
    distance: (kilometers: number) =>
      value(number.format(roundHundredths(kilometers / unit.kilometers)), roundHundredths(kilometers)),
    speed: (kmh: number) => value(number.format(Math.round(kmh / unit.kilometers)), Math.round(kmh)),
    volume: (liters: number) => value(number.format(roundHundredths(liters / tank.liters)), roundHundredths(liters)),
    /** Expects liters per 100 km. */
    consumption: (liters: number) =>
      value(number.format(roundHundredths(toConsumption(liters, unit, tank))), roundHundredths(liters)),
    height: (meters: number) => value(number.format(roundHundredths(meters / rise.meters)), roundHundredths(meters)),
    number: (raw: number) => value(number.format(raw), raw),
    /** A measured value, rounded to hundredths. */
    measured: (raw: number) => value(number.format(roundHundredths(raw)), roundHundredths(raw)),
    percent: (share: number) => value(`${number.format(Math.round(share * 100))} %`, Math.round(share * 100)),
    /** The address, or the coordinates if there is none. */
    address: ({ lat, lng, address }: { lat: number; lng: number; address: string }): Cell => ({
      ...value(address || `${lat.toFixed(6)}, ${lng.toFixed(6)}`, 0),
      location: { lat, lng },
    }),
    text: (v: string) => value(v, 0),
    /** Converts kilometers, or km/h, to the reader's unit. */
    inUnit: (metric: number) => metric / unit.kilometers,
    volumeInUnit: (liters: number) => liters / tank.liters,
    named: createNamedWriter({ unit, tank, number, show_seconds }),
  };
}

/** Converts liters per 100 km to the reader's unit; with miles, to miles per gallon. */
function toConsumption(liters: number, unit: typeof KILOMETER, tank: typeof US_GALLON): number {
  if (unit !== MILE) return liters / tank.liters;
  return liters > 0 ? (100 * tank.liters) / (liters * unit.kilometers) : 0;
}

/** Values of a list with their evidence; durations are in minutes. */
function createNamedWriter({ unit, tank, number, show_seconds }: NamedWriterOptions) {
  const value = (name: string, v: string, raw: number, source: Source): NamedValue => {
    return { name, v, raw, highlight: false, source };
  };
  const hundredths = (name: string, raw: number, shown: number, source: Source) =>
    value(name, number.format(roundHundredths(shown)), roundHundredths(raw), source);
  return {
    count: (name: string, raw: number, source: Source) => value(name, number.format(raw), raw, source),
    measured: (name: string, raw: number, source: Source) => hundredths(name, raw, raw, source),
    distance: (name: string, kilometers: number, source: Source) =>
      hundredths(`${name}, ${unit.name}`, kilometers, kilometers / unit.kilometers, source),
    volume: (name: string, liters: number, source: Source) =>
      hundredths(`${name}, ${tank.name}`, liters, liters / tank.liters, source),
    speed: (name: string, kmh: number, source: Source) =>
      value(`${name}, ${unit.speed}`, number.format(Math.round(kmh / unit.kilometers)), Math.round(kmh), source),
    duration: (name: string, ms: number, source: Source) =>
      value(name, formatDuration(ms, show_seconds), Math.round(ms / 60_000), source),
  };
}
type NamedWriterOptions = {
  unit: typeof KILOMETER;
  tank: typeof US_GALLON;
  number: Intl.NumberFormat;
  show_seconds: boolean;
};

/** A column; numbers are aligned to the right, so that they can be compared. */
export function toColumn(field: string, title: string, { isText = false, width = 1 } = {}): Column {
  return {
    field,
    title,
    align: isText ? "left" : "right",
    width,
    weight: isText ? 3 : 0,
    highlight_min_max: false,
  };
}

/** Formats days and weekdays of local times as `writeLocal` returns them. */
function createDayFormats(language: Language, format: string | null) {
  const day = new Intl.DateTimeFormat(language, DAY_STYLES[format ?? ""] ?? { dateStyle: "medium", timeZone: "UTC" });
  const weekday = new Intl.DateTimeFormat(language, { weekday: "short", timeZone: "UTC" });
  const utc = (local: string) => Date.parse(`${local.slice(0, 10)}T00:00:00Z`);
  const plain = PLAIN_DAYS[format ?? ""];
  const dateOf = (local: string) => {
    const [year = "", month = "", date = ""] = local.slice(0, 10).split("-");
    return plain ? plain(year, month, date) : day.format(utc(local));
  };
  return { dateOf, weekdayOf: (local: string) => weekday.format(utc(local)) };
}

function formatTime(time: string, { show_seconds, isTwelve }: { show_seconds: boolean; isTwelve: boolean }) {
  const shown = time.slice(0, show_seconds ? 8 : 5);
  if (!isTwelve) return shown;
  const hour = Number(shown.slice(0, 2));
  return `${hour % 12 || 12}${shown.slice(2)} ${hour < 12 ? "AM" : "PM"}`;
}

/** Hours are not limited to 24. */
export function formatDuration(ms: number, show_seconds: boolean): string {
  const seconds = Math.round(ms / 1000);
  const two = (value: number) => String(value).padStart(2, "0");
  const minutes = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}`;
  return show_seconds ? `${minutes}:${two(seconds % 60)}` : minutes;
}

function roundHundredths(value: number) {
  return Math.round(value * 100) / 100;
}

const PLAIN_DAYS: Record<string, (year: string, month: string, date: string) => string> = {
  ddMMyyyy_dots: (year, month, date) => `${date}.${month}.${year}`,
  ddMMyyyy_slashes: (year, month, date) => `${date}/${month}/${year}`,
  MMddyyyy_hyphens: (year, month, date) => `${month}-${date}-${year}`,
  yyyyMMdd_hyphens: (year, month, date) => `${year}-${month}-${date}`,
};
const DAY_STYLES: Record<string, Intl.DateTimeFormatOptions> = {
  dMMMy: { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" },
  dMMMMy: { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" },
};
const KILOMETER = { name: "km", speed: "km/h", kilometers: 1 };
const MILE = { name: "mi", speed: "mph", kilometers: 1.609344 };
const US_GALLON = { name: "gal", liters: 3.785411784 };
const VOLUMES: Record<string, typeof US_GALLON> = {
  ...{ us: US_GALLON, metric_gal_us: US_GALLON },
  imperial: { name: "gal", liters: 4.54609 },
};
const UNITS: Record<string, typeof KILOMETER> = {
  ...{ imperial: MILE, us: MILE },
  nautical: { name: "nmi", speed: "kn", kilometers: 1.852 },
};
