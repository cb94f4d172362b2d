import { numberOf, type VirtualRule, virtualValue } from "#shared/telemetry/sensor.ts";
import { HOUR_MS } from "#shared/time/duration.ts";
import { metersOfStep } from "../point/measured.ts";
import type { Identity, Point } from "../point/point.ts";
import { type Channel, type Summary, valueHours } from "./summary.ts";

/** The name of a virtual sensor's channel: JSON of the attribute and the rule. */
export type RuleName = string;
type Rule = { channel: string; attribute: string; rule: VirtualRule };

/** Sums up quantities along points in time order. */
export class Meter {
  /** Kept alive, as V8 discards compiled code of a class without instances. */
  static readonly IDLE = new Meter([], []);

  #last: Identity | null = null;
  /** The point before the last one. */
  #before: Identity | null = null;
  #meters = 0;
  #fixes: { first: Identity; last: Identity } | null = null;
  #channels = new Map<string, Channel & { first: { time: number; value: number } }>();
  #times: number[] = [];
  #columns = new Map<string, number[]>();
  #rules: Rule[];
  /** Moments of marks besides those of each hour, ascending; the caller may append more. */
  #pins: readonly number[];
  #nextPin = 0;
  #stepMs: number;

  constructor(rules: RuleName[], pins: readonly number[], stepMs = HOUR_MS) {
    this.#rules = rules.map(parseRule);
    this.#pins = pins;
    this.#stepMs = stepMs;
  }

  /** `distance`: meters from the point before, if the caller has it. */
  add(point: Point, distance?: number) {
    const { time, inputs, attributes } = point;
    if (this.#last && this.#needsMark(this.#last.time, time)) this.#mark(this.#last.time);
    this.#before = this.#last;
    this.#last = point;
    if (!point.gsm_lbs) this.#move(point, distance);
    if (inputs !== null) {
      for (const [bit, name] of INPUTS.entries()) this.#sample(name, time, (inputs >>> bit) & 1);
    }
    if (!attributes) return;
    for (const name in attributes) {
      const value = numberOf(attributes[name]);
      if (value !== null && this.#acceptsChannel(`a:${name}`)) this.#sample(`a:${name}`, time, value);
    }
    for (const { channel, attribute, rule } of this.#rules) {
      const value = virtualValue(attributes[attribute], rule);
      if (value !== null) this.#sample(channel, time, isOn(value) ? 1 : 0);
    }
  }

  /** The summary so far, which later points do not change; null without points. */
  summary(): Summary | null {
    if (!this.#last) return null;
    const columns: Record<string, number[]> = {};
    for (const [of, value] of this.#quantities()) {
      if (value === 0) continue;
      const known = this.#columns.get(of) ?? [];
      columns[of] = [...zeros(this.#times.length - known.length), ...known, roundToMicro(value)];
    }
    return {
      last: this.#last.time,
      meters: this.#meters,
      fixes: this.#fixes && { first: identityOf(this.#fixes.first), last: identityOf(this.#fixes.last) },
      channels: Object.fromEntries([...this.#channels].map(([name, channel]) => [name, { ...channel }])),
      marks: { times: [...this.#times, this.#last.time], columns },
    };
  }

  #move(fix: Point, distance: number | undefined) {
    if (!this.#fixes) this.#fixes = { first: fix, last: fix };
    this.#meters += metersOfStep(this.#fixes.last, fix, this.#fixes.last === this.#before ? distance : undefined);
    this.#fixes.last = fix;
  }

  /** Bounds the number of channels, as a device may invent names. */
  #acceptsChannel(name: string) {
    return this.#channels.size < MAX_CHANNELS || this.#channels.has(name);
  }

  #sample(name: string, time: number, value: number) {
    const channel = this.#channels.get(name);
    if (!channel) {
      this.#channels.set(name, { first: { time, value }, time, value, rise: 0, hours: 0 });
      return;
    }
    if (value > channel.value) channel.rise += value - channel.value;
    if (channel.value !== 0) channel.hours += valueHours(channel.value, time - channel.time);
    channel.time = time;
    channel.value = value;
  }

  #needsMark(last: number, time: number) {
    if (Math.floor(last / this.#stepMs) !== Math.floor(time / this.#stepMs)) return true;
    while ((this.#pins[this.#nextPin] ?? Number.POSITIVE_INFINITY) < last) this.#nextPin++;
    return (this.#pins[this.#nextPin] ?? Number.POSITIVE_INFINITY) < time;
  }

  #mark(time: number) {
    for (const [of, value] of this.#quantities()) {
      if (value === 0) continue;
      const column = this.#columns.get(of) ?? zeros(this.#times.length);
      // A quantity that is not 0 never becomes 0 again.
      column.push(roundToMicro(value));
      this.#columns.set(of, column);
    }
    this.#times.push(time);
  }

  *#quantities(): Generator<[string, number]> {
    yield ["meters", this.#meters];
    for (const [name, { rise, hours }] of this.#channels) {
      yield [`rise ${name}`, rise];
      yield [`hours ${name}`, hours];
    }
  }
}

/** `distances`: meters between neighbours, if the caller has them. */
export function summarize(
  points: Point[],
  rules: RuleName[],
  pins: readonly number[],
  distances?: Float64Array,
): Summary | null {
  const meter = new Meter(rules, pins, stepFor(points));
  for (let index = 0; index < points.length; index++) {
    const point = points[index];
    if (point) meter.add(point, distances?.[index]);
  }
  return meter.summary();
}

/** The interval of marks: an hour, or more if there would be too many marks. */
function stepFor(points: Point[]) {
  const span = (points.at(-1)?.time ?? 0) - (points[0]?.time ?? 0);
  return (STEP_HOURS.find((hours) => span <= hours * HOUR_MS * MAX_MARKS) ?? 168) * HOUR_MS;
}

function identityOf({ time, lat, lng }: Identity): Identity {
  return { time, lat, lng };
}

function parseRule(channel: RuleName): Rule {
  // The fleet service made this JSON from a validated rule.
  const [attribute, rule]: [string, VirtualRule] = JSON.parse(channel.slice("v:".length));
  return { channel, attribute, rule };
}

/** A text counts as on if it is neither empty nor 0. */
function isOn(value: string) {
  return (numberOf(value) ?? (value === "" ? 0 : 1)) !== 0;
}

function zeros(count: number): number[] {
  return Array.from({ length: count }, () => 0);
}

/** Rounds to 1e-6: finer digits would only lengthen the JSON. */
function roundToMicro(value: number) {
  return Math.round(value * 1e6) / 1e6;
}

const INPUTS = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => `i:${number}`);
const STEP_HOURS = [1, 2, 3, 6, 12, 24];
const MAX_MARKS = 400;
/** The 64 attributes that a point may have, and the inputs. */
const MAX_CHANNELS = 80;
