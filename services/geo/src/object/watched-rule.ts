import type { EventName } from "#shared/contract/event.ts";
import type { Gauge } from "#shared/telemetry/sensor.ts";
import type { Bounds } from "../point/bounds.ts";
import type { Point } from "../point/point.ts";
import type { Interval, RuleType } from "../table/rule/rule.ts";
import type { ZoneType } from "../table/zone/zone.ts";
import type { StoredHole, StoredPoint } from "../table/zone/zone-outline.ts";

/** Of a rule what is needed to tell by points when it fires. */
export type WatchedRule = {
  id: number;
  type: RuleType;
  param: number;
  extended: Record<string, unknown>;
  /** Whether it names zones. */
  isZoned: boolean;
  schedule: Interval[];
  /** The account's, in which the schedule is read. */
  time_zone: string;
  /** Of the sensor that it watches; null: there is none, or none any more. */
  gauge: Gauge | null;
  /** Another key: it fires at other points, so that what was known of it counts no more. */
  key: string;
};

/** A zone that may be near, with the rules that name it. */
export type NearZone = Bounds & {
  id: number;
  label: string;
  type: ZoneType;
  radius: number | null;
  points: StoredPoint[] | null;
  holes?: StoredHole[] | null;
  /** The box of all that it contains. */
  reach: Bounds;
  rules: number[];
};

/** A zone as an event names it. */
export type ZoneName = Pick<NearZone, "id" | "label">;

export type Attributes = NonNullable<Point["attributes"]>;

type Position = { lat: number; lng: number };

/** The zones that rules name, by place. */
export interface Surroundings {
  /** All that may contain the place, perhaps others. */
  at(place: Position): NearZone[];
  /** All that the straight line may touch, perhaps others. */
  along(from: Position, to: Position): NearZone[];
}

/** That a rule fires. The same points always give the same. */
export type RuleEvent = Position & {
  rule_id: number;
  event: EventName;
  /** Which of the rule's texts tells it. */
  text: "primary" | "secondary";
  /** UTC milliseconds by the device's clock. */
  time: number;
  precision: number | null;
  /** That were entered or left, or in which the rule acts. */
  zones: ZoneName[];
  /** What the rule saw, for the text. */
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
