import { SSF } from "@e965/xlsx";
import { DAY_MS } from "#shared/time/duration.ts";

/** The value, not how the sheet shows it: a phone number is all of its digits. The format is one of the sheet's, or a number. */
export function textOfNumber(value: number, format: string | number, counts1904: boolean): string {
  if (!Number.isFinite(value)) return "";
  const shown = typeof format === "string" ? format : (SSF.get_table()[format] ?? "General");
  if (isPadded(shown)) return String(Math.round(value)).padStart(shown.length, "0");
  return isDate(format, shown) ? textOfDate(dateOf(value, counts1904)) : String(value);
}

/** Formats like 00000 are how sheets keep the zeros in front of a number. */
export function isPadded(format: unknown): format is string {
  return /^0{2,}$/.test(String(format));
}

/** As the API writes it; a time without a day alone. */
export function textOfDate(date: Date): string {
  if (Number.isNaN(date.getTime())) return "";
  const written = date.toISOString();
  const [day, time] = [written.slice(0, 10), written.slice(11, 19)];
  if (date.getTime() < FIRST_DAY) return time;
  return time === "00:00:00" ? day : `${day} ${time}`;
}

function isDate(format: string | number, shown: string): boolean {
  return (
    SSF.is_date(shown) ||
    (typeof format === "number" && EASTERN_DATES.some(([from, to]) => format >= from && format <= to))
  );
}

/** Days since the end of 1899; to sheets 1900 was a leap year. */
function dateOf(days: number, counts1904: boolean): Date {
  const whole = counts1904 ? days + DAYS_UNTIL_1904 : days;
  const seconds = Math.round((whole < FALSE_LEAP_DAY ? whole + 1 : whole) * SECONDS_OF_DAY);
  return new Date(BEFORE_FIRST_DAY + seconds * 1000);
}

const FIRST_DAY = Date.UTC(1900, 0, 1);
const BEFORE_FIRST_DAY = FIRST_DAY - 2 * DAY_MS;
const DAYS_UNTIL_1904 = 1462;
const FALSE_LEAP_DAY = 60;
const SECONDS_OF_DAY = 86_400;
/** Numbers of formats that only programs of East Asia have. */
const EASTERN_DATES = [
  [27, 36],
  [50, 58],
] as const;
