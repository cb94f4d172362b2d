import { expect, test } from "vitest";
import { Mutex } from "#shared/background/mutex.ts";
import { systemNow } from "#shared/time/clock.ts";
import { chanceOf } from "../../../../../test/tool/chance.ts";
import { pointAt, ruleOf, star } from "../../../../../test/tool/point/rules.ts";
import { newObjectStorage } from "../../../../../test/tool/system/object-storage.ts";
import type { GeoEnv } from "../../env.ts";
import type { Alarm } from "../../object/alarm.ts";
import { DEFAULT_TRIP_SETTINGS } from "../../object/trip.ts";
import type { Point } from "../../point/point.ts";
import { PointBatch } from "../../point/point-batch.ts";
import { type FeedParts, RuleWatch } from "./rule-watch.ts";

const RULES = [
  ruleOf({ id: 1, key: "gate", type: "inoutzone", isZoned: true, extended: { confirm_points: 1 } }),
  ruleOf({ id: 2, key: "stay", type: "excessive_parking", extended: { max_parking_duration: 20 } }),
].map((rule) => ({
  ...{ ...rule, primary_text: "in", secondary_text: "out", private_to: null },
  alerts: { push_enabled: false, emails: [], emergency: false },
}));
const ZONES = Array.from({ length: 20 }, (_, index) => star(8 + index / 100, 50, 0.1, 40, index + 1));

/** Drives through the stars with parkings, and ends with one. */
const DRIVE = Array.from({ length: 400 }, (_, index) => {
  const isParked = index % 100 >= 60;
  const moved = Math.min(index % 100, 60) + 60 * Math.floor(index / 100);
  const position = { lat: 50 + 0.08 * Math.sin(moved / 7), lng: 8 + 0.08 * Math.cos(moved / 5) };
  return pointAt(index * 60, position.lat, position.lng, { speed: isParked ? 0 : 50 });
});

test("RuleWatch finds the same events in many short turns as in one, also when points arrive in between and late", async () => {
  const [whole, cut] = [newWatch(Number.POSITIVE_INFINITY), newWatch(0)];
  const chance = chanceOf(9);
  const late = DRIVE.filter(() => chance() < 0.1);
  const early = DRIVE.slice(0, 250).filter((point) => !late.includes(point));
  for (const { add, noteDelivered } of [whole, cut]) {
    for (const points of [early, DRIVE.slice(250).filter((point) => !late.includes(point)), late]) {
      await add(points);
      noteDelivered();
    }
  }
  expect(whole.events().length).toBeGreaterThan(20);
  expect(cut.events()).toEqual(whole.events());
  expect(whole.turns()).toBeLessThan(10);
  expect(cut.turns()).toBeGreaterThan(300);
});

test("RuleWatch releases the feed's mutex between turns, and acknowledges points that arrive meanwhile", async () => {
  const { add, mutex, turns, pending } = newWatch(0);
  const evaluation = add(DRIVE.slice(0, 100));
  const turnsBeforeFlush = await mutex.run(async () => turns());
  expect(turnsBeforeFlush).toBeLessThan(5);
  expect(pending()).toBeDefined();
  void add(DRIVE.slice(100, 120));
  await evaluation;
  expect([pending(), turns() > 100]).toEqual([undefined, true]);
});

/** A watch whose feed has the points that were added, as a feed has them in its memory. */
function newWatch(maxStepsPerTurn: number) {
  const storage = newObjectStorage();
  storage.kv.put("rules", { version: "1", rules: RULES });
  const directory = {
    currentRules: async () => ({ rules: null, workRevision: null, stamp: null }),
    zonesOf: async (_: number, __: string, squares: number[]) => ({
      squares: squares.map((square) => [square, ZONES.map(({ id }) => id)]),
      zones: ZONES,
    }),
  };
  // Only what rules ask of their surroundings.
  const env = {
    RULES: { getByName: () => directory },
    RULE_LATE_HOURS: "1000000",
  } as unknown as GeoEnv;
  const memory = { open: [] as Point[], lastBefore: (time: number) => memory.open.findLast((one) => one.time < time) };
  const mutex = new Mutex();
  let evaluation = Promise.resolve();
  let turns = 0;
  const counted = {
    run: <T>(work: () => Promise<T>) => {
      turns++;
      return mutex.run(work);
    },
  };
  const feed = {
    memory,
    stored: { catalogue: { all: () => [], firstSince: () => 0 } },
    trips: { rules: { ...DEFAULT_TRIP_SETTINGS, gapMs: 1_800_000 }, idAt: () => null },
    alarm: { schedule() {}, cancel() {} } as unknown as Alarm,
    mutex: counted,
  } as unknown as FeedParts;
  const ctx = {
    storage,
    waitUntil(work: Promise<void>) {
      evaluation = work;
    },
  } as unknown as DurableObjectState;
  const watch = new RuleWatch(ctx, env, feed, () => ({ account_id: 1, tracker_id: 1 }), maxStepsPerTurn);
  return {
    mutex,
    turns: () => turns,
    pending: () => storage.kv.get<number>("rules_pending_from"),
    /** Adds points as an acknowledgement does; the promise is the evaluation that runs after it. */
    add(points: Point[]): Promise<void> {
      memory.open = [...memory.open, ...points].sort((one, other) => one.time - other.time);
      watch.notePoints(PointBatch.of(points.toSorted((one, other) => one.time - other.time)), systemNow());
      return evaluation;
    },
    /** Events and corrections. */
    events: () =>
      storage.sql
        .exec<{ event: string; time: number }>(
          "SELECT event ->> 'event' AS event, event ->> 'time' AS time FROM rule_event",
        )
        .toArray()
        .map(({ event, time }) => `${time} ${event}`)
        .toSorted(),
    noteDelivered: () => storage.sql.exec("UPDATE rule_event SET attempted = 1"),
  };
}
