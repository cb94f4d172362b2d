import type { Position } from "#shared/geometry/position.ts";
import type { Gauge } from "#shared/telemetry/sensor.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import type { TrackerData, TrackPoint } from "../definition/tracker-data.ts";
import type { Switch } from "./ignition.ts";
import { readValues } from "./readings.ts";

/** A filling or a drain: fuel that came in or went out at once. */
export type FuelChange = {
  start_time: number;
  end_time: number;
  before: number;
  after: number;
  place: Position;
  points: number;
};
export type FuelDay = {
  day: string;
  start_time: number;
  end_time: number;
  /** The number of readings, and the position of the first one. */
  points: number;
  place: Position;
  start: number;
  end: number;
  filled: number;
  drained: number;
  /** The loss while the engine was off, without drains. */
  idle_loss: number;
  meters: number;
};
export type FuelHistory = { changes: FuelChange[]; days: FuelDay[] };

export type FuelFilters = {
  /** A share of the volume: readings that differ by more from both neighbours are ignored. */
  surge: number | null;
  /** km/h: readings at a greater speed are ignored. */
  speed: number | null;
};

/** A reading with the distance driven until then. */
export type FuelSample = { level: number; point: TrackPoint; isOn: boolean; meters: number };

/** `watch` gets each reading that counts, in order. */
type FuelOptions = {
  filters: FuelFilters;
  ignition: Switch;
  dayOf(ms: number): string;
  watch(sample: FuelSample): void;
};

/** The fillings, drains and days of a tank, from its readings along the points. */
export async function computeFuelHistory(
  data: TrackerData,
  gauge: Gauge,
  { filters, ignition, dayOf, watch }: FuelOptions,
): Promise<FuelHistory> {
  const analyzer = new FuelAnalyzer(gauge, dayOf);
  const take = (sample: FuelSample) => {
    analyzer.add(sample);
    watch(sample);
  };
  let distance = 0;
  let isOn = false;
  let meters = 0;
  const waiting: FuelSample[] = [];
  const surge = filters.surge === null ? Number.POSITIVE_INFINITY : filters.surge * analyzer.volume;
  for await (const { point, values } of readValues(data, [gauge], ignition.attributes)) {
    isOn = ignition.isOn(point) ?? isOn;
    meters += point.step_meters;
    distance += point.step_meters;
    const [level = null] = values;
    if (level === null || (filters.speed !== null && point.speed > filters.speed)) continue;
    analyzer.addDistance(point.time, meters);
    meters = 0;
    waiting.push({ level, point, isOn, meters: distance });
    if (waiting.length < 3) continue;
    const [first, middle, last] = waiting;
    if (first && middle && last && isSurge(first.level, middle.level, last.level, surge)) waiting.splice(1, 1);
    else if (first) take(first);
    if (waiting.length === 3) waiting.shift();
  }
  for (const sample of waiting) take(sample);
  return analyzer.history();
}

function isSurge(before: number, level: number, after: number, threshold: number) {
  const [rise, fall] = [level - before, level - after];
  return rise * fall > 0 && Math.min(Math.abs(rise), Math.abs(fall)) > threshold;
}

/**
 * Analyzes levels in order. A change above the threshold within ten minutes is a filling or a drain, not consumption.
 */
class FuelAnalyzer {
  readonly volume: number;
  #threshold: number;
  #gapMs: number;
  #dayOf: (ms: number) => string;
  #recent: FuelSample[] = [];
  #open: (FuelChange & { end: FuelSample }) | undefined;
  #last: FuelSample | undefined;
  #changes: FuelChange[] = [];
  #days: FuelDay[] = [];
  /** Meters driven before the day's first reading. */
  #ahead = 0;

  constructor({ sensor, curve }: Gauge, dayOf: (ms: number) => string) {
    const { parameters, accuracy } = sensor.type === "metering" ? sensor : { parameters: {}, accuracy: 0 };
    const volume = "volume" in parameters ? parameters.volume : null;
    this.volume =
      typeof volume === "number" && volume > 0 ? volume : Math.max(DEFAULT_VOLUME, ...curve.map(({ out }) => out));
    this.#threshold = (Math.max(MIN_CHANGE_PERCENT, accuracy) * this.volume) / 100;
    const gap = "refuel_gap_minutes" in parameters ? Number(parameters.refuel_gap_minutes) : 5;
    this.#gapMs = gap * MINUTE_MS;
    this.#dayOf = dayOf;
  }

