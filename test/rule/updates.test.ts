import { expect, test } from "vitest";
import { operations as geo } from "../../services/geo/src/operations.ts";
import { operations as tasks } from "../../services/tasks/src/operations.ts";
import { systemNow, writeLocal } from "../../shared/time/clock.ts";
import { DAY_MS } from "../../shared/time/duration.ts";
import { type Account, newAccount, type Reply } from "../tool/call/account.ts";

/** Something that may be changed: how it is read, how members of it are sent, and members that are to change. */
type Changeable = { read(): Promise<Reply>; update(given: object): Promise<unknown>; change: object };

const inDays = (days: number) => writeLocal(systemNow() + days * DAY_MS, "Europe/Berlin");
const location = { lat: 52.5, lng: 13.4, address: "Yard", radius: 120 };
const corners = [
  { lat: 50, lng: 8, node: true },
  { lat: 51, lng: 8, node: false },
  { lat: 51, lng: 9, node: true },
];
const outline = { label: "Yard", address: "Dock 4", color: "ABCDEF" };
const limits = { max_delay: 5, min_stay_duration: 10, min_arrival_duration: 1 };
const visit = { location, label: "Visit", description: "Ring twice", ...limits };
const work = { ...visit, from: inDays(1), to: inDays(2), external_id: "A-17" };

const stars = { id: "stars", label: "Stars", description: "How many", type: "rating", required: false, max_stars: 5 };

async function newTag(account: Account): Promise<number> {
  const { id } = await account.must("/tag/create", { tag: { name: "Cold", color: "27A9E3" } });
  return Number(id);
}

async function newZone(account: Account, zone: object, change: object): Promise<Changeable> {
  const tags = [await newTag(account)];
  const { id } = await account.must("/zone/create", { zone: { ...outline, ...zone, tags } });
  return {
    read: async () => (await account.must("/zone/read", { zone_id: id, with_points: true })).value,
    update: (given) => account.must("/zone/update", { zone: { id, ...given } }),
    change,
  };
}

async function newField(account: Account, more: object = {}): Promise<Reply> {
  const field = { label: "Visitor", type: "employee", required: true, description: "Who comes", ...more };
  const { list } = await account.must("/entity/fields/update", { entity_id: account.id, fields: [field] });
  return list[0];
}

async function newRoute(account: Account) {
  const { id: tracker_id } = await account.newTracker();
  const tags = [await newTag(account)];
  const { result } = await account.must("/task/route/create", {
    route: { label: "Loop", description: "North", external_id: "R-1", tags, tracker_id },
    checkpoints: [
      { ...work, tags },
      { ...work, label: "Second", tags },
    ],
  });
  const read = () => account.must("/task/read", { task_id: result.id });
  return { id: Number(result.id), read };
}

