import type { Account } from "../call/account.ts";
import { daysAgo } from "./range.ts";
import type { Sample } from "./sample.ts";

export const TASKS_SAMPLES: Record<string, Sample[]> = {
  "/task/create": [
    { parameters: ({ tracker_id, tag_id }) => ({ task: { ...taskOf(tracker_id), tags: [tag_id] } }) },
    {
      parameters: ({ form_template_id }) => ({ task: { ...taskOf(null), form_template_id }, create_form: true }),
    },
    { parameters: () => ({ task: { ...taskOf(null), external_id: "A-17" } }) },
  ],
  "/task/update": [
    {
      parameters: ({ task_id: id, tag_id, form_template_id }) => ({
        task: { ...taskOf(null), id, label: "Other", tags: [tag_id], form_template_id },
        create_form: true,
      }),
      before: async (account) => {
        const { task_id: id } = await newTask(account);
        return { task: { ...taskOf(null), id, label: "Other" } };
      },
    },
  ],
  "/task/assign": [
    {
      parameters: ({ task_id, tracker_id }) => ({ task_id, tracker_id }),
      before: (account) => newTask(account),
    },
    { parameters: ({ task_id }) => ({ task_id, tracker_id: null }), before: (account) => newTask(account) },
  ],
  "/task/delete": [{ parameters: ({ task_id }) => ({ task_id }), before: (account) => newTask(account) }],
  "/task/read": [
    { parameters: ({ task_id }) => ({ task_id }) },
    { parameters: ({ route_id: task_id }) => ({ task_id }) },
  ],
  "/task/count": [{ parameters: () => ({}) }],
  "/task/list": [
    { parameters: () => ({}) },
    {
      parameters: ({ tracker_id, tag_id, employee_id }) => ({
        ...FORTNIGHT,
        trackers: [tracker_id],
        tag_ids: [tag_id],
        conditions: [{ type: "eq", field: "employee", value: employee_id }],
        filter: "parcel",
        filters: ["parcel", "street"],
        location: { lat: 52.5, lng: 13.4, radius: 1000 },
        sort: ["employee=asc", "to=desc"],
        limit: 10,
      }),
    },
  ],
  "/task/transmute": [
    {
      parameters: ({ task_id, route_id }) => ({ task_id, route_id, order: 1 }),
      before: async (account) => ({ ...(await newTask(account)), route_id: (await newRoute(account)).route_id }),
    },
  ],
  "/task/batch_convert": [
    {
      parameters: ({ tracker_label, employee_id, vehicle_id }) => ({
        batch: `Parcel\t${TOMORROW}\t52.5\t13.4\t${tracker_label}`,
        fields: ["label", "from", "lat", "lng", "performer"],
        location_check_mode: "parent_location",
        employee_ids: [employee_id],
        vehicle_ids: [vehicle_id],
      }),
    },
    { parameters: ({ file_id }) => ({ file_id, fields: ["label", "performer"] }) },
  ],
  "/task/route/create": [
    {
      parameters: ({ tracker_id, tag_id, task_id: id, form_template_id }) => ({
        route: { ...ROUTE, tracker_id, tags: [tag_id] },
        checkpoints: [
          { ...taskOf(null), tags: [tag_id], form_template_id },
          { ...taskOf(null), id },
        ],
        create_form: true,
      }),
      before: async (account) => {
        const { task_id: id } = await newTask(account);
        return { checkpoints: [taskOf(null), { ...taskOf(null), id }] };
      },
    },
  ],
  "/task/route/update": [
    { parameters: ({ route_id: id, tag_id }) => ({ route: { ...ROUTE, id, tags: [tag_id] } }) },
    {
      parameters: ({ route_id: id, checkpoint_id, tag_id, form_template_id }) => ({
        route: { ...ROUTE, id, checkpoint_ids: [checkpoint_id] },
        checkpoints: [
          { ...taskOf(null), tags: [tag_id], form_template_id },
          { ...taskOf(null), id: checkpoint_id },
        ],
        create_form: true,
      }),
    },
  ],
  "/task/route/assign": [
    {
      parameters: ({ route_id, tracker_id }) => ({ route_id, tracker_id }),
      before: async (account) => ({ route_id: (await newRoute(account)).route_id }),
    },
  ],
  "/task/route/delete": [
    {
      parameters: ({ route_id }) => ({ route_id }),
      before: async (account) => ({ route_id: (await newRoute(account)).route_id }),
    },
  ],
  "/task/route/read": [{ parameters: ({ route_id }) => ({ route_id }) }],
  "/task/route/list": [
    { parameters: () => ({}) },
    { parameters: ({ tracker_id }) => ({ ...FORTNIGHT, trackers: [tracker_id], filter: "loop" }) },
  ],
  "/task/route/points/optimize": [
    {
      parameters: () => ({
        start_point: { lat: 52.5, lng: 13.4 },
        route_points: [52.6, 52.4].map((lat) => ({ location: { lat, lng: 13.4 }, from: daysAgo(0), to: daysAgo(-1) })),
      }),
    },
  ],
  "/task/checkpoint/create": [
    {
      parameters: ({ route_id: parent_id, tag_id, form_template_id }) => ({
        checkpoint: { ...taskOf(null), parent_id, order: 1, tags: [tag_id], form_template_id },
        create_form: true,
      }),
      before: async (account) => {
        const { route_id: parent_id } = await newRoute(account);
        return { checkpoint: { ...taskOf(null), parent_id, order: 1 } };
      },
    },
  ],
  "/task/checkpoint/update": [
    {
      parameters: ({ checkpoint_id: id, tag_id, form_template_id }) => ({
        checkpoint: { ...taskOf(null), id, label: "Other", tags: [tag_id], order: 0, form_template_id },
        create_form: true,
      }),
    },
  ],
  "/task/checkpoint/delete": [
    {
      parameters: ({ checkpoint_id }) => ({ checkpoint_id }),
      before: async (account) => ({ checkpoint_id: (await newRoute(account)).checkpoint_id }),
    },
  ],
  "/task/checkpoint/transmute": [
    {
      parameters: ({ checkpoint_id }) => ({ checkpoint_id }),
      before: async (account) => ({ checkpoint_id: (await newRoute(account)).checkpoint_id }),
    },
  ],
  "/task/checkpoint/read": [{ parameters: ({ checkpoint_id }) => ({ checkpoint_id }) }],
  "/task/checkpoint/list": [{ parameters: ({ checkpoint_id }) => ({ checkpoint_ids: [checkpoint_id] }) }],
  "/task/schedule/create": [
    {
      parameters: ({ tracker_id, tag_id, form_template_id }) => ({
        schedule: { ...scheduleOf(tracker_id), tags: [tag_id], form_template_id },
      }),
    },
    { parameters: () => ({ schedule: scheduleOf(null) }) },
  ],
  "/task/schedule/update": [
    {
      parameters: ({ schedule_id: id, tracker_id, tag_id, form_template_id }) => ({
        schedule: { ...scheduleOf(tracker_id), id, label: "Other", tags: [tag_id], form_template_id },
      }),
    },
  ],
  "/task/schedule/delete": [
    { parameters: ({ schedule_id }) => ({ schedule_id }), before: (account) => newSchedule(account) },
  ],
  "/task/schedule/read": [
    { parameters: ({ schedule_id: id }) => ({ id }) },
    { parameters: ({ round_id: id }) => ({ id }) },
  ],
  "/task/schedule/list": [
    { parameters: () => ({}) },
    { parameters: ({ tracker_id, tag_id }) => ({ trackers: [tracker_id], tag_ids: [tag_id], filter: "parcel" }) },
    { parameters: () => ({ types: ["task", "route"] }) },
  ],
  "/task/schedule/route/create": [
    {
      parameters: ({ tracker_id, tag_id, form_template_id }) => ({
        route: { ...ROUND, tracker_id, tags: [tag_id] },
        checkpoints: [stopOf({ tags: [tag_id], form_template_id }), stopOf()],
      }),
    },
  ],
  "/task/schedule/route/update": [
    { parameters: ({ round_id: id, tracker_id }) => ({ route: { id, tracker_id, label: "Other" } }) },
    {
      parameters: ({ round_id: id, stop_id, tag_id, form_template_id }) => ({
        route: { id, tags: [tag_id] },
        checkpoints: [{ id: stop_id }, stopOf({ tags: [tag_id], form_template_id })],
      }),
    },
  ],
  "/task/schedule/route/delete": [
    {
      parameters: ({ round_id: id }) => ({ id }),
      before: async (account) => ({ id: (await newRound(account)).round_id }),
    },
  ],
  "/task/schedule/checkpoint/delete": [
    {
      parameters: ({ stop_id: checkpoint_id }) => ({ checkpoint_id }),
      before: async (account) => ({ checkpoint_id: (await newRound(account)).stop_id }),
    },
  ],
  "/task/schedule/checkpoint/transmute": [
    {
      parameters: ({ stop_id: checkpoint_id }) => ({ checkpoint_id }),
      before: async (account) => ({ checkpoint_id: (await newRound(account)).stop_id }),
    },
  ],
  "/task/schedule/proposal/list": [
    { parameters: () => ({ from: daysAgo(-1), to: daysAgo(-8) }) },
    {
      parameters: ({ tracker_id }) => ({
        from: daysAgo(-1),
        to: daysAgo(-8),
        trackers: [tracker_id],
        filter: "parcel",
      }),
    },
  ],
  "/task/history/list": [{ parameters: ({ task_id }) => ({ task_id }) }],
};

