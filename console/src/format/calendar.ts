/** Days as `YYYY-MM-DD`, in the user's time zone. */
export type DayRange = { from: string; to: string };

const DAY_MS = 86_400_000;

/** The day of a moment in a time zone. */
export function dayOf(moment: number, timeZone: string): string {
  return clockOf(timeZone).format(moment).slice(0, 10);
}

/** The day that many days later, or before if negative. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

export function monthOf(day: string): DayRange {
  const from = `${day.slice(0, 8)}01`;
  return { from, to: addDays(firstOfNextMonth(from), -1) };
}

export function monthBefore(day: string): DayRange {
  return monthOf(addDays(`${day.slice(0, 8)}01`, -1));
}

export function isDay(text: string | undefined): text is string {
  return text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));
}

function firstOfNextMonth(first: string): string {
  const [year = 0, month = 0] = first.split("-").map(Number);
  return month === 12 ? `${year + 1}-01-01` : `${year}-${String(month + 1).padStart(2, "0")}-01`;
}

/** The moment at which a day begins in a time zone, in UTC ms. */
export function startOfDay(day: string, timeZone: string): number {
  return momentOf(`${day} 00:00:00`, timeZone);
}

/** The moment of a time of a time zone's clock, `YYYY-MM-DD HH:MM:SS`, in UTC ms. */
export function momentOf(local: string, timeZone: string): number {
  const asUtc = Date.parse(`${local.replace(" ", "T")}Z`);
  // The second step corrects a guess that lies across a change of the clock.
  const guess = asUtc - offsetMs(asUtc, timeZone);
  return asUtc - offsetMs(guess, timeZone);
}

/** The minute of a moment by a time zone's clock, `YYYY-MM-DDTHH:MM`. */
export function localOf(moment: number, timeZone: string): string {
  return new Date(moment + offsetMs(moment, timeZone)).toISOString().slice(0, 16);
}

/** The range of a call that covers whole days, as ISO 8601 in UTC. */
export function toMoments({ from, to }: DayRange, timeZone: string): { from: string; to: string } {
  const end = startOfDay(addDays(to, 1), timeZone) - 1000;
  return { from: new Date(startOfDay(from, timeZone)).toISOString(), to: new Date(end).toISOString() };
}

/** By time zone: to make one takes longer than to use it a hundred times. */
const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  // Swedish writes dates like ISO 8601.
  const clock = known ?? new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
  if (!known) clocks.set(timeZone, clock);
  return clock;
}

function offsetMs(moment: number, timeZone: string): number {
  return Date.parse(`${clockOf(timeZone).format(moment).replace(" ", "T")}Z`) - Math.floor(moment / 1000) * 1000;
}
