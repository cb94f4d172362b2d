import type { EventName } from "#shared/contract/event/event.ts";
import type { Position } from "#shared/geometry/position.ts";
import type { Gauge } from "#shared/telemetry/sensor.ts";
import type { Bounds } from "../point/bounds.ts";
import type { Point } from "../point/point.ts";
import type { Interval, RuleType } from "../table/rule/rule.ts";
import type { ZoneType } from "../table/zone/zone.ts";
import type { StoredHole, StoredPoint } from "../table/zone/zone-outline.ts";

/** The part of a rule that evaluation of points needs. */
export type WatchedRule = {
  id: number;
  type: RuleType;
  param: number;
  extended: Record<string, unknown>;
  isZoned: boolean;
  schedule: Interval[];
  /** The account's time zone, in which the schedule is read. */
  time_zone: string;
  /** The sensor that the rule watches; null: none, or it was removed. */
  gauge: Gauge | null;
  /** The rule's version: with another key the rule is evaluated anew, without its earlier state. */
  key: string;
};

/** A zone that may be near the tracker, with the ids of the rules that name it. */
export type NearZone = Bounds & {
  id: number;
  label: string;
  type: ZoneType;
  radius: number | null;
  points: StoredPoint[] | null;
  holes?: StoredHole[] | null;
  /** The box of the whole zone. */
  reach: Bounds;
  rules: number[];
};

export type ZoneName = Pick<NearZone, "id" | "label">;

export type Attributes = NonNullable<Point["attributes"]>;

/** Finds zones that rules name by position. */
export interface ZoneIndex {
  /** Zones that may contain the position, perhaps more. */
  zonesAt(position: Position): NearZone[];
  /** Zones that the straight line may touch, perhaps more. */
  zonesAlong(from: Position, to: Position): NearZone[];
}

/** A rule fired at a point. The same points always give the same events. */
export type RuleEvent = Position & {
  rule_id: number;
  event: EventName;
  /** Which of the rule's texts describes the event. */
  text: "primary" | "secondary";
  time: number;
  precision: number | null;
  /** Zones that were entered or left, or in which the rule applies. */
  zones: ZoneName[];
  /** The measured value, for the event's text. */
  value?: string;
  sensor_id?: number;
};

export function isOn({ extended }: WatchedRule, name: string) {
  return extended[name] === true;
}

export function numberIn({ extended }: WatchedRule, name: string): number | null {
  const value = extended[name];
  return typeof value === "number" ? value : null;
}
