import type { Position } from "#shared/geometry/position.ts";
import { type TripState, tripStart } from "../../object/trip.ts";
import type { Point } from "../../point/point.ts";

/** Everything that evaluation of the next point depends on. Plain data, stored as JSON. */
export type EvaluationState = {
  /** The last point with its effective speed. */
  last: SeenPoint | null;
  trip: TripState;
  /** True during a trip. Otherwise `parked` is when and where the last trip ended. */
  isDriving: boolean;
  parked: { time: number; lat: number; lng: number } | null;
  /** Where the vehicle last showed movement. */
  lastMovedAt: Position | null;
  inputs: number | null;
  outputs: number | null;
  /** Last values of the attributes that rules watch. */
  attributes: Record<string, string | number | boolean>;
  rules: Record<number, RuleState>;
};

export type SeenPoint = Pick<Point, "time" | "lat" | "lng" | "precision" | "gsm_lbs"> & { speed: number };

/** The state of one rule. */
export type RuleState = {
  key: string;
  /** When the rule last fired. */
  firedAt: number | null;
  /** Zones that contain the tracker, or whose border it may be crossing. */
  zones: Record<number, Presence>;
  /** Whether the rule's condition held at the last point. */
  isConditionMet: boolean;
  /** Start of the time span that the rule measures. */
  since: number | null;
  /** The last value that the rule compared. */
  lastValue: number | string | null;
  /** Values of the last minutes, to detect leaps. */
  recentValues: [time: number, value: number][];
};

export type Presence = {
  inside: boolean;
  /**
   * Fixes on the other side of the border that do not yet confirm an entry or exit: the first of them, and their
   * number.
   */
  pendingChange: { time: number; lat: number; lng: number; precision: number | null; count: number } | null;
};

export function initialState(): EvaluationState {
  return {
    last: null,
    trip: tripStart(),
    isDriving: false,
    parked: null,
    lastMovedAt: null,
    inputs: null,
    outputs: null,
    attributes: {},
    rules: {},
  };
}

export function initialRuleState(key: string): RuleState {
  return { key, firedAt: null, zones: {}, isConditionMet: false, since: null, lastValue: null, recentValues: [] };
}
