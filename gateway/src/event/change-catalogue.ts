import * as z from "zod";
import type { ChangedThing } from "#shared/caller/recorded-change.ts";
import { CHANGE_KINDS, type ChangeType, typeOfChange } from "./change-types.ts";
import type { EventDeclaration } from "./declaration.ts";

type ThingDeclaration = Pick<EventDeclaration, "audience" | "right"> & {
  /** How the summary names the thing. */
  name: string;
  /** Members of `data` besides `id`; an event has those that its change knows. */
  data: z.ZodRawShape;
  /** Whether `id` is that of a tracker, which then decides who sees the event. */
  isTracker?: true;
};

const label = z.string().optional();
const number = z.number().optional();
const trackerId = z.int().nullable().optional();
const changed = z.array(z.string()).optional();
const ids = z.array(z.int()).optional();
/** The first hundred ids, and the number of all if there are more. */
const someIds = z.strictObject({ ids: z.array(z.int()), count: z.int().optional() }).optional();
const ofTracker = { tracker_id: trackerId };
const labelled = { label };
const shared = { ids, count: number, access_to_all: z.boolean().nullable().optional() };
const imported = { headers: z.array(z.string()).optional(), rows: number, imported: number, failed: number };
const icon = { members: changed, icon_id: z.int().nullable().optional(), icon_color: label };

