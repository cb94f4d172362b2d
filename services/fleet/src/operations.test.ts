import { beforeAll, expect, test } from "vitest";
import { systemNow, writeLocal } from "#shared/time/clock.ts";
import { DAY_MS, MINUTE_MS } from "#shared/time/duration.ts";
import { type Account, feed, newAccount, type Reply } from "#test/tool/call/account.ts";
import { operations } from "./operations.ts";

/** A thing that an update changes: how it is read, and which parameters its update takes. */
type Updated = {
  read(): Promise<Reply>;
  parameters(changes: object): object;
  /** A member that can be changed on its own. */
  change: object;
  /** The parameters that name the thing in a call. */
  key: object;
};

let account: Account;
let tracker_id: number;
let device_id: string;

beforeAll(async () => {
  account = await newAccount({ time_zone: "Europe/Berlin" });
  const { id, source } = await account.newTracker();
  [tracker_id, device_id] = [Number(id), String(source.device_id)];
  await feed(device_id, [{ time: systemNow() - MINUTE_MS, lat: 50, lng: 8 }]);
});

const yard = { lat: 52.5, lng: 13.4, address: "Salitre 58", radius: 150 };
const color = "E57373";

/** Functions that create a thing to be changed, by the path of its update. */
const UPDATES: Record<string, () => Promise<Updated>> = {
  "/vehicle/update": async () => {
    const { id: garage_id } = await newGarage();
    const tags = [await newTag(), await newTag()];
    const plain = {
      label: "Van",
      model: "T6",
      type: "truck",
      subtype: "tipper",
      max_speed: 90,
      vin: "W1",
      color: "white",
    };
    const dated = { liability_insurance_valid_till: "2031-02-28", icon_color: color, trailer: "Tandem" };
    const vehicle = { ...plain, ...dated, tracker_id, garage_id, tags };
    const { id } = await account.must("/vehicle/create", { vehicle });
    return {
      ...inside("vehicle", id),
      read: () => valueAt("/vehicle/read", { vehicle_id: id }),
      change: { vin: "W2" },
    };
  },
  "/garage/update": async () => {
    const { id } = await newGarage();
    return { ...inside("garage", id), read: () => readListed("/garage/list", id), change: { mechanic_name: "" } };
  },
  "/employee/update": async () => {
    const { id: department_id } = await account.must("/department/create", { department: { label: "Drivers" } });
    const names = { first_name: "Ann", middle_name: "M.", last_name: "Lee", email: "ann@example.com", phone: "4930" };
    const license = { driver_license_number: "B07", driver_license_cats: "B", driver_license_valid_till: "2031-02-28" };
    const identity = {
      hardware_key: "0011",
      personnel_number: "P-7",
      ssn: "65",
      location: yard,
      tags: [await newTag()],
    };
    const employee = { ...names, ...license, ...identity, department_id, tracker_id };
    const { id } = await account.must("/employee/create", { employee });
    const read = () => valueAt("/employee/read", { employee_id: id });
    return { ...inside("employee", id), read, change: { phone: "4940" } };
  },
  "/department/update": async () => {
    const { id } = await account.must("/department/create", { department: { label: "Drivers", location: yard } });
    return { ...inside("department", id), read: () => readListed("/department/list", id), change: { label: "Clerks" } };
  },
  "/vehicle/service_task/update": async () => {
    const { id: other, source } = await account.newTracker();
    await feed(source.device_id, [{ time: systemNow() - MINUTE_MS, lat: 50, lng: 8 }]);
    const { id: vehicle_id } = await account.must("/vehicle/create", { vehicle: { label: "Bus", tracker_id: other } });
    const end = writeLocal(systemNow() + 9 * DAY_MS, "Europe/Berlin");
    const conditions = {
      mileage: { limit: 100, notification_interval: 10, repeat_interval: 90 },
      date: { end, notification_interval: 2, repeat_interval: 30 },
    };
    const notifications = { sms_phones: ["15550001"], emails: ["a@example.com"], push_enabled: true };
    const plain = { description: "Oil", comment: "5W-30", repeat: true, unplanned: true, cost: 12.5 };
    const task = { ...plain, vehicle_id, conditions, notifications };
    const { id } = await account.must("/vehicle/service_task/create", { task });
    const read = async () => {
      const { current_position, prediction, ...value } = await valueAt("/vehicle/service_task/read", { task_id: id });
      return value;
    };
    return { ...inside("task", id), read, change: { cost: 13 } };
  },
  "/tag/update": async () => {
    const id = await newTag();
    return { ...inside("tag", id), read: () => readListed("/tag/list", id), change: { color } };
  },
  "/status/listing/update": async () => {
    const { listing_id, statuses } = await newListing();
    const read = () => readListed("/status/listing/list", listing_id);
    return { ...inside("listing", listing_id), read, change: { entries: statuses.toReversed() } };
  },
  "/status/update": async () => {
    const { listing_id, statuses } = await newListing();
    const [id = 0] = statuses;
    const read = async () => (await account.must("/status/list", { listing_id })).list[0];
    return { ...inside("status", id), read, change: { label: "Free" } };
  },
  "/retranslator/update": async () => {
    const access = { login: "a", password: "b", enabled: false };
    const retranslator = { name: "Shop", protocol_id: 4, address: "127.0.0.1", port: 9000, ...access };
    const { id } = await account.must("/retranslator/create", { retranslator });
    return { ...inside("retranslator", id), read: () => readListed("/retranslator/list", id), change: { port: 9001 } };
  },
  "/tracker/sensor/update": async () => {
    const scale = { divider: 10, accuracy: 0.5, units: "°C", units_type: "celsius", parameters: { min: -40, max: 90 } };
    const sensor = { type: "metering", sensor_type: "temperature", name: "Cargo", input_name: "t1", ...scale };
    const { id } = await account.must("/tracker/sensor/create", { tracker_id, sensor });
    const parameters = (changes: object) => ({ tracker_id, sensor: { id, type: "metering", ...changes } });
    const read = async () => sensorOf(id);
    return { read, parameters, change: { units: "K" }, key: { id, type: "metering" } };
  },
  "/tracker/sensor/calibration_data/update": async () => {
    const sensor = { type: "metering", sensor_type: "fuel", name: "Tank", input_name: "f1", divider: 10 };
    const { id: sensor_id } = await account.must("/tracker/sensor/create", { tracker_id, sensor });
    const read = async () => ({
      ...(await sensorOf(sensor_id)),
      data: await valueAt("/tracker/sensor/calibration_data/read", { tracker_id, sensor_id }),
    });
    const parameters = (changes: object) => ({ tracker_id, sensor_id, ...changes });
    return { read, parameters, change: { data: [{ in: 1, out: 2 }] }, key: {} };
  },
  "/tracker/counter/update": async () => {
    const sensor = { type: "metering", sensor_type: "custom", name: "Km", input_name: "hw_mileage" };
    const { id: sensor_id } = await account.must("/tracker/sensor/create", { tracker_id, sensor });
    const key = { tracker_id, type: "odometer" };
    await account.must("/tracker/counter/update", { ...key, multiplier: 1.5, sensor_id });
    return {
      read: () => valueAt("/tracker/counter/read", key),
      parameters: (changes) => ({ ...changes, ...key }),
      change: { multiplier: 2 },
      key: { type: "odometer" },
    };
  },
  "/tracker/output/update": async () => {
    const outputs = async () => (await account.must("/tracker/get_outputs", { tracker_id })).result;
    for (const [number, title] of [
      [1, "Horn"],
      [2, "Lock"],
    ]) {
      await account.must("/tracker/output/update", { tracker_id, tracker_output: { number, title } });
    }
    return {
      read: async () => (await outputs()).find(({ number }: Reply) => number === 1),
      parameters: (changes) => ({ tracker_id, tracker_output: { number: 1, ...changes } }),
      change: { title: "Siren" },
      key: { number: 1 },
    };
  },
  "/tracker/settings/update": async () => {
    const group_id = await newTrackerGroup();
    await account.must("/tracker/settings/update", { tracker_id, label: "Van 8", group_id });
    return {
      read: async () => (await account.must("/tracker/settings/read", { tracker_id })).settings,
      parameters: (changes) => ({ tracker_id, label: "Van 8", group_id, ...changes }),
      change: { label: "Van 9" },
      key: {},
    };
  },
  "/tracker/group/update": async () => {
    const id = await newTrackerGroup();
    const read = () => readListed("/tracker/group/list", id);
    const parameters = (changes: object) => ({ id, title: "Vans", color, ...changes });
    return { read, parameters, change: { title: "Buses" }, key: { id } };
  },
  "/driver/journal/entry/update": async () => {
    const dates = { start_date: "2026-03-02 07:03:00", end_date: "2026-03-02 08:05:00" };
    const locations = { start_location: yard, end_location: { ...yard, lat: 52.6 } };
    const odometers = { length: 12.5, start_odometer: 50.2, end_odometer: 62.7 };
    const entry = { tracker_id, ...dates, ...locations, ...odometers, type: "work", comment: "To the shop" };
    await account.must("/driver/journal/entry/create", { entries: [entry] });
    const range = { tracker_id, from: "2026-03-01 00:00:00", to: "2026-03-31 23:59:59" };
    const read = async () => (await account.must("/driver/journal/entry/list", range)).list[0];
    return { ...inside("entry", (await read()).id), read, change: { type: "personal" } };
  },
};

