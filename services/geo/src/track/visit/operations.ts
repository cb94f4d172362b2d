import * as z from "zod";
import { WorkBudget } from "#shared/background/work-budget.ts";
import { storedRange } from "#shared/contract/tracker/stored-range.ts";
import { requireTracker } from "#shared/contract/tracker/visible-tracker.ts";
import { ApiError, invalid } from "#shared/error/api-error.ts";
import { requireSpan } from "#shared/time/span.ts";
import { readPoints } from "../../chunk/read-points.ts";
import type { GeoEnv } from "../../env.ts";
import { feedOf } from "../../object/addresses.ts";
import { operation } from "../../operation.ts";
import { type Area, placesNear, zonesNear } from "../../place/area/areas-queries.ts";
import { isForward, NOT_FORWARD, RANGE_INPUT } from "../schema.ts";
import { VisitedPositions } from "./visited-positions.ts";

export const listTrackVisits = operation("/track/visit/list", {
  summary: "The zones and places in which a tracker was in a range of at most 26 hours",
  reads: true,
  expensive: true,
  input: z
    .object({ ...RANGE_INPUT, include_zones: z.boolean().default(true), include_places: z.boolean().default(true) })
    .refine(isForward, NOT_FORWARD),
  output: z.object({ value: z.object({ zones: z.array(z.int()), places: z.array(z.int()) }) }),
  errors: [204, 208, 211],
  async run({ tracker_id, include_zones, include_places, ...given }, { db, env, principal, clock }) {
    requireVisitSpan(given, env, clock.zone);
    const visible = await env.FLEET.trackersOf(principal, [tracker_id]);
    const tracker = requireTracker(visible, { missing: 204 });
    const { from, to } = storedRange(given, [tracker.store_period, principal.store_period], clock);
    // The feed knows the extent of its points, so areas are queried while points are read.
    const box = from > to ? null : await feedOf(env, tracker.feed.tracker_id).extent(from, to);
    if (!box) return { value: { zones: [], places: [] } };
    const budget = new WorkBudget({ limit: MAX_VISIT_STEPS, error: tooManyPointsError });
    const [visited, zones, places] = await Promise.all([
      readVisited(readPoints(env, tracker.feed, from, to), budget),
      readFirst(include_zones ? zonesNear(db, principal, box) : noPages()),
      readFirst(include_places ? placesNear(db, principal, box) : noPages()),
    ]);
    const touched = {
      zones: await findTouched(zones, visited, budget),
      places: await findTouched(places, visited, budget),
    };
    return { value: touched };
  },
});

export const operations = [listTrackVisits];

function requireVisitSpan(range: { from: number; to: number }, { MAX_SPANS }: GeoEnv, zone: string) {
  try {
    requireSpan(range, MAX_SPANS, "visits", zone);
  } catch {
    throw new ApiError(211, { max_time_span: JSON.parse(MAX_SPANS).visits });
  }
}

async function readVisited(pages: ReturnType<typeof readPoints>, budget: WorkBudget) {
  const visited = new VisitedPositions();
  for await (const { points } of pages) {
    for (const point of points) {
      visited.add(point);
      const pause = budget.spend(STEPS_PER_POINT);
      if (pause) await pause;
    }
  }
  return visited;
}

async function findTouched(pages: AsyncIterable<Area[]>, visited: VisitedPositions, budget: WorkBudget) {
  const ids: number[] = [];
  for await (const page of pages) {
    for (const area of page) {
      if (await visited.isInside(area, budget)) ids.push(area.id);
      const pause = budget.spend(STEPS_PER_AREA);
      if (pause) await pause;
    }
  }
  return ids;
}

function tooManyPointsError() {
  return invalid("to", "has too many points for so many zones and places: ask for less");
}

/** Requests the first page at once, not when the caller iterates. */
async function readFirst(pages: AsyncGenerator<Area[]>): Promise<AsyncIterable<Area[]>> {
  const first = await pages.next();
  return (async function* () {
    if (!first.done) yield first.value;
    yield* pages;
  })();
}

async function* noPages(): AsyncGenerator<Area[]> {}

/** Some seconds of CPU time: polygons of 100 points around a day with a point per second. */
const MAX_VISIT_STEPS = 2_000_000_000;
/** Noting a position takes as long as comparing so many edges of zones. */
const STEPS_PER_POINT = 100;
/** Finding the positions near an area takes as long as comparing so many edges. */
const STEPS_PER_AREA = 1000;
