import { SSF } from "@e965/xlsx";
import { DAY_MS } from "#shared/time/duration.ts";

/** The text of a number's value, so that long numbers keep all digits. `format`: a pattern, or the id of a built-in one. */
export function textOfNumber(value: number, format: string | number, is1904Based: boolean): string {
  if (!Number.isFinite(value)) return "";
  const pattern = typeof format === "string" ? format : (SSF.get_table()[format] ?? "General");
  if (isZeroPadded(pattern)) return String(Math.round(value)).padStart(pattern.length, "0");
  return isDateFormat(format, pattern) ? textOfDate(dateOf(value, is1904Based)) : String(value);
}

/** True for formats such as 00000, which keep leading zeros. */
export function isZeroPadded(format: unknown): format is string {
  return /^0{2,}$/.test(String(format));
}

/** A date and time in the form of the API; only the time if the cell has no date. */
export function textOfDate(date: Date): string {
  if (Number.isNaN(date.getTime())) return "";
  const written = date.toISOString();
  const [day, time] = [written.slice(0, 10), written.slice(11, 19)];
  if (date.getTime() < FIRST_DAY_MS) return time;
  return time === "00:00:00" ? day : `${day} ${time}`;
}

function isDateFormat(format: string | number, pattern: string): boolean {
  return (
    SSF.is_date(pattern) ||
    (typeof format === "number" && EAST_ASIAN_DATE_FORMATS.some(([from, to]) => format >= from && format <= to))
  );
}

/** The date of a number of days since the end of 1899. Sheets take 1900 for a leap year, which it was not. */
function dateOf(days: number, is1904Based: boolean): Date {
  const whole = is1904Based ? days + DAYS_UNTIL_1904 : days;
  const seconds = Math.round((whole < FALSE_LEAP_DAY ? whole + 1 : whole) * SECONDS_PER_DAY);
  return new Date(DAY_ZERO_MS + seconds * 1000);
}

const FIRST_DAY_MS = Date.UTC(1900, 0, 1);
const DAY_ZERO_MS = FIRST_DAY_MS - 2 * DAY_MS;
const DAYS_UNTIL_1904 = 1462;
const FALSE_LEAP_DAY = 60;
const SECONDS_PER_DAY = 86_400;
/** Ids of built-in date formats that only East Asian programs use. */
const EAST_ASIAN_DATE_FORMATS = [
  [27, 36],
  [50, 58],
] as const;
