import { type TripState, tripStart } from "../../object/trip.ts";
import type { Point } from "../../point/point.ts";

/** All that the next point is judged by. Plain data: it is stored, and taken up again. */
export type EvaluationState = {
  /** With its effective speed. */
  last: SeenPoint | null;
  trip: TripState;
  /** A trip was told to be under way; else when and where the last one ended. */
  isDriving: boolean;
  parked: { time: number; lat: number; lng: number } | null;
  /** Where the vehicle was when it was last seen to have moved. */
  lastMovedAt: { lat: number; lng: number } | null;
  inputs: number | null;
  outputs: number | null;
  /** Of attributes that rules watch, the last values. */
  attributes: Record<string, string | number | boolean>;
  rules: Record<number, RuleState>;
};

export type SeenPoint = Pick<Point, "time" | "lat" | "lng" | "precision" | "gsm_lbs"> & { speed: number };

/** What is known of a rule. */
export type RuleState = {
  key: string;
  /** When it fired last. */
  firedAt: number | null;
  /** Zones that the tracker is in, or that it may be about to enter or to leave. */
  zones: Record<number, Presence>;
  /** Its condition held. */
  isConditionMet: boolean;
  /** Since when something lasts that it waits for. */
  since: number | null;
  /** What it saw last. */
  lastValue: number | string | null;
  /** Values of the last minutes, for leaps. */
  recentValues: [time: number, value: number][];
};

export type Presence = {
  inside: boolean;
  /** Since when it looks otherwise, and how many points say so. */
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