/** Computed once, so that two calls that must be answered alike name the same second. */
const TOMORROW = daysAgo(-1);
const FORTNIGHT = { from: daysAgo(7), to: daysAgo(-7) };

const STREET = { lat: 52.5, lng: 13.4, address: "Long Street 1", radius: 100 };

function taskOf(tracker_id: number | null) {
  const period = { from: daysAgo(0), to: daysAgo(-1) };
  return { tracker_id, location: STREET, label: "Parcel", description: "At the back door", ...period };
}

function scheduleOf(tracker_id: number | null) {
  const parameters = { type: "weekdays", weekdays: [1, 5] };
  const time = { from_time: "08:30:00", duration: 60, parameters };
  return { tracker_id, location: STREET, label: "Parcels", description: "At the back door", ...time };
}

export async function newSchedule(account: Account, more: object = {}) {
  const { id } = await account.must("/task/schedule/create", { schedule: { ...scheduleOf(null), ...more } });
  return { schedule_id: Number(id) };
}

const ROUND = { label: "Weekly round", description: "", parameters: { type: "weekdays", weekdays: [1, 5] } };

function stopOf(more: object = {}) {
  const { tracker_id, parameters, ...stop } = scheduleOf(null);
  return { ...stop, ...more };
}

/** Makes the schedule of a route; answers its id and that of its first checkpoint. */
export async function newRound(account: Account, more: object = {}) {
  const given = { route: { ...ROUND, ...more }, checkpoints: [stopOf(), stopOf(), stopOf()] };
  const { id } = await account.must("/task/schedule/route/create", given);
  const { checkpoints } = await account.must("/task/schedule/read", { id });
  return { round_id: Number(id), stop_id: Number(checkpoints[0].id) };
}

const ROUTE = { label: "North loop", description: "" };

export async function newRoute(account: Account, more: object = {}) {
  const given = { route: { ...ROUTE, ...more }, checkpoints: [taskOf(null), taskOf(null)] };
  const { result } = await account.must("/task/route/create", given);
  return { route_id: Number(result.id), checkpoint_id: Number(result.checkpoint_ids[0]) };
}

export async function newTask(account: Account, more: object = {}) {
  const { id } = await account.must("/task/create", { task: { ...taskOf(null), ...more }, create_form: true });
  return { task_id: Number(id) };
}
