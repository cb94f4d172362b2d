import { readLocal, writeLocal } from "#shared/time/clock.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "#shared/time/duration.ts";
import type { Drive, Drives, Position } from "./drives.ts";
import { SITES } from "./sites.ts";
import { type FleetVehicle, VEHICLES } from "./vehicles.ts";

/** The time zone of the account and of both recorded drives. */
export const ZONE = "Europe/Berlin";

/** Where a vehicle is at a moment, and how it moves. */
export type Motion = Position & {
  /** km/h, whole. */
  speed: number;
  heading: number;
  /** Seconds since the vehicle began to drive or to stand. */
  seconds: number;
  /** The number of the stop at which the vehicle stands; undefined while it drives. */
  stop?: number;
};
export type MotionAt = Motion & { time: number };

type Section = { from: number; to: number; seconds: number; stop?: number };

const DRIVING_SECONDS_BETWEEN_POINTS = 10;
const STANDING_SECONDS_BETWEEN_POINTS = 120;
/** Hours of past days within which the vehicles drive. */
const WORKDAY = { from: 7, to: 16 };

/**
 * A vehicle goes round its stops along a recorded drive, forwards and backwards, for ever: its position is a function of the
 * time. So points that are sent again, after a restart or a failure, are the same points.
 */
export class Circuit {
  readonly #drive: Drive;
  readonly #sections: Section[];
  readonly #periodMs: number;
  readonly #offsetMs: number;

  constructor({ key, circuit: { stops, minutes } }: FleetVehicle, drives: Drives) {
    const sites = stops.map((key) => SITES[key]);
    this.#drive = drives[sites[0]?.drive ?? "munich"];
    this.#sections = sites.flatMap(({ second: from }, stop) => {
      const to = sites[(stop + 1) % sites.length]?.second ?? from;
      return [
        { from, to: from, seconds: (minutes[stop] ?? 0) * 60, stop },
        { from, to, seconds: Math.abs(to - from) },
      ];
    });
    this.#periodMs = this.#sections.reduce((sum, { seconds }) => sum + seconds, 0) * SECOND_MS;
    // Vehicles start at different times, and no two send in the same second.
    this.#offsetMs = VEHICLES.findIndex((vehicle) => vehicle.key === key) * (11 * MINUTE_MS + SECOND_MS);
  }

  /** When the round began that lasts at `time`. A round begins at the first stop and ends on the way back to it. */
  roundStart(time: number): number {
    return time - mod(time - this.#offsetMs, this.#periodMs);
  }

  /** When the vehicle next arrives at the stop, at `time` or later. */
  arrivalAt(stop: number, time: number): number {
    let sinceStart = 0;
    for (const section of this.#sections) {
      if (section.stop === stop) break;
      sinceStart += section.seconds * SECOND_MS;
    }
    const arrival = this.roundStart(time) + sinceStart;
    return arrival < time ? arrival + this.#periodMs : arrival;
  }

  motionAt(time: number): Motion {
    const { section, second } = this.#sectionAt(time);
    if (section.stop !== undefined) {
      return { ...this.#positionAt(section.from), speed: 0, heading: 0, seconds: second, stop: section.stop };
    }
    const direction = Math.sign(section.to - section.from);
    const at = section.from + direction * second;
    const [before, after] = [this.#positionAt(at - direction), this.#positionAt(at + direction)];
    const { meters, heading } = stepBetween(before, after);
    return { ...this.#positionAt(at), speed: Math.round(meters * 1.8), heading, seconds: second };
  }

  /** The points that the vehicle's device sends after `from` until `to`: each ten seconds, or each two minutes at a stop. */
  *pointsBetween(from: number, to: number): Generator<MotionAt> {
    const first = Math.floor(from / SECOND_MS) + 1;
    for (let second = first; second * SECOND_MS <= to; second++) {
      const time = second * SECOND_MS;
      const { section, second: passed } = this.#sectionAt(time);
      const pause = section.stop === undefined ? DRIVING_SECONDS_BETWEEN_POINTS : STANDING_SECONDS_BETWEEN_POINTS;
      if (passed % pause === 0) yield { ...this.motionAt(time), time };
    }
  }

  /** The points of all rounds that began within the hours of work, or on the day of `now`: today all drive around the clock. */
  *workedPointsBetween(from: number, to: number, now = to): Generator<MotionAt> {
    let time = from;
    while (time < to) {
      const start = this.roundStart(time + SECOND_MS);
      const end = Math.min(to, start + this.#periodMs - SECOND_MS);
      if (isWorked(start, now)) yield* this.pointsBetween(Math.max(time, start - SECOND_MS), end);
      time = Math.max(end, time + SECOND_MS);
    }
  }

  #sectionAt(time: number) {
    let second = Math.floor((time - this.roundStart(time)) / SECOND_MS);
    for (const section of this.#sections) {
      if (second < section.seconds) return { section, second };
      second -= section.seconds;
    }
    throw new Error("A round has sections for its whole period.");
  }

  #positionAt(second: number): Position {
    const position = this.#drive[Math.max(0, Math.min(this.#drive.length - 1, second))];
    if (!position) throw new Error("The recorded drive is empty.");
    return position;
  }
}

/** The beginning of the local day of `time`, or of the day that many days earlier. */
export function startOfDay(time: number, days = 0): number {
  return localTime(dayOf(localTime(dayOf(time), "12:00:00") - days * DAY_MS), "00:00:00");
}

/** The moment of a local time of a day. */
export function localTime(day: string, time: string): number {
  const ms = readLocal(`${day} ${time}`, ZONE);
  if (ms === undefined) throw new Error(`${day} ${time} is no time.`);
  return ms;
}

/** The local date of `time`. */
export function dayOf(time: number): string {
  return writeLocal(time, ZONE).slice(0, 10);
}

function isWorked(start: number, now: number) {
  const hour = Number(writeLocal(start, ZONE).slice(11, 13));
  return (hour >= WORKDAY.from && hour < WORKDAY.to) || dayOf(start) === dayOf(now);
}

/** The length and the direction of a short step, on a plane. */
function stepBetween(start: Position, end: Position) {
  const north = (end.lat - start.lat) * METERS_PER_DEGREE;
  const east = (end.lng - start.lng) * METERS_PER_DEGREE * Math.cos((start.lat * Math.PI) / 180);
  return {
    meters: Math.hypot(north, east),
    heading: Math.round(mod((Math.atan2(east, north) * 180) / Math.PI, 360)) % 360,
  };
}
const METERS_PER_DEGREE = 111_195;

function mod(value: number, divisor: number) {
  return ((value % divisor) + divisor) % divisor;
}
