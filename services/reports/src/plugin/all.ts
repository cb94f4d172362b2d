import * as z from "zod";
import type { Plugin } from "../definition/plugin.ts";
import { ecoByDrivers } from "./driving/eco-by-drivers.ts";
import { ecoByTrackers } from "./driving/eco-by-trackers.ts";
import { engineHours } from "./engine/engine-hours.ts";
import { crossings } from "./event/crossings.ts";
import { events } from "./event/events.ts";
import { carSecurity, connection, detaching, falls, locations, sosButton, switching } from "./event/kinds.ts";
import { security } from "./event/security.ts";
import { checkins } from "./field-work/checkins.ts";
import { driverShifts } from "./field-work/driver-shifts.ts";
import { formStatistics } from "./field-work/form-statistics.ts";
import { statuses } from "./field-work/statuses.ts";
import { tasks } from "./field-work/tasks.ts";
import { points } from "./point/points.ts";
import { speeding } from "./point/speeding.ts";
import { equipment } from "./sensor/equipment.ts";
import { flow } from "./sensor/flow.ts";
import { fuel } from "./sensor/fuel.ts";
import { measuring } from "./sensor/measuring.ts";
import { refuels } from "./sensor/refuels.ts";
import { vehicleSensors } from "./sensor/vehicle-sensors.ts";
import { regions } from "./trip/regions.ts";
import { shifts } from "./trip/shifts.ts";
import { stops } from "./trip/stops.ts";
import { trips } from "./trip/trips.ts";
import { placeVisits } from "./visit/place-visits.ts";
import { zoneStays } from "./visit/zone-stays.ts";
import { zoneVisits } from "./visit/zone-visits.ts";

const ALL = [
  ...[trips, stops, shifts, engineHours, speeding, points],
  ...[events, carSecurity, sosButton, falls, detaching, security, switching, connection, locations, crossings],
  ...[measuring, vehicleSensors, equipment, fuel, refuels, flow],
  ...[regions, ecoByTrackers, ecoByDrivers],
  ...[zoneVisits, placeVisits, zoneStays],
  ...[tasks, formStatistics, statuses, checkins, driverShifts],
];

/** The plugins by their public ids. */
export const PLUGINS = new Map<number, Plugin>(ALL.map((plugin) => [plugin.id, plugin]));

/** The plugin of a request: its id, and the parameters of that plugin. */
export const PluginParameters = z.discriminatedUnion("plugin_id", [
  addPluginId(trips),
  ...ALL.slice(1).map(addPluginId),
]);

function addPluginId({ id, title: [title], parameters }: (typeof ALL)[number]) {
  return parameters.safeExtend({ plugin_id: z.literal(id) }).meta({ title });
}
