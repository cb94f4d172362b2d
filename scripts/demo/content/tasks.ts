import { HOUR_MS, MINUTE_MS } from "#shared/time/duration.ts";
import type { FleetClient } from "../../../clients/typescript/src/client.ts";
import { findOrCreate } from "../client.ts";
import { Circuit, dayOf, startOfDay } from "../drive/circuit.ts";
import type { Drives, Position } from "../drive/drives.ts";
import { positionOf, SITES, type SiteKey } from "../drive/sites.ts";
import { TAGS } from "../drive/vehicles.ts";
import { DELIVERY, deliveryValues } from "./forms.ts";
import type { FleetTracker } from "./trackers.ts";

/** `late`: its time ends before the vehicle arrives; `missed`: no vehicle comes; `open`: no vehicle is assigned. */
type Course = "on time" | "late" | "missed" | "open";
type PlannedTask = {
  label: string;
  key: string;
  stop: number;
  hour: number;
  course: Course;
  form?: true;
  express?: true;
};
type Period = { from: number; to: number };

const RADIUS_METERS = 150;
const ARRIVAL_TOLERANCE_MS = 20 * MINUTE_MS;
/** Tasks may not end in the past: those whose time is over end this long after they are made. */
const MIN_REMAINING_MS = 90_000;
/** At a late task's end the vehicle has this long to go. */
const LATE_MS = 8 * MINUTE_MS;
const LATE_PERIOD_MS = 25 * MINUTE_MS;
const MAX_DELAY_MINUTES = 120;
const MIN_STAY_MINUTES = 3;

/** The hour of the plan at which tasks are made that are not made at midnight: earlier ones then are over, later ones ahead. */
const MIDDLE_HOUR = 11;
const LAST_HOUR = 22;
/** The hour before which tasks count as made at midnight. */
const FIRST_HOUR = 1;

const PLAN: PlannedTask[] = [
  { label: "Documents for the law office", key: "van-1", stop: 1, hour: 1, course: "on time" },
  { label: "Bread for the market", key: "cold-1", stop: 2, hour: 4, course: "on time" },
  { label: "Check the cold room", key: "istria-2", stop: 1, hour: 5.5, course: "on time" },
  { label: "Parcels, first round", key: "van-3", stop: 1, hour: 6.5, course: "on time", form: true },
  { label: "Kitchen delivery", key: "cold-3", stop: 1, hour: 7, course: "on time", form: true },
  { label: "Replace the door sensor", key: "service-1", stop: 1, hour: 7.5, course: "missed" },
  { label: "Pallets with tiles", key: "truck-4", stop: 1, hour: 8, course: "on time" },
  { label: "Parcels, second round", key: "van-4", stop: 1, hour: 8.5, course: "on time", form: true },
  { label: "Dairy for the canteen", key: "cold-2", stop: 1, hour: 9, course: "late" },
  { label: "Olive oil, twelve boxes", key: "istria-1", stop: 1, hour: 9.5, course: "on time" },
  {
    label: "Express parcel with signature",
    key: "van-3",
    stop: 2,
    hour: 10,
    course: "on time",
    form: true,
    express: true,
  },
  { label: "Return of empty boxes", key: "van-2", stop: 1, hour: 10.5, course: "late" },
  { label: "Maintain the ramp", key: "service-2", stop: 1, hour: 11, course: "on time" },
  { label: "Frozen goods to the clinic", key: "cold-1", stop: 1, hour: 12, course: "on time", form: true },
  { label: "Pick up samples", key: "van-2", stop: 2, hour: 13, course: "late", express: true },
  { label: "Parcels, third round", key: "van-4", stop: 2, hour: 14, course: "on time" },
  { label: "Tools to the construction site", key: "service-2", stop: 2, hour: 15, course: "on time" },
  { label: "Collect the return parcels", key: "van-1", stop: 1, hour: 17, course: "on time" },
  { label: "Quote for a new cold room", key: "istria-1", stop: 1, hour: 13, course: "open" },
  { label: "Deliver the missing pallet", key: "truck-4", stop: 2, hour: 16, course: "open" },
];