test("the samples in this file cover every update operation of fleet", () => {
  const paths = operations.map(({ path }) => path).filter((path) => path.endsWith("/update"));
  expect(Object.keys(UPDATES).toSorted()).toEqual(paths.toSorted());
});

test.each(Object.entries(UPDATES))(
  "operation %s changes the given members alone, and takes back what was read",
  async (path, make) => {
    const { read, parameters, change, key } = await make();
    const before = await read();
    await account.must(path, parameters(change));
    const after = await read();
    expect(after).toEqual({ ...before, ...change });
    await account.must(path, parameters(after));
    expect(await read()).toEqual(after);
    await account.must(path, parameters({ ...before, ...key }));
    expect(await read()).toEqual(before);
  },
);

/** The parameters of an update that takes the thing as one parameter. */
function inside(name: string, id: number): Pick<Updated, "parameters" | "key"> {
  return { parameters: (changes) => ({ [name]: { id, ...changes } }), key: { id } };
}

async function valueAt(path: string, parameters: object): Promise<Reply> {
  return (await account.must(path, parameters)).value;
}

async function readListed(path: string, id: number): Promise<Reply> {
  return (await account.must(path)).list.find((one: Reply) => one.id === id);
}

async function sensorOf(id: number): Promise<Reply> {
  return (await account.must("/tracker/sensor/list", { tracker_id })).list.find((one: Reply) => one.id === id);
}

function newGarage(): Promise<Reply> {
  const names = { organization_name: "Fleet North", mechanic_name: "R. Diaz", dispatcher_name: "P. Gil" };
  return account.must("/garage/create", { garage: { ...names, location: yard } });
}

async function newTag(): Promise<number> {
  return (await account.must("/tag/create", { tag: { name: "Cold", color: "27A9E3" } })).id;
}

async function newTrackerGroup(): Promise<number> {
  return (await account.must("/tracker/group/create", { title: "Vans", color })).id;
}

async function newListing() {
  const listing = { label: "Drivers", employee_controlled: true, supervisor_controlled: true };
  const { id: listing_id } = await account.must("/status/listing/create", { listing });
  const statuses: number[] = [];
  for (const label of ["Busy", "Away"]) {
    statuses.push((await account.must("/status/create", { listing_id, status: { label, color } })).id);
  }
  return { listing_id: Number(listing_id), statuses };
}