  /** Adds the distance since the reading before. */
  addDistance(time: number, meters: number) {
    const day = this.#dayAt(time);
    if (day) day.meters += meters;
    else this.#ahead += meters;
  }

  add(sample: FuelSample) {
    const { level, point } = sample;
    const day = this.#dayAt(point.time) ?? this.#beginDay(point, this.#last?.level ?? level);
    day.end = level;
    day.end_time = point.time;
    day.points++;
    const leap = this.#leapTo(sample);
    if (leap) this.#note(leap, sample);
    else if (this.#open && !this.#goesOn(sample)) this.#close();
    const last = this.#last;
    const fell = last && !leap && !this.#open ? last.level - level : 0;
    if (last && !last.isOn && point.follows) day.idle_loss += Math.max(0, fell);
    this.#last = sample;
  }

  history(): FuelHistory {
    this.#close();
    return { changes: this.#changes, days: this.#days };
  }

  #dayAt(time: number) {
    const last = this.#days.at(-1);
    return last?.day === this.#dayOf(time) ? last : undefined;
  }

  #beginDay({ time, lat, lng }: TrackPoint, start: number): FuelDay {
    const nothing = { filled: 0, drained: 0, idle_loss: 0, meters: this.#ahead };
    const times = { start_time: time, end_time: time, points: 0, place: { lat, lng } };
    const day = { day: this.#dayOf(time), ...times, start, end: start, ...nothing };
    this.#ahead = 0;
    this.#days.push(day);
    return day;
  }

  /** The reading, within the last ten minutes, from which the level changed by more than the threshold. */
  #leapTo(sample: FuelSample): FuelSample | undefined {
    const { level, point } = sample;
    // A change during a silence counts as one at once.
    const last = this.#recent.at(-1);
    this.#recent = this.#recent.filter((one) => one === last || point.time - one.point.time <= MAX_LEAP_MS);
    // The nearest such reading: consumption before it is no part of the change.
    let index = this.#recent.findLastIndex((one) => Math.abs(level - one.level) >= this.#threshold);
    const isRise = level > (this.#recent[index]?.level ?? level);
    while (isRise && (this.#recent[index - 1]?.level ?? level) < (this.#recent[index]?.level ?? 0)) index--;
    const from = this.#recent[index];
    this.#recent = from ? [sample] : [...this.#recent, sample];
    return from;
  }

  #note(from: FuelSample, to: FuelSample) {
    const open = this.#open;
    const isSameWay = open && Math.sign(to.level - from.level) === Math.sign(open.after - open.before);
    if (open && isSameWay && from.point.time - open.end_time <= this.#gapMs) {
      Object.assign(open, { after: to.level, end_time: to.point.time, end: to, points: open.points + 1 });
      return;
    }
    this.#close();
    const { time, lat, lng } = from.point;
    const change = { start_time: time, end_time: to.point.time, before: from.level, after: to.level, points: 2 };
    this.#open = { ...change, place: { lat, lng }, end: to };
  }

  /** A further rise, shortly after a filling, belongs to it; a drain stays open in the same way. */
  #goesOn(sample: FuelSample) {
    const open = this.#open;
    if (!open || sample.point.time - open.end_time > this.#gapMs) return false;
    const isFilling = open.after > open.before;
    if (isFilling && sample.level > open.after) {
      Object.assign(open, { after: sample.level, end_time: sample.point.time, end: sample, points: open.points + 1 });
    }
    return true;
  }

  #close() {
    const open = this.#open;
    this.#open = undefined;
    if (!open) return;
    const { end, ...change } = open;
    this.#changes.push(change);
    const day = this.#days.find((one) => one.day === this.#dayOf(change.start_time)) ?? this.#days.at(-1);
    if (!day) return;
    if (change.after > change.before) day.filled += change.after - change.before;
    else day.drained += change.before - change.after;
  }
}

/** Liters, if neither the sensor nor its curve says how much the tank holds. */
const DEFAULT_VOLUME = 100;
/** A share of the volume in percent: smaller changes are consumption or moving fuel. */
const MIN_CHANGE_PERCENT = 5;
const MAX_LEAP_MS = 10 * MINUTE_MS;
