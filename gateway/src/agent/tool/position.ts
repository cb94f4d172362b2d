import * as z from "zod";
import { mapConcurrently } from "#shared/background/map-concurrently.ts";
import { isApiError } from "#shared/error/api-error.ts";
import type { AgentCaller } from "./agent-caller.ts";
import { agentTool, cursor, trackerIds } from "./agent-tool.ts";
import { offsetOf, toAnswerPage } from "./answer-page.ts";

export const whereIs = agentTool("where_is", {
  description:
    "Where trackers are now: address, zones, speed, moving or parked and since when, driver and vehicle. Name trackers by ids or by parts of their labels; without either all of them, in pages.",
  input: z.object({
    tracker_ids: trackerIds().optional(),
    labels: z.array(z.string().min(1).max(60)).min(1).max(20).optional(),
    cursor: cursor(),
  }),
  async run({ tracker_ids, labels, cursor }, caller) {
    const offset = offsetOf(cursor);
    const ids = await idsOf(caller, tracker_ids, labels);
    const shown = ids.slice(offset, offset + TRACKERS_PER_PAGE);
    if (shown.length === 0) return { list: [] };
    const [{ states }, staffed] = await Promise.all([
      caller.read("/tracker/get_states", { trackers: shown, list_blocked: true, allow_not_exist: true }, States),
      caller.staffedTrackers(shown),
    ]);
    const positions = await mapConcurrently(
      staffed,
      async (tracker) => {
        const state = states[String(tracker.tracker_id)];
        const { employee } = tracker;
        return {
          tracker_id: tracker.tracker_id,
          label: tracker.label,
          ...(tracker.vehicle_label ? { vehicle: tracker.vehicle_label } : {}),
          ...(employee ? { driver: `${employee.first_name} ${employee.last_name}`.trim() } : {}),
          ...(state ? await describeState(state, caller) : { position: tracker.blocked ? "blocked" : "unknown" }),
        };
      },
      MAX_CONCURRENT_TRACKERS,
    );
    return toAnswerPage(positions, offset, offset + shown.length < ids.length);
  },
});

async function idsOf(caller: AgentCaller, ids: number[] | undefined, labels: string[] | undefined): Promise<number[]> {
  if (ids) return ids;
  if (!labels) return (await caller.allTrackers(MAX_LISTED_TRACKERS)).map(({ tracker_id }) => tracker_id);
  const { list } = await caller.read(
    "/tracker/list",
    { labels },
    z.object({ list: z.array(z.object({ id: z.int() })) }),
  );
  return list.map(({ id }) => id);
}

type TrackerState = z.output<typeof State>;

async function describeState(
  { gps, connection_status, movement_status, movement_status_update }: TrackerState,
  caller: AgentCaller,
) {
  const state = { connection: connection_status, movement: movement_status, since: movement_status_update };
  if (gps.updated === null) return { ...state, position: "unknown" };
  const [address, zones] = await Promise.all([addressOf(gps.location, caller), zonesAt(gps.location, caller)]);
  return { ...state, ...gps.location, address, zones, speed_kmh: gps.speed, position_time: gps.updated };
}

/** The address of a position, empty if the geocoder knows none or is unavailable: the position remains useful. */
async function addressOf(location: Location, caller: AgentCaller): Promise<string> {
  return caller
    .read("/geocoder/search_location", { location }, z.object({ value: z.string() }))
    .then(({ value }) => value)
    .catch(orElse(""));
}

async function zonesAt(location: Location, caller: AgentCaller): Promise<string[]> {
  const Zones = z.object({ list: z.array(z.object({ label: z.string() })) });
  return caller
    .read("/zone/search_location", { location }, Zones)
    .then(({ list }) => list.slice(0, MAX_ZONES).map(({ label }) => label))
    .catch(orElse([]));
}

function orElse<Value>(value: Value) {
  return (thrown: unknown): Value => {
    if (isApiError(thrown)) return value;
    throw thrown;
  };
}

type Location = { lat: number; lng: number };

const State = z.object({
  gps: z.object({
    updated: z.string().nullable(),
    location: z.object({ lat: z.number(), lng: z.number() }),
    speed: z.int(),
  }),
  connection_status: z.string(),
  movement_status: z.string(),
  movement_status_update: z.string().nullable(),
});
const States = z.object({ states: z.record(z.string(), State) });

/** Each tracker costs two look-ups, which count against the rate of the credential. */
const TRACKERS_PER_PAGE = 10;
const MAX_CONCURRENT_TRACKERS = 2;
const MAX_LISTED_TRACKERS = 2_000;
const MAX_ZONES = 5;