/** Creates the tasks of the local day of `now`. Before the day's points are sent: visits since midnight count, too. */
export async function createTasks(client: FleetClient, fleet: FleetTracker[], drives: Drives, now: () => number) {
  const start = startOfDay(now());
  const day = dayOf(start);
  // Some tasks that are made shortly before midnight begin after it.
  const range = { from: new Date(start).toISOString(), to: new Date(start + 48 * HOUR_MS).toISOString() };
  const { list } = await client.call("/task/list", range);
  // Users may have deleted the tag or the template.
  const express = (await client.call("/tag/list")).list.find(({ name }) => name === TAGS.express)?.id;
  const form = (await client.call("/form/template/list")).list.find(({ label }) => label === DELIVERY.label)?.id;
  for (const [index, planned] of PLAN.entries()) {
    const tracked = fleet.find(({ vehicle }) => vehicle.key === planned.key);
    const site = tracked?.vehicle.circuit.stops[planned.stop];
    if (!tracked || !site) continue;
    const circuit = new Circuit(tracked.vehicle, drives);
    const period = periodOf(planned, circuit, start, now());
    const isPast = period.from + ARRIVAL_TOLERANCE_MS < now();
    const tags = planned.express && express ? { tags: [express] } : {};
    const task = {
      ...{ label: planned.label, external_id: `demo-${day}-${index + 1}`, ...tags },
      ...descriptionOf(planned, site, drives),
      from: new Date(period.from).toISOString(),
      to: new Date(period.to).toISOString(),
      tracker_id: planned.course === "open" ? null : tracked.tracker_id,
      max_delay: planned.course === "late" ? MAX_DELAY_MINUTES : 0,
      min_stay_duration: planned.form ? 0 : MIN_STAY_MINUTES,
      form_template_id: planned.form ? form : null,
    };
    await findOrCreate(
      list,
      ({ external_id }) => external_id === task.external_id,
      async () => {
        const { id } = await client.call("/task/create", { task, create_form: true });
        if (planned.form && form && isPast) await submitForm(client, id, task.location, index);
        return { id };
      },
    );
  }
}

/** A task that is on time spans the first arrival after its hour, a late one ends before it. */
function periodOf({ hour, stop, course }: PlannedTask, circuit: Circuit, start: number, now: number): Period {
  const from = start + shiftHour(hour, (now - start) / HOUR_MS) * HOUR_MS;
  const earliestTo = now + MIN_REMAINING_MS;
  // An arrival that is over cannot be late any more.
  const arrival = circuit.arrivalAt(stop, Math.max(from, course === "late" ? earliestTo + LATE_MS : from));
  // The time of a late one begins after the visit of the round before.
  if (course === "late") return { from: arrival - LATE_MS - LATE_PERIOD_MS, to: arrival - LATE_MS };
  return { from, to: Math.max(arrival + ARRIVAL_TOLERANCE_MS, earliestTo) };
}

/** Moves an hour of the plan so that the plan's middle is now: a demo that starts late in the day has tasks ahead, too. */
function shiftHour(hour: number, now: number) {
  if (now < FIRST_HOUR) return hour;
  if (hour < MIDDLE_HOUR) return (hour / MIDDLE_HOUR) * now;
  return now + ((hour - MIDDLE_HOUR) / (LAST_HOUR - MIDDLE_HOUR)) * Math.max(0, LAST_HOUR - now);
}

function descriptionOf({ course }: PlannedTask, site: SiteKey, drives: Drives) {
  const { address, description } = SITES[site];
  const { lat, lng } = positionOf(site, drives);
  // A kilometer north of the site no vehicle passes.
  const location = { lat: course === "missed" ? lat + 0.01 : lat, lng, radius: RADIUS_METERS, address };
  return { location, description };
}

async function submitForm(
  client: FleetClient,
  task_id: number,
  location: Position & { address: string },
  index: number,
) {
  const values = deliveryValues(RECIPIENTS[index % RECIPIENTS.length] ?? "", 1 + (index % 5));
  await client.call("/task/form/values/update", { task_id, values, location });
}
const RECIPIENTS = ["S. Vogt", "Reception", "K. Amann", "M. Lang"];
