import * as z from "zod";
import { distinctCells } from "#shared/batch/cells.ts";
import { completeLocations } from "#shared/batch/locations.ts";
import { readRows, SOURCE } from "#shared/batch/source.ts";
import type { Principal } from "#shared/caller/principal.ts";
import type { Performer, PerformerSearch, Performers } from "#shared/contract/fleet.ts";
import { GEOCODERS } from "#shared/contract/point/geocoder.ts";
import { invalid } from "#shared/error/api-error.ts";
import type { TasksEnv } from "../../env.ts";
import { TASK_FEATURE } from "../../links/work.ts";
import { operation } from "../../operation.ts";
import { circle, minutes } from "../schema.ts";
import { assignTrackers, type Candidate } from "./assign.ts";
import { CheckedTask, type ConvertedTask, convertRows, toField } from "./rows.ts";

const MODES = ["no_check", "entity_location", "parent_location"] as const;
type Mode = (typeof MODES)[number];

export const batchConvertTasks = operation("/task/batch_convert", {
  summary:
    "Reads tasks from tab-delimited text or a parsed sheet, checks them and distributes them over trackers; stores nothing",
  right: "task_update",
  expensive: true,
  input: z.object({
    ...SOURCE,
    geocoder: z.enum(GEOCODERS).optional(),
    fields: z.array(z.string()).max(256).default(["label", "from", "to", "address", "lat", "lng", "description"]),
    default_radius: circle().shape.radius.default(100),
    default_max_delay: minutes(),
    /** Minutes. */
    default_duration: minutes().default(60),
    default_min_stay_duration: minutes(),
    location_check_mode: z.enum(MODES).default("entity_location"),
    employee_ids: z.array(z.int()).max(500).default([]),
    vehicle_ids: z.array(z.int()).max(500).default([]),
  }),
  output: z.object({ list: z.array(CheckedTask), limit_exceeded: z.boolean() }),
  errors: [234],
  async run(input, { env, principal, clock }) {
    const { geocoder: provider, employee_ids, location_check_mode: mode } = input;
    const vehicle_ids = mode === "entity_location" ? [] : input.vehicle_ids;
    const { rows, limit_exceeded } = await readRows(input, input.fields.map(toField), env, principal);
    const search = { names: distinctCells(rows, "performer"), employee_ids, vehicle_ids };
    const [placed, performers] = await Promise.all([
      completeLocations(rows, { geocoder: env.GEO, principal, provider }),
      findPerformers(env, principal, search),
    ]);
    requirePerformers(search.employee_ids, performers.employees, "employee_ids");
    requirePerformers(search.vehicle_ids, performers.vehicles, "vehicle_ids");
    const defaults = {
      radius: input.default_radius,
      duration: input.default_duration,
      max_delay: input.default_max_delay,
      min_stay_duration: input.default_min_stay_duration,
    };
    const list = convertRows(placed, defaults, performers, clock);
    return { list: assignFree(list, candidatesOf(search, performers, mode)), limit_exceeded };
  },
});

export const operations = [batchConvertTasks];

/** Does not call fleet for an empty search. */
async function findPerformers({ FLEET }: TasksEnv, principal: Principal, search: PerformerSearch): Promise<Performers> {
  const isNothing = Object.values(search).every(({ length }) => length === 0);
  return isNothing ? { named: [], employees: [], vehicles: [] } : FLEET.performersOf(principal, TASK_FEATURE, search);
}

function requirePerformers(ids: number[], found: Performer[], parameter: string) {
  const known = new Set(found.map(({ id }) => id));
  const missing = ids.findIndex((id) => !known.has(id));
  if (missing >= 0) throw invalid(`${parameter}.${missing}`, "does not exist");
}

/** Candidates in the order of the ids, each tracker once; performers without a usable tracker are left out. */
function candidatesOf({ employee_ids, vehicle_ids }: PerformerSearch, found: Performers, mode: Mode): Candidate[] {
  const candidates = new Map<number, Candidate>();
  for (const { tracker_id, own, parent } of [
    ...orderByIds(employee_ids, found.employees),
    ...orderByIds(vehicle_ids, found.vehicles),
  ]) {
    if (tracker_id === null || candidates.has(tracker_id)) continue;
    candidates.set(tracker_id, {
      tracker_id,
      from: { no_check: null, entity_location: own, parent_location: parent }[mode],
    });
  }
  return [...candidates.values()];
}

function orderByIds(ids: number[], found: Performer[]): Performer[] {
  const byId = new Map(found.map((performer) => [performer.id, performer]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Assigns the candidates to the tasks that have neither errors nor a tracker. */
function assignFree(list: ConvertedTask[], candidates: Candidate[]): ConvertedTask[] {
  if (candidates.length === 0) return list;
  const unassigned = list.filter((task) => task.tracker_id === null && !("errors" in task));
  const trackers = assignTrackers(
    unassigned.map(({ location }) => location),
    candidates,
  );
  const trackerOf = new Map(unassigned.map((task, index) => [task, trackers[index] ?? null]));
  return list.map((task) => ({ ...task, tracker_id: trackerOf.get(task) ?? task.tracker_id }));
}