/** Things to be changed by the path of their update; a missing update fails a test. */
const CHANGEABLES: Record<string, Record<string, (account: Account) => Promise<Changeable>>> = {
  "/zone/update": {
    "a circle": (account) =>
      newZone(account, { type: "circle", center: { lat: 50, lng: 8 }, radius: 70 }, { radius: 90 }),
    "a polygon": (account) => newZone(account, { type: "polygon", points: corners }, { label: "Other" }),
    "a sausage": (account) => newZone(account, { type: "sausage", points: corners, radius: 70 }, { radius: 9000 }),
  },
  "/tracker/rule/update": {
    "a rule": async (account) => {
      const [{ id: tracker_id }, { id: zone_id }] = [
        await account.newTracker(),
        await account.must("/zone/create", {
          zone: { ...outline, type: "circle", center: { lat: 50, lng: 8 }, radius: 70 },
        }),
      ];
      const time = { weekday: 1, time: "08:00:00" };
      const { id } = await account.must("/tracker/rule/create", {
        rule: {
          ...{ type: "inoutzone", name: "Gate", description: "North", primary_text: "In", secondary_text: "Out" },
          ...{ zone_ids: [zone_id], trackers: [tracker_id], suspended: true, param: 3 },
          alerts: { push_enabled: true, emails: ["ops@example.com"] },
          schedule: [{ type: "weekly", from: time, to: { ...time, weekday: 5 } }],
          extended_params: { emergency: true, confirm_points: 2 },
        },
      });
      return {
        read: async () => (await account.must("/tracker/rule/list")).list[0],
        update: (given) => account.must("/tracker/rule/update", { rule: { id, ...given } }),
        change: { name: "Other gate" },
      };
    },
  },
  "/zone/point/update": {
    "points of a zone": async (account) => {
      const zone = { ...outline, type: "polygon", points: corners };
      const { id: zone_id } = await account.must("/zone/create", { zone });
      return {
        read: async () => ({ points: (await account.must("/zone/point/list", { zone_id })).list }),
        // The operation takes the whole list of points and nothing else.
        update: (given) => account.must("/zone/point/update", { zone_id, points: corners, ...given }),
        change: { points: corners.map((corner) => ({ ...corner, lat: corner.lat + 1 })) },
      };
    },
  },
  "/place/update": {
    "a place": async (account) => {
      const { id: employee } = await account.must("/employee/create", { employee: { first_name: "Ann" } });
      const { id: field } = await newField(account);
      const fields = { [String(field)]: { type: "employee", value: employee } };
      const texts = { label: "Shop", description: "Behind", external_id: "S-1" };
      const place = { ...texts, location, fields, tags: [await newTag(account)] };
      const { id } = await account.must("/place/create", { place });
      return {
        read: async () => (await account.must("/place/read", { place_id: id })).value,
        update: (given) => account.must("/place/update", { place: { id, ...given } }),
        change: { label: "Other" },
      };
    },
  },
  "/entity/update": {
    "a layout": async (account) => {
      const { id: field } = await newField(account);
      const sections = [{ label: "Main", field_order: ["location", String(field), "label", "tags", "description"] }];
      const whole = { id: account.id, settings: { layout: { sections } } };
      await account.must("/entity/update", { entity: whole });
      return {
        read: async () => (await account.must("/entity/read", { id: account.id })).entity,
        update: (given) => account.must("/entity/update", { entity: { ...whole, ...given } }),
        change: { settings: { layout: { sections: [{ ...sections[0], label: "First" }] } } },
      };
    },
  },
  "/entity/fields/update": {
    "a custom field": async (account) => {
      const { id } = await newField(account, { params: { responsible: true } });
      return {
        read: async () => (await account.must("/entity/fields/read", { entity_id: account.id })).list[0],
        update: (given) => account.must("/entity/fields/update", { entity_id: account.id, fields: [{ id, ...given }] }),
        change: { label: "Other" },
      };
    },
  },
  "/tracker/settings/trip_detection/update": {
    "what makes a trip": async (account) => {
      const { id: tracker_id } = await account.newTracker();
      const given = { min_idle_duration_minutes: 7, idle_speed_threshold: 9 };
      const path = "/tracker/settings/trip_detection";
      await account.must(`${path}/update`, { tracker_id, ...given, ignition_aware: true, motion_sensor_aware: true });
      return {
        async read() {
          const { success, ...settings } = await account.must(`${path}/read`, { tracker_id });
          return settings;
        },
        update: (given) => account.must(`${path}/update`, { tracker_id, ...given }),
        change: { idle_speed_threshold: 11 },
      };
    },
  },
  "/tracker/settings/lbs/update": {
    "how precise cell towers are": async (account) => {
      const { id: tracker_id } = await account.newTracker();
      const path = "/tracker/settings/lbs";
      await account.must(`${path}/update`, { tracker_id, max_radius: 700 });
      return {
        read: async () => ({ max_radius: (await account.must(`${path}/read`, { tracker_id })).max_radius }),
        update: (given) => account.must(`${path}/update`, { tracker_id, max_radius: 700, ...given }),
        change: { max_radius: 900 },
      };
    },
  },
  "/task/update": {
    "a task": async (account) => {
      const { id: tracker_id } = await account.newTracker();
      const { id } = await account.must("/task/create", {
        task: { ...work, tracker_id, tags: [await newTag(account)] },
      });
      return {
        read: async () => (await account.must("/task/read", { task_id: id })).value,
        update: (given) => account.must("/task/update", { task: { id, ...given } }),
        change: { external_id: null },
      };
    },
  },
  "/task/checkpoint/update": {
    "a checkpoint": async (account) => {
      const route = await newRoute(account);
      const { id } = (await route.read()).checkpoints[1];
      return {
        read: async () => (await account.must("/task/checkpoint/read", { checkpoint_id: id })).value,
        update: (given) => account.must("/task/checkpoint/update", { checkpoint: { id, ...given } }),
        change: { max_delay: 0 },
      };
    },
  },
  "/task/route/update": {
    "a route": async (account) => {
      const { id, read } = await newRoute(account);
      return {
        read: async () => (await read()).value,
        async update({ checkpoint_ids, ...given }: { checkpoint_ids?: number[] }) {
          // An update with ids must also give the checkpoints, for which their ids are enough.
          const checkpoints = checkpoint_ids?.map((checkpoint_id) => ({ id: checkpoint_id }));
          await account.must("/task/route/update", { route: { id, checkpoint_ids, ...given }, checkpoints });
        },
        change: { label: "Other" },
      };
    },
    "the checkpoints of a route": async (account) => {
      const { id, read } = await newRoute(account);
      const ids: number[] = (await read()).value.checkpoint_ids;
      return {
        read: async () => Object.fromEntries((await read()).checkpoints.map((stop: Reply) => [stop.id, stop])),
        update: (given: Record<number, object>) => {
          const checkpoints = ids.map((stop) => ({ ...given[stop], id: stop }));
          return account.must("/task/route/update", { route: { id }, checkpoints });
        },
        change: {},
      };
    },
  },
  "/form/template/update": {
    "a form template": async (account) => {
      const template = { label: "Note", description: "Sign", submit_in_zone: true, default: true, fields: [stars] };
      const { id } = await account.must("/form/template/create", { template });
      return {
        async read() {
          // Each update is a version of its own.
          const { version, updated, ...value } = (await account.must("/form/template/read", { template_id: id })).value;
          return value;
        },
        update: (given) => account.must("/form/template/update", { template: { id, ...given } }),
        change: { description: null },
      };
    },
  },
  "/task/form/values/update": {
    "the values of a form": async (account) => {
      const fields = [stars, { ...stars, id: "again" }];
      const { id } = await account.must("/form/template/create", {
        template: { label: "Note", default: false, fields },
      });
      const task = { ...work, form_template_id: id };
      const { id: task_id } = await account.must("/task/create", { task, create_form: true });
      const update = (values: object) => account.must("/task/form/values/update", { task_id, values });
      await update({ stars: { type: "rating", value: 1 } });
      const read = async () => (await account.must("/task/form/read", { task_id })).value.values;
      return { read, update, change: { again: { type: "rating", value: 5 } } };
    },
  },
  "/task/schedule/route/update": {
    "a schedule of a route": async (account) => {
      const { id: tracker_id } = await account.newTracker();
      const parameters = { type: "month_days", month_days: [1, 31] };
      const stop = { ...visit, from_time: "06:30:00", duration: 90, tags: [await newTag(account)] };
      const route = { label: "Loop", description: "All of it", parameters, tracker_id, tags: stop.tags };
      const { id } = await account.must("/task/schedule/route/create", { route, checkpoints: [stop, stop] });
      return {
        read: async () => (await account.must("/task/schedule/read", { id })).value,
        update: (given) => account.must("/task/schedule/route/update", { route: { id, ...given } }),
        change: { label: "Other loop" },
      };
    },
  },
  "/task/schedule/update": {
    "a schedule": async (account) => {
      const { id: tracker_id } = await account.newTracker();
      const parameters = { type: "month_days", month_days: [1, 31] };
      const days = { from_time: "06:30:00", duration: 90, parameters };
      const tags = [await newTag(account)];
      const { id } = await account.must("/task/schedule/create", { schedule: { ...visit, ...days, tracker_id, tags } });
      return {
        read: async () => (await account.must("/task/schedule/read", { id })).value,
        update: (given) => account.must("/task/schedule/update", { schedule: { id, ...given } }),
        change: { duration: 30 },
      };
    },
  },
};

