export type FormatOptions = {
  /** A locale of the API, such as `de_AT`. */
  locale: string;
  timeZone: string;
  measurement: "metric" | "imperial" | "us" | "metric_gal_us" | "nautical";
  hourMode?: "TWENTY_FOUR_HOURS" | "TWELVE_HOURS" | undefined;
};
export type Format = ReturnType<typeof createFormat>;

const KM_PER_MILE = 1.609344;
const KM_PER_NAUTICAL_MILE = 1.852;
const SQUARE_METERS_PER_ACRE = 4_046.856;
const SECONDS_PER_UNIT = { day: 86_400, hour: 3_600, minute: 60, second: 1 } as const;

/** Shows numbers, dates and units in a user's locale, time zone and measurement system. */
export function createFormat({ locale, timeZone, measurement, hourMode }: FormatOptions) {
  const tag = toLocaleTag(locale);
  const hours = hourMode ? { hourCycle: hourMode === "TWELVE_HOURS" ? ("h12" as const) : ("h23" as const) } : {};
  const dates = new Intl.DateTimeFormat(tag, { timeZone, dateStyle: "medium" });
  const times = new Intl.DateTimeFormat(tag, { timeZone, timeStyle: "short", ...hours });
  const seconds = new Intl.DateTimeFormat(tag, { timeZone, timeStyle: "medium", ...hours });
  const both = new Intl.DateTimeFormat(tag, { timeZone, dateStyle: "medium", timeStyle: "short", ...hours });
  const relative = new Intl.RelativeTimeFormat(tag, { numeric: "auto", style: "short" });
  const integers = new Intl.NumberFormat(tag, { maximumFractionDigits: 0 });
  const percents = new Intl.NumberFormat(tag, { style: "percent", maximumFractionDigits: 0 });
  const isMetric = measurement === "metric" || measurement === "metric_gal_us";
  return {
    locale: tag,
    timeZone,
    isMetric,
    date: (moment: string | number) => dates.format(new Date(moment)),
    time: (moment: string | number) => times.format(new Date(moment)),
    timeWithSeconds: (moment: string | number) => seconds.format(new Date(moment)),
    dateTime: (moment: string | number) => both.format(new Date(moment)),
    /** The time since a moment: "5 min. ago". */
    ago: (moment: string | number, nowMs: number) => showAge(relative, new Date(moment).getTime(), nowMs),
    integer: (value: number) => integers.format(value),
    number: (value: number, digits = 1) => new Intl.NumberFormat(tag, { maximumFractionDigits: digits }).format(value),
    /** A share from 0 to 100. */
    percent: (value: number) => percents.format(value / 100),
    speed: (kmh: number) => showSpeed(tag, measurement, kmh),
    distance: (km: number) => showDistance(tag, measurement, km),
    area: (squareMeters: number) => showArea(tag, measurement, squareMeters),
    duration: (seconds: number) => showDuration(tag, seconds),
    degrees: (value: number) => unit(tag, value, "degree", 0),
  };
}

/** A BCP 47 tag of the API's locale; the browser's language for a locale that `Intl` does not know. */
export function toLocaleTag(locale: string): string {
  const tag = locale.replace("_", "-");
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? navigator.language;
  } catch {
    return navigator.language;
  }
}

function showAge(relative: Intl.RelativeTimeFormat, momentMs: number, nowMs: number) {
  const seconds = Math.round((momentMs - nowMs) / 1000);
  for (const name of ["day", "hour", "minute"] as const) {
    const size = SECONDS_PER_UNIT[name];
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), name);
  }
  return relative.format(Math.min(seconds, 0), "second");
}

function showSpeed(tag: string, measurement: FormatOptions["measurement"], kmh: number) {
  // `Intl` has no unit for knots.
  if (measurement === "nautical") return `${number(tag, kmh / KM_PER_NAUTICAL_MILE, 0)} kn`;
  const usesMiles = measurement === "imperial" || measurement === "us";
  return usesMiles ? unit(tag, kmh / KM_PER_MILE, "mile-per-hour", 0) : unit(tag, kmh, "kilometer-per-hour", 0);
}

function showDistance(tag: string, measurement: FormatOptions["measurement"], km: number) {
  const digits = km < 100 ? 1 : 0;
  if (measurement === "nautical") return `${number(tag, km / KM_PER_NAUTICAL_MILE, digits)} nmi`;
  const usesMiles = measurement === "imperial" || measurement === "us";
  return usesMiles ? unit(tag, km / KM_PER_MILE, "mile", digits) : unit(tag, km, "kilometer", digits);
}

function showArea(tag: string, measurement: FormatOptions["measurement"], squareMeters: number) {
  if (measurement === "imperial" || measurement === "us")
    return unit(
      tag,
      squareMeters / SQUARE_METERS_PER_ACRE,
      "acre",
      squareMeters < 100 * SQUARE_METERS_PER_ACRE ? 1 : 0,
    );
  // `Intl` has no unit for square kilometers.
  return squareMeters < 1e6
    ? unit(tag, squareMeters / 1e4, "hectare", 1)
    : `${number(tag, squareMeters / 1e6, squareMeters < 1e8 ? 1 : 0)} km²`;
}

function showDuration(tag: string, seconds: number) {
  const minutes = Math.round(seconds / 60);
  const parts = [
    minutes >= 60 ? unit(tag, Math.floor(minutes / 60), "hour", 0) : "",
    minutes % 60 > 0 || minutes === 0 ? unit(tag, minutes % 60, "minute", 0) : "",
  ];
  return parts.filter(Boolean).join(" ");
}

/** By locale, unit and digits: to make one takes longer than to use it a hundred times. */
const unitFormats = new Map<string, Intl.NumberFormat>();

function unit(tag: string, value: number, name: string, digits: number) {
  const key = `${tag} ${name} ${digits}`;
  const known = unitFormats.get(key);
  const unitFormat = known ?? new Intl.NumberFormat(tag, { style: "unit", unit: name, maximumFractionDigits: digits });
  if (!known) unitFormats.set(key, unitFormat);
  return unitFormat.format(value);
}

function number(tag: string, value: number, digits: number) {
  return new Intl.NumberFormat(tag, { maximumFractionDigits: digits }).format(value);
}
