import type { FleetClient } from "../../../clients/typescript/src/client.ts";
import type { Parameters } from "../../../clients/typescript/src/operation-types.ts";
import { findOrCreate } from "../client.ts";
import type { ZoneIds } from "./areas.ts";
import type { EquippedTracker } from "./trackers.ts";

type NewRule = Parameters<"/tracker/rule/create">["rule"];

/** Creates the rules before the points of the past days are sent, so that these points have events. */
export async function createRules(client: FleetClient, fleet: EquippedTracker[], zones: ZoneIds) {
  const { list } = await client.call("/tracker/rule/list");
  for (const rule of rulesOf(fleet, zones)) {
    await findOrCreate(
      list,
      ({ name }) => name === rule.name,
      () => client.call("/tracker/rule/create", { rule }),
    );
  }
}

function rulesOf(fleet: EquippedTracker[], zones: ZoneIds): NewRule[] {
  const all = fleet.map(({ tracker_id }) => tracker_id);
  const cold = fleet.flatMap(({ tracker_id, sensors: { temperature: sensor_id } }) =>
    sensor_id ? [{ tracker_id, sensor_id, min: 0, max: 8, threshold: 0.2 }] : [],
  );
  const fuel = fleet.flatMap(({ tracker_id, sensors: { fuel: sensor_id } }) =>
    sensor_id ? [{ tracker_id, sensor_id }] : [],
  );
  const trackersOf = (list: { tracker_id: number }[]) => list.map(({ tracker_id }) => tracker_id);
  return [
    {
      ...{ type: "inoutzone", name: "At a depot", zone_ids: [zones.depot, zones.branch], trackers: all },
      ...{ primary_text: "Arrived at the depot", secondary_text: "Left the depot" },
      extended_params: { append_zone_title: true },
    },
    {
      ...{ type: "inoutzone", name: "At a key account", zone_ids: [zones.neuhausen, zones.schwabing], trackers: all },
      ...{ primary_text: "Arrived at the customer", secondary_text: "Left the customer" },
      extended_params: { append_zone_title: true },
    },
    { type: "speedup", name: "Faster than 90 km/h", param: 90, primary_text: "Speeding", trackers: all },
    {
      ...{ type: "sensor_range", name: "Box too warm", trackers: trackersOf(cold) },
      ...{ primary_text: "Box above 8 °C", secondary_text: "Box is cold again" },
      extended_params: { tracker_params: cold, emergency: true },
    },
    {
      ...{ type: "fuel_level_leap", name: "Fuel filled in or drained", trackers: trackersOf(fuel) },
      ...{ primary_text: "Fuel filled in", secondary_text: "Fuel drained" },
      extended_params: { tracker_params: fuel, display_value: true },
    },
    {
      ...{ type: "idling_soft", name: "Idles for five minutes", param: 5, trackers: all },
      ...{ primary_text: "Engine idles", secondary_text: "Engine off" },
    },
    {
      ...{ type: "task_status_change", name: "Task late or failed", primary_text: "Task is late", trackers: all },
      extended_params: { statuses: ["delayed", "failed"] },
    },
    { type: "offline", name: "No connection for an hour", param: 60, primary_text: "No connection", trackers: all },
  ];
}
