import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#shared/time/duration.ts";

/** Milliseconds of a number with a unit, as in `5s`; undefined for other texts and for more than a day. */
export function timespanMs(text: string): number | undefined {
  const { count, unit } = /^(?<count>\d{1,8})(?<unit>ms|s|m|h)$/.exec(text)?.groups ?? {};
  const ms = Number(count) * (UNITS.get(unit ?? "") ?? Number.NaN);
  return ms <= DAY_MS ? ms : undefined;
}

const UNITS = new Map([
  ["ms", 1],
  ["s", SECOND_MS],
  ["m", MINUTE_MS],
  ["h", HOUR_MS],
]);
