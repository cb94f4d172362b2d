import { ApiError, type ErrorCode } from "#shared/error/api-error.ts";
import type { FleetEnv } from "../../env.ts";
import type { CounterRow } from "../../table/telemetry/counter.ts";
import { toSegmentedCounter } from "../../telemetry/counter/queries.ts";
import { readAvailableValues, readValuesNow } from "../../telemetry/counter/values-now.ts";
import type { UsableTracker } from "../../tracker/origin-queries.ts";
import { type CounterValues, NO_VALUES } from "./stage.ts";

/**
 * The values of a vehicle's counters; `usable`: its tracker is not blocked; `countsHours`: it has an engine hours
 * counter.
 */
export type CounterState = CounterValues & { usable: boolean; countsHours: boolean };
type CounterWithSegments = { counter: CounterRow; segments: string };
/** The counters that a task's conditions need. */
type Needs = { mileage: boolean; engine_hours: boolean };

/** The counters of the trackers by tracker id, clones included. The values come from the feeds, not from a database. */
export function readCounterStates(env: FleetEnv, trackers: UsableTracker[], rows: CounterWithSegments[]) {
  return readStates(readValuesNow, env, trackers, rows);
}

/** The counters of trackers for sweeps: trackers whose feed fails have no values. */
export function readAvailableCounterStates(env: FleetEnv, trackers: UsableTracker[], rows: CounterWithSegments[]) {
  return readStates(readAvailableValues, env, trackers, rows);
}

async function readStates(
  readValues: typeof readValuesNow,
  env: FleetEnv,
  trackers: UsableTracker[],
  rows: CounterWithSegments[],
): Promise<Map<number, CounterState>> {
  const counters = Map.groupBy(rows.map(toSegmentedCounter), ({ tracker_id }) => tracker_id);
  const feeds = trackers.map(({ feed_id }) => ({
    feed_id,
    counters: (counters.get(feed_id) ?? []).filter(({ type }) => type !== "fuel_consumed"),
  }));
  const values = await readValues(env, feeds);
  const states = trackers.map(({ tracker_id, blocked }, index) => {
    const shownBy = (type: CounterRow["type"]) => values[index]?.find((one) => one.type === type)?.value ?? null;
    const countsHours = feeds[index]?.counters.some(({ type }) => type === "engine_hours") ?? false;
    const counterState = { mileage: shownBy("odometer"), engine_hours: shownBy("engine_hours") };
    return [tracker_id, { ...counterState, usable: !blocked, countsHours }] as const;
  });
  return new Map(states);
}

/** The counters of a vehicle by its tracker; no values without one. */
export function counterStateOn(counterStates: Map<number, CounterState>, tracker_id: number | null): CounterState {
  const state = tracker_id === null ? undefined : counterStates.get(tracker_id);
  return state ?? { ...NO_VALUES, usable: false, countsHours: false };
}

/** The error code when the counters cannot serve a task that needs them; undefined when they can. */
export function findLack(needs: Needs, { usable, countsHours, ...counterState }: CounterState): ErrorCode | undefined {
  if (!needs.mileage && !needs.engine_hours) return undefined;
  if (!usable) return 201;
  if (needs.engine_hours && !countsHours) return 214;
  return isMissing(needs, counterState) ? 201 : undefined;
}

export function requireValues(needs: Needs, counterState: CounterValues) {
  if (isMissing(needs, counterState)) throw new ApiError(201);
}

export function needsOf({ mileage_limit, hours_limit }: { mileage_limit: number | null; hours_limit: number | null }) {
  return { mileage: mileage_limit !== null, engine_hours: hours_limit !== null };
}

function isMissing(needs: Needs, { mileage, engine_hours }: CounterValues) {
  return (needs.mileage && mileage === null) || (needs.engine_hours && engine_hours === null);
}
