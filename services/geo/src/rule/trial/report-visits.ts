import { WorkBudget } from "#shared/background/work-budget.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { ReportVisit, ReportVisits, VisitSearch } from "#shared/contract/report-source.ts";
import { openDatabase } from "#shared/database/open.ts";
import { type MeasuredPoints, readPoints } from "../../chunk/read-points.ts";
import type { GeoEnv } from "../../env.ts";
import type { WatchedRule } from "../../object/watched-rule.ts";
import { zoneSteps } from "../../zone/zone-steps.ts";
import { STEPS_PER_POINT } from "../evaluation/point-steps.ts";
import type { Passage } from "../evaluation/presence.ts";
import { RuleZoneIndex, TRIAL_RULE_ID } from "./rule-zone-index.ts";
import { ZoneWalk } from "./zone-walk.ts";
import { selectVisitedAreas } from "./zones-queries.ts";

type Feed = { account_id: number; tracker_id: number };

/** Times that a tracker spent in each of the zones or places. */
export async function visitsIn(
  env: GeoEnv,
  principal: Principal,
  feed: Feed,
  { thing, ids, from, to }: VisitSearch,
): Promise<ReportVisits> {
  const shapes = await selectVisitedAreas(openDatabase(env), principal, thing, ids.slice(0, MAX_AREAS));
  const things = shapes.map(({ id, label, tags }) => ({ id, label, tags }));
  if (shapes.length === 0) return { things, visits: [] };
  const recorder = new VisitRecorder(new RuleZoneIndex(shapes));
  const budget = new WorkBudget({ limit: Number.POSITIVE_INFINITY });
  for await (const page of readPoints(env, feed, from, to)) {
    await recorder.addPoints(page, budget);
    if (recorder.isFull) break;
  }
  return { things, visits: recorder.finish() };
}

/** Records visits of zones while points are added in time order. */
class VisitRecorder {
  #walk: ZoneWalk;
  #open = new Map<number, ReportVisit & { meters: number }>();
  /** The mileage when the tracker was first seen on the other side of a border. */
  #borders = new Map<number, number>();
  #visits: ReportVisit[] = [];
  #last = { time: 0, meters: 0 };

  constructor(zones: RuleZoneIndex) {
    this.#walk = new ZoneWalk(RULE, zones);
  }

  get isFull() {
    return this.#visits.length >= MAX_VISITS;
  }

  async addPoints({ points, meters }: MeasuredPoints, budget: WorkBudget) {
    for (const [index, point] of points.entries()) {
      const before = zoneSteps();
      this.#last = { time: point.time, meters: meters[index] ?? 0 };
      const { entered, passages } = this.#walk.addPoint(point);
      for (const id of entered) this.#enter(id, point, this.#last.meters);
      for (const passage of passages) this.#applyPassage(passage);
      for (const id of this.#walk.newlyCrossed) this.#borders.set(id, this.#last.meters);
      const pause = budget.spend(STEPS_PER_POINT + zoneSteps() - before);
      if (pause) await pause;
    }
  }

  finish(): ReportVisit[] {
    for (const id of this.#open.keys()) this.#leave(id, this.#last.time, this.#last.meters, true);
    return this.#visits.toSorted((one, other) => one.start_time - other.start_time);
  }

  #applyPassage({ zone, isEntry, ...position }: Passage) {
    const meters = this.#borders.get(zone.id) ?? this.#last.meters;
    this.#borders.delete(zone.id);
    if (isEntry) this.#enter(zone.id, position, meters);
    else this.#leave(zone.id, position.time, meters, false);
  }

  #enter(thing_id: number, { time, lat, lng }: Omit<Passage, "zone" | "isEntry">, meters: number) {
    if (this.#open.has(thing_id)) return;
    const visit = { thing_id, start_time: time, end_time: time, is_ongoing: false, location: { lat, lng } };
    this.#open.set(thing_id, { ...visit, length_meters: 0, meters });
  }

  #leave(thing_id: number, end_time: number, end: number, is_ongoing: boolean) {
    const open = this.#open.get(thing_id);
    this.#open.delete(thing_id);
    if (!open) return;
    const { meters, ...visit } = open;
    this.#visits.push({ ...visit, end_time, is_ongoing, length_meters: Math.max(0, end - meters) });
  }
}

const RULE: WatchedRule = {
  ...{ id: TRIAL_RULE_ID, type: "inoutzone", param: 0, extended: {}, isZoned: true, schedule: [] },
  ...{ time_zone: "UTC", gauge: null, key: "" },
};
/** Their points fit into one answer of the database. */
const MAX_AREAS = 50;
const MAX_VISITS = 20_000;
