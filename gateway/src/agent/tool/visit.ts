import * as z from "zod";
import type { AgentCaller, Parameters } from "./agent-caller.ts";
import { agentTool, cursor, localTime, trackerIds } from "./agent-tool.ts";
import { offsetOf, toAnswerPage } from "./answer-page.ts";

const RANGE = { from: localTime(), to: localTime(), tracker_ids: trackerIds().optional(), cursor: cursor() };

export const zoneVisits = agentTool("zone_visits", {
  description:
    "Which trackers were in a stored zone, and from when to when. `to` is null while a tracker is still inside.",
  input: z.object({ zone_id: z.int(), ...RANGE }),
  run({ zone_id, ...search }, caller) {
    return findVisits({ zone_id }, search, caller);
  },
});

export const whoWasHere = agentTool("who_was_here", {
  description: "Which trackers were near a position, and from when to when. `radius` in meters, 100 by default.",
  input: z.object({
    lat: z.number().min(-90).max(90),
    lng: z.number().min(-180).max(180),
    radius: z.int().min(20).max(100_000).default(100),
    ...RANGE,
  }),
  run({ lat, lng, radius, ...search }, caller) {
    return findVisits({ zone: { type: "circle", center: { lat, lng }, radius } }, search, caller);
  },
});

type VisitSearch = { from: string; to: string; tracker_ids?: number[]; cursor?: string };

async function findVisits(area: Parameters, { tracker_ids, cursor, from, to }: VisitSearch, caller: AgentCaller) {
  const offset = offsetOf(cursor);
  const trackers = tracker_ids ?? (await caller.allTrackers(MAX_TRACKERS)).map(({ tracker_id }) => tracker_id);
  if (trackers.length === 0) return { list: [] };
  const search = { ...area, trackers, from, to, offset, limit: VISITS_PER_PAGE };
  const { list, limit_exceeded } = await caller.read("/zone/visit/list", search, Visits);
  const staffed = await caller.staffedTrackers([...new Set(list.map(({ tracker_id }) => tracker_id))]);
  const byId = new Map(staffed.map((tracker) => [tracker.tracker_id, tracker]));
  const visits = list.map(({ tracker_id, from, to }) => {
    const tracker = byId.get(tracker_id);
    return { tracker_id, label: tracker?.label, vehicle: tracker?.vehicle_label ?? undefined, from, to };
  });
  return toAnswerPage(visits, offset, limit_exceeded);
}

const Visits = z.object({
  list: z.array(z.object({ tracker_id: z.int(), from: z.string(), to: z.string().nullable() })),
  limit_exceeded: z.boolean(),
});
const VISITS_PER_PAGE = 100;
/** The maximum of the operation. */
const MAX_TRACKERS = 10_000;
