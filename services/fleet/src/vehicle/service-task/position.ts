import { ApiError, type ErrorCode } from "#shared/error/api-error.ts";
import type { FleetEnv } from "../../env.ts";
import type { CounterRow } from "../../table/counter.ts";
import { toCounted } from "../../telemetry/counter/queries.ts";
import { valuesNow, valuesNowOfAble } from "../../telemetry/counter/values-now.ts";
import type { Usable } from "../../tracker/origin-queries.ts";
import { NOWHERE, type Position } from "./life.ts";

/** What counters show, and what they could show. */
export type Known = Position & { usable: boolean; countsHours: boolean };
type CounterOf = { counter: CounterRow; segments: string };
/** What a task needs of counters. */
type Needs = { mileage: boolean; engine_hours: boolean };

/** By the ids of the trackers, clones too. The feeds tell it, and no database is asked. */
export function positionsOf(env: FleetEnv, trackers: Usable[], rows: CounterOf[]) {
  return positionsBy(valuesNow, env, trackers, rows);
}

/** The same for sweeps: a feed that fails is one that shows nothing. */
export function positionsOfAble(env: FleetEnv, trackers: Usable[], rows: CounterOf[]) {
  return positionsBy(valuesNowOfAble, env, trackers, rows);
}

async function positionsBy(
  valuesOf: typeof valuesNow,
  env: FleetEnv,
  trackers: Usable[],
  rows: CounterOf[],
): Promise<Map<number, Known>> {
  const counters = Map.groupBy(rows.map(toCounted), ({ tracker_id }) => tracker_id);
  const feeds = trackers.map(({ feed_id }) => ({
    feed_id,
    counters: (counters.get(feed_id) ?? []).filter(({ type }) => type !== "fuel_consumed"),
  }));
  const values = await valuesOf(env, feeds);
  const known = trackers.map(({ tracker_id, blocked }, index) => {
    const shownBy = (type: CounterRow["type"]) => values[index]?.find((one) => one.type === type)?.value ?? null;
    const countsHours = feeds[index]?.counters.some(({ type }) => type === "engine_hours") ?? false;
    const position = { mileage: shownBy("odometer"), engine_hours: shownBy("engine_hours") };
    return [tracker_id, { ...position, usable: !blocked, countsHours }] as const;
  });
  return new Map(known);
}

/** A vehicle's, whose tracker is this. */
export function positionOn(positions: Map<number, Known>, tracker_id: number | null): Known {
  const known = tracker_id === null ? undefined : positions.get(tracker_id);
  return known ?? { ...NOWHERE, usable: false, countsHours: false };
}

/** Why the vehicle cannot have a task that needs these counters. */
export function lackOf(needs: Needs, { usable, countsHours, ...position }: Known): ErrorCode | undefined {
  if (!needs.mileage && !needs.engine_hours) return undefined;
  if (!usable) return 201;
  if (needs.engine_hours && !countsHours) return 214;
  return isMissing(needs, position) ? 201 : undefined;
}

export function requireValues(needs: Needs, position: Position) {
  if (isMissing(needs, position)) throw new ApiError(201);
}

export function needsOf({ mileage_limit, hours_limit }: { mileage_limit: number | null; hours_limit: number | null }) {
  return { mileage: mileage_limit !== null, engine_hours: hours_limit !== null };
}

function isMissing(needs: Needs, { mileage, engine_hours }: Position) {
  return (needs.mileage && mileage === null) || (needs.engine_hours && engine_hours === null);
}