const THINGS: Record<ChangedThing, ThingDeclaration> = {
  api_key: { name: "An API key", audience: "master", data: { title: label, agent_writes: z.boolean().optional() } },
  checkin: { name: "A check-in", audience: "tracker", right: "employee_update", data: ofTracker },
  checkin_form: {
    name: "The form of a check-in",
    audience: "tracker",
    right: "employee_update",
    data: { ...ofTracker, template_id: number, size: number },
  },
  checkin_image: { name: "The picture of a check-in", audience: "master", data: { size: number } },
  checkpoint: { name: "A checkpoint", audience: "tracker", data: { ...ofTracker, label, route_id: number } },
  counter: {
    name: "A counter",
    audience: "tracker",
    isTracker: true,
    data: { type: label, multiplier: number, sensor_id: z.int().nullable().optional(), value: number },
  },
  custom_field: { name: "A custom field of places", audience: "everyone", data: { labels: changed } },
  delivery_session: { name: "A delivery session", audience: "master", data: {} },
  department: { name: "A department", audience: "everyone", data: labelled },
  employee: {
    name: "An employee",
    audience: "tracker",
    data: { ...ofTracker, ...icon, first_name: label, last_name: label },
  },
  employee_import: { name: "An import of employees", audience: "master", data: imported },
  entity: { name: "The layout of places", audience: "master", data: { sections: number } },
  form_template: { name: "A form template", audience: "everyone", data: labelled },
  garage: { name: "A garage", audience: "everyone", data: { organization_name: label } },
  ingest_key: {
    name: "The ingest key of a tracker",
    audience: "master",
    isTracker: true,
    data: { required: z.boolean().optional() },
  },
  journal_entry: {
    name: "An entry of the driver journal",
    audience: "tracker",
    data: { ...ofTracker, type: label, count: number, trackers: someIds },
  },
  lbs: { name: "The cell location of a tracker", audience: "tracker", isTracker: true, data: { max_radius: number } },
  output: {
    name: "An output of a tracker",
    audience: "tracker",
    isTracker: true,
    data: { number: z.int().optional(), title: label },
  },
  place: { name: "A place", audience: "master", data: { ...icon, label } },
  report: {
    name: "A report",
    audience: "owner",
    right: "reports",
    data: { title: label, trackers: ids, schedule_id: z.int().nullable().optional() },
  },
  report_schedule: {
    name: "A report schedule",
    audience: "owner",
    right: "reports",
    data: { title: z.string().nullable().optional(), enabled: z.boolean().optional(), code: number },
  },
  retranslator: { name: "A retranslator", audience: "master", data: { name: label } },
  route: { name: "A route", audience: "tracker", data: { ...ofTracker, label, checkpoints: number } },
  rule: { name: "A rule", audience: "master", data: { name: label, type: label, trackers: number } },
  security_group: {
    name: "A security group",
    audience: "master",
    data: { label, changed, rights: changed, store_period: z.string().nullable().optional(), subuser_ids: ids },
  },
  sensor: { name: "A sensor", audience: "tracker", data: { ...ofTracker, name: label, trackers: someIds } },
  service_task: {
    name: "A service task",
    audience: "master",
    data: {
      vehicle_id: number,
      description: label,
      repeated: z.boolean().optional(),
      count: number,
      vehicles: someIds,
    },
  },
  service_task_file: { name: "A file of a service task", audience: "master", data: { size: number } },
  status: { name: "A work status", audience: "everyone", data: { label, listing_id: number } },
  status_listing: { name: "A list of work statuses", audience: "everyone", data: { ...ofTracker, label } },
  subuser: { name: "A sub-user", audience: "master", data: { login: label, changed } },
  subuser_place: { name: "The places of a sub-user", audience: "master", data: shared },
  subuser_tracker: { name: "The trackers of a sub-user", audience: "master", data: { trackers: ids, count: number } },
  subuser_zone: { name: "The zones of a sub-user", audience: "master", data: shared },
  tag: { name: "A tag", audience: "everyone", data: { ...icon, name: label } },
  task: { name: "A task", audience: "tracker", data: { ...ofTracker, label, route_id: number } },
  task_form: {
    name: "The form of a task",
    audience: "tracker",
    data: { ...ofTracker, template_id: number, form_id: number, size: number },
  },
  task_schedule: {
    name: "A schedule of tasks",
    audience: "tracker",
    data: { ...ofTracker, label, checkpoints: number },
  },
  tracker: {
    name: "A tracker",
    audience: "tracker",
    isTracker: true,
    data: {
      ...{ ...ofTracker, ...icon, label, model: label, device_id: label, group_id: z.int().nullable().optional() },
      ...{ changed, tags: ids, tariff_id: number, status_id: z.int().nullable().optional() },
      ...{ employee_id: z.int().nullable().optional() },
    },
  },
  tracker_group: {
    name: "A group of trackers",
    audience: "master",
    data: { title: label, color: label, trackers: someIds },
  },
  tracker_retranslator: {
    name: "The forwarding of a tracker",
    audience: "master",
    isTracker: true,
    data: { retranslator_id: number },
  },
  trip_detection: {
    name: "The trip detection of a tracker",
    audience: "tracker",
    isTracker: true,
    data: {
      min_idle_duration_minutes: number,
      idle_speed_threshold: number,
      ignition_aware: z.boolean().optional(),
      motion_sensor_aware: z.boolean().optional(),
    },
  },
  user: {
    name: "A user",
    audience: "master",
    data: { login: label, changed, blocked: z.unknown().optional(), application: label },
  },
  vehicle: { name: "A vehicle", audience: "tracker", data: { ...ofTracker, ...icon, label } },
  vehicle_import: { name: "An import of vehicles", audience: "master", data: imported },
  webhook: { name: "A webhook", audience: "master", data: { label, reason: label } },
  zone: { name: "A zone", audience: "master", data: { label, type: label, count: number } },
  zone_points: { name: "The points of a zone", audience: "master", data: { points: number } },
};

/** The tracker of a change by its thing: `id` where things of this kind are named by their tracker. */
export function isNamedByTracker(thing: string): boolean {
  return Object.hasOwn(THINGS, thing) && THINGS[thing as ChangedThing].isTracker === true;
}

/** Types of events of recorded changes. `id` is null where the change concerns several things. */
export const CHANGE_CATALOGUE = Object.fromEntries<EventDeclaration>(
  CHANGE_KINDS.map((kind) => {
    const type = typeOfChange(kind);
    const { name, audience, right, data } = THINGS[kind[0]];
    const summary = `${name}: ${type.slice(type.indexOf(".") + 1).replaceAll("_", " ")}.`;
    return [type, { summary, audience, right, data: z.strictObject({ id: z.int().nullable(), ...data }) }];
  }),
  // The kinds are all that there are.
) as Record<ChangeType, EventDeclaration>;
