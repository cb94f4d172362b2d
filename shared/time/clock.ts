import { Temporal } from "temporal-polyfill";
import { DAY_MS, MINUTE_MS } from "./duration.ts";

export type ClockEnv = {
  /** Offset of the clock for tests of schedules and expiry; local runs only. */
  CLOCK_OFFSET_SECONDS?: string;
  /** Set by the launcher on a local machine; absent in deployed Workers. */
  LOCAL_RUN?: string;
};

/** Reads and writes times in the caller's time zone and format. */
export type Clock = {
  /** UTC milliseconds. */
  now(): number;
  /** UTC milliseconds of a time in the caller's format; undefined when malformed. */
  read(text: string): number | undefined;
  /** A time in the caller's format. */
  write(ms: number): string;
  zone: string;
};

/** The machine's clock in UTC milliseconds, for waits, leases and alarms: `CLOCK_OFFSET_SECONDS` does not move it. */
export function systemNow(): number {
  return Date.now();
}

/** The clock of stored data in UTC milliseconds: the machine's, moved by `CLOCK_OFFSET_SECONDS`. */
export function nowMs(env: ClockEnv): number {
  const offset = Number(env.CLOCK_OFFSET_SECONDS || 0);
  if (offset !== 0 && !env.LOCAL_RUN) throw new Error("CLOCK_OFFSET_SECONDS is for local runs only");
  return systemNow() + offset * 1000;
}

export function clockOf(env: ClockEnv, zone: string, iso: boolean): Clock {
  return {
    now: () => nowMs(env),
    read: iso ? readIso : (text) => readLocal(text, zone),
    write: iso ? (ms) => writeIso(ms, zone) : (ms) => writeLocal(ms, zone),
    zone,
  };
}

/** `YYYY-MM-DD HH:MM:SS` in the zone. */
export function writeLocal(ms: number, zone: string): string {
  const text = new Date(ms + zoneOffsetMs(ms, zone)).toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 19)}`;
}

/** ISO 8601 with the zone's offset, `Z` for UTC. */
export function writeIso(ms: number, zone: string): string {
  const offset = zoneOffsetMs(ms, zone);
  const text = new Date(ms + offset).toISOString().slice(0, 19);
  if (offset === 0 && isUtc(zone)) return `${text}Z`;
  const minutes = Math.abs(Math.round(offset / MINUTE_MS));
  const sign = offset < 0 ? "-" : "+";
  return `${text}${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** Times in a gap move forward; in an overlap the earlier instant is meant. */
export function readLocal(text: string, zone: string): number | undefined {
  const local = LOCAL_FORM.test(text) ? utcOf(text.slice(0, 10), text.slice(11)) : undefined;
  if (local === undefined) return undefined;
  if (isUtc(zone)) return local;
  // Equal offsets a day before and after mean that no change is near.
  const before = zoneOffsetMs(local - DAY_MS, zone);
  if (before === zoneOffsetMs(local + DAY_MS, zone)) return local - before;
  return Temporal.PlainDateTime.from(text.replace(" ", "T")).toZonedDateTime(zone).epochMilliseconds;
}

/** Whether the runtime knows the name of the time zone. It would also take offsets such as `+23:59`, which no place has. */
export function isZone(zone: string): boolean {
  if (/^[+-]/.test(zone)) return false;
  try {
    zoneOffsetMs(0, zone);
    return true;
  } catch {
    return false;
  }
}

/** Offset of the zone from UTC at this moment. */
export function zoneOffsetMs(ms: number, zone: string): number {
  if (isUtc(zone)) return 0;
  const quarter = Math.floor(ms / QUARTER_MS);
  const known = offsets.get(zone) ?? new Map<number, number>();
  offsets.set(zone, known);
  let offset = known.get(quarter);
  if (offset === undefined) {
    offset = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).offsetNanoseconds / 1e6;
    if (known.size >= KEPT_QUARTERS) known.clear();
    known.set(quarter, offset);
  }
  return offset;
}

function readIso(text: string): number | undefined {
  const parts = ISO_FORM.exec(text)?.groups;
  if (!parts) return undefined;
  const { date = "", time = "", fraction = "", sign, hours = "0", minutes = "0" } = parts;
  const local = utcOf(date, time);
  if (local === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const offset = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
  return local + Math.floor(Number(`0${fraction}`) * 1000) - (sign === "-" ? -offset : offset);
}

/** Undefined when the day or hour does not exist. */
function utcOf(date: string, time: string): number | undefined {
  const ms = Date.parse(`${date}T${time}Z`);
  if (Number.isNaN(ms)) return undefined;
  // Date.parse accepts 30 February as 1 March, and 24:00 as the next day.
  return new Date(ms).toISOString().startsWith(`${date}T${time}`) ? ms : undefined;
}

function isUtc(zone: string) {
  return zone === "UTC" || zone === "Etc/UTC";
}

function two(value: number) {
  return String(value).padStart(2, "0");
}

// Since 1972 no zone has had an offset that is not a multiple of 15 minutes.
const QUARTER_MS = 15 * MINUTE_MS;
const KEPT_QUARTERS = 4096;
const LOCAL_FORM = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
const ISO_FORM =
  /^(?<date>\d{4}-\d\d-\d\d)T(?<time>\d\d:\d\d:\d\d)(?<fraction>\.\d{1,9})?(?:Z|(?<sign>[+-])(?<hours>\d\d):?(?<minutes>\d\d))$/;
const offsets = new Map<string, Map<number, number>>();