/** Updates of things that no call reads: a key is shown only when it is made. */
const WITHOUT_READING = ["/tracker/ingest_key/update"];

const all = Object.values(CHANGEABLES).flatMap((things) => Object.entries(things));

test.each(all)(
  "an update of %s leaves members that it does not name, and takes back a thing as it was read",
  async (_, make) => {
    const { read, update, change } = await make(await newAccount());
    const before = await read();
    await update({});
    expect(await read()).toEqual(before);
    await update(before);
    expect(await read()).toEqual(before);
    await update(change);
    // The bounds of a zone follow from the rest.
    const following = before.bounds ? { bounds: expect.anything() } : {};
    expect(await read()).toEqual({ ...before, ...change, ...following });
  },
);

test.each(["/place/update", "/task/update", "/task/checkpoint/update", "/task/schedule/update"])(
  "operation %s leaves those members of a location that it does not name",
  async (path) => {
    const [make] = Object.values(CHANGEABLES[path] ?? {});
    if (!make) throw new Error(`${path} was expected`);
    const { read, update } = await make(await newAccount());
    const before = await read();
    await update({ location: { lat: 48 } });
    expect(await read()).toEqual({ ...before, location: { ...before.location, lat: 48 } });
  },
);

test("updates of geo and tasks all have a case in this file", () => {
  const updates = [...geo, ...tasks].map(({ path }) => path).filter((path) => path.endsWith("/update"));
  expect([...Object.keys(CHANGEABLES), ...WITHOUT_READING].toSorted()).toEqual(updates.toSorted());
});
