import * as z from "zod";
import type { StaffedTracker } from "#shared/contract/fleet.ts";
import type { VisibleTracker } from "#shared/contract/tracker/visible-tracker.ts";
import { ApiError } from "#shared/error/api-error.ts";
import type { Call } from "#shared/operation/declaration.ts";
import type { TasksEnv } from "../env.ts";
import { operation } from "../operation.ts";
import { toAnyTask } from "../task/any/schema.ts";
import { Checkpoint } from "../task/checkpoint/schema.ts";
import { Task } from "../task/schema.ts";
import { estimateSeconds, type Fix } from "./estimate.ts";
import { type DeliveryRow, selectDeliveries } from "./queries.ts";

const Delivery = z.object({
  /** Public pages never see the form. */
  task: z.discriminatedUnion("type", [Task.omit({ form: true }), Checkpoint.omit({ form: true })]),
  /** Public pages see nothing more of the tracker: its device's id would suffice to send points. */
  tracker: z.object({ id: z.int(), label: z.string() }).nullable(),
  first_name: z.string(),
  middle_name: z.string(),
  last_name: z.string(),
  vehicle_label: z.string().nullable(),
  /** Seconds; null when it cannot be estimated. */
  estimated_time: z.int().nullable(),
});
const DeliveryAccount = z.object({ user_id: z.int(), restrictions: z.object({ allowed_maps: z.array(z.string()) }) });
const DeliverySearch = z.object({ external_id: z.string().min(1).max(100) });
const MAX_DELIVERIES = 50;

export const readDelivery = operation("/delivery/read", {
  summary: "The delivery with this external id: a task, otherwise a checkpoint; the latest of several",
  accepts: ["delivery"],
  reads: true,
  input: DeliverySearch,
  output: DeliveryAccount.extend(Delivery.shape),
  errors: [201],
  async run({ external_id }, call) {
    const { deliveries, ...account } = await findDeliveries(external_id, 1, call);
    const [delivery] = deliveries;
    if (!delivery) throw new ApiError(201);
    return { ...account, ...delivery };
  },
});

export const listDeliveries = operation("/delivery/list", {
  summary: `All deliveries with this external id, tasks first; at most ${MAX_DELIVERIES}`,
  accepts: ["delivery"],
  reads: true,
  input: DeliverySearch,
  output: DeliveryAccount.extend({ list: z.array(Delivery) }),
  errors: [201],
  async run({ external_id }, call) {
    const { deliveries: list, ...account } = await findDeliveries(external_id, MAX_DELIVERIES, call);
    return { ...account, list };
  },
});

export const operations = [readDelivery, listDeliveries];

async function findDeliveries(external_id: string, limit: number, { db, env, principal, clock }: Call<TasksEnv>) {
  const now = clock.now();
  const rows = await selectDeliveries(db, principal, { external_id, now, limit });
  if (rows.length === 0) throw new ApiError(201);
  const ids = [...new Set(rows.flatMap(({ tracker_id }) => tracker_id ?? []))];
  const [trackers, allowed_maps] = await Promise.all([
    env.FLEET.staffedTrackers(principal, ids),
    env.FLEET.allowedMaps(principal),
  ]);
  const staffed = new Map(trackers.map((tracker) => [tracker.tracker_id, tracker]));
  const fixes = await readLastFixes(env, trackers);
  const deliveries = rows.map((row) => {
    const { tracker_id } = row;
    const tracker = tracker_id === null ? undefined : staffed.get(tracker_id);
    const fix = tracker_id === null ? undefined : fixes.get(tracker_id);
    const estimated_time = estimateSeconds(row, fix ?? null, now);
    return { task: toDeliveryTask(row), ...toTrackerNames(tracker), estimated_time };
  });
  return { user_id: principal.account_id, restrictions: { allowed_maps }, deliveries };
}

/** The last fixes of the trackers whose tariff includes tasks. Null for a tracker whose fix cannot be read now. */
async function readLastFixes(env: TasksEnv, trackers: VisibleTracker[]): Promise<Map<number, Fix | null>> {
  const followed = trackers.filter(({ blocked, features }) => !blocked && features.includes("app_tasks"));
  const found = await Promise.all(
    followed.map(async ({ tracker_id, feed }) => {
      const fix = await env.GEO.lastGpsPoint(feed.tracker_id).catch(() => null);
      return [tracker_id, fix] as const;
    }),
  );
  return new Map(found);
}

function toTrackerNames(tracker: StaffedTracker | undefined) {
  const { first_name, middle_name, last_name } = tracker?.employee ?? {};
  return {
    tracker: tracker ? { id: tracker.tracker_id, label: tracker.label } : null,
    first_name: first_name ?? "",
    middle_name: middle_name ?? "",
    last_name: last_name ?? "",
    vehicle_label: tracker?.vehicle_label ?? null,
  };
}

function toDeliveryTask(row: DeliveryRow) {
  const task = toAnyTask(row);
  if (task.type === "route") throw new Error("a task or a checkpoint was expected");
  return task;
}
