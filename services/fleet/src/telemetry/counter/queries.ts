import { and, asc, eq, exists, type SQL, sql } from "drizzle-orm";
import type { Actor } from "#shared/caller/audit.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Database } from "#shared/database/open.ts";
import { demand, read, write } from "#shared/database/steps.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { recordChange } from "../../outbox/audit.ts";
import { type CounterRow, counter } from "../../table/telemetry/counter.ts";
import { counterSegment } from "../../table/telemetry/counter-segment.ts";
import { sensor } from "../../table/telemetry/sensor.ts";
import {
  type IdSet,
  isOnAnyOriginal,
  isOnOriginal,
  isOwn,
  requireAllUsable,
  requireOriginal,
  requireUsable,
  selectUsable,
} from "../../tracker/origin-queries.ts";
import { type Anchors, CURRENT_SOURCE, ensureCounters, IS_METERING, recount } from "./source-queries.ts";
import type { SegmentedCounter } from "./value.ts";

type Type = CounterRow["type"];
type CounterSearch = { type?: Type; until?: number };

/** The tracker with its counters; a clone has those of its original. */
export async function selectCounters(
  db: Database,
  principal: Principal,
  tracker_id: number,
  search: CounterSearch = {},
) {
  const { trackers, rows } = await read(db, {
    trackers: selectUsable(db, principal, [tracker_id]),
    rows: selectCounterRows(db, principal, [tracker_id], search),
  });
  return { tracker: requireUsable(trackers, 204), counters: rows.map(toSegmentedCounter) };
}

/** Each of the trackers with its counters of the type; 217 unless all trackers are usable. */
export async function selectCountersOf(db: Database, principal: Principal, ids: number[], type: Type) {
  const { trackers, rows } = await read(db, {
    trackers: selectUsable(db, principal, ids),
    rows: selectCounterRows(db, principal, ids, { type }),
  });
  const byFeed = Map.groupBy(rows.map(toSegmentedCounter), ({ tracker_id }) => tracker_id);
  return requireAllUsable(trackers, ids).map((tracker) => ({ tracker, counters: byFeed.get(tracker.feed_id) ?? [] }));
}

/** The current source of the tracker's engine hours; 214 without an ignition. */
export async function requireIgnition(db: Database, principal: Principal, tracker_id: number) {
  const { tracker, counters } = await selectCounters(db, principal, tracker_id, { type: "engine_hours" });
  const { feed_id } = requireOriginal([tracker], 204);
  const last = counters[0]?.segments.at(-1);
  if (!last) throw new ApiError(214);
  return { feed_id, source: last.source, store_period: tracker.store_period };
}

/**
 * The query for counters with their segments since the last set value (with `until`: the last one set before that
 * time).
 */
export function selectCounterRows(db: Database, principal: Principal, ids: IdSet, { type, until }: CounterSearch = {}) {
  return selectCounterRowsWhere(db, and(isOnOriginal(principal, counter, ids), type && eq(counter.type, type)), until);
}

/** The query for counters of any account, for sweeps. */
export function selectAnyCounterRows(db: Database, ids: IdSet) {
  return selectCounterRowsWhere(db, isOnAnyOriginal(counter, ids));
}

function selectCounterRowsWhere(db: Database, condition: SQL | undefined, until?: number) {
  const before = until === undefined ? sql`TRUE` : sql`max(one.from_time, one.set_time) <= ${until}`;
  // Drizzle writes selected columns without their table, which in a subquery would name another table's column.
  const segments = sql<string>`(SELECT json_group_array(json_object('from_time', from_time, 'multiplier', multiplier,
      'source', json(source), 'value', value, 'set_time', set_time)) FROM (
    SELECT * FROM ${counterSegment} AS part WHERE part.counter_id = counter.id AND part.id >= coalesce((
      SELECT max(one.id) FROM ${counterSegment} AS one WHERE one.counter_id = counter.id AND one.value IS NOT NULL
      AND ${before}), 0) ORDER BY part.id DESC LIMIT ${MAX_SEGMENTS}))`;
  return db.select({ counter, segments }).from(counter).where(condition).orderBy(asc(counter.id));
}

export function toSegmentedCounter({ counter, segments }: { counter: CounterRow; segments: string }): SegmentedCounter {
  return { ...counter, segments: JSON.parse(segments).reverse() };
}

type CounterChange = { tracker_id: number; type: Type; multiplier: number; sensor_id?: number | null };

/** Changes how a counter counts. The value counted up to the anchor stays. */
export async function changeCounter(
  db: Database,
  principal: Principal,
  { tracker_id, type, multiplier, sensor_id }: CounterChange,
  anchors: Anchors,
  actor: Actor,
) {
  const own = and(isOfTracker(principal, tracker_id), eq(counter.type, type));
  const isThere = (condition?: SQL) => exists(db.select().from(counter).where(and(own, condition)));
  const isMeasured = sql`EXISTS (SELECT 1 FROM ${sensor} AS s WHERE s.id = ${sensor_id ?? null} AND ${IS_METERING})`;
  const hasSensor = typeof sensor_id === "number" ? isThere(isMeasured) : undefined;
  await write(db, {
    existing: demand(isThere(), () => new ApiError(204)),
    sensor: demand(hasSensor, () => invalid("sensor_id", "must be a metering sensor of the tracker")),
    update: db.update(counter).set({ multiplier, sensor_id }).where(own),
    record: recordChange(db, actor, {
      is: ["counter", "update"],
      entry_id: tracker_id,
      payload: { type, multiplier, sensor_id },
    }),
    ...recount(db, anchors),
  });
}

/** Sets a counter's value; it continues counting from there. */
export async function setCounterValue(
  db: Database,
  principal: Principal,
  { tracker_id, type, value }: { tracker_id: number; type: Type; value: number },
  anchors: Anchors,
  actor: Actor,
) {
  await write(db, {
    counter: ensureCounters(db, anchors, [type]),
    segment: db.insert(counterSegment).select(
      sql`SELECT NULL, ${counter.account_id}, ${counter.id}, anchor.time, ${counter.multiplier}, ${CURRENT_SOURCE}, ${value},
          ${actor.action_date}
        FROM ${anchors.rows} AS anchor JOIN ${counter} ON ${counter.tracker_id} = anchor.id
        WHERE ${isOfTracker(principal, tracker_id)} AND ${counter.type} = ${type}`,
    ),
    record: recordChange(db, actor, { is: ["counter", "set"], entry_id: tracker_id, payload: { type, value } }),
  });
}

function isOfTracker(principal: Principal, tracker_id: number): SQL | undefined {
  return and(
    eq(counter.account_id, principal.account_id),
    eq(counter.tracker_id, tracker_id),
    isOwn(principal, tracker_id),
  );
}

/** Segments read per counter: the newest since the last set value. No real counter has more. */
const MAX_SEGMENTS = 1000;
