import { expect, test } from "vitest";
import { systemNow } from "#shared/time/clock.ts";
import { type Account, newAccount, newImei, type Reply, sharedAccount, UNKNOWN_ID } from "#test/tool/call/account.ts";

const COLUMNS = ["label", "from", "to", "address", "lat", "lng", "radius", "description", "external_id"];
const day = (days: number) => new Date(systemNow() + days * 86_400_000).toISOString().slice(0, 10);
const parametersOf = ({ errors }: Reply) => errors.map(({ parameter }: Reply) => parameter).toSorted();
const trackersOf = ({ list }: Reply) => list.map(({ tracker_id }: Reply) => tracker_id);

async function newTracker(account: Account, label: string): Promise<number> {
  return (await account.newTracker({ label, device_id: newImei() })).id;
}

async function newEmployee(account: Account, employee: object): Promise<number> {
  return (await account.must("/employee/create", { employee })).id;
}

/** A row at this longitude on the equator, for tomorrow. */
const rowAt = (lng: number) => `Parcel\t${day(1)}\t0\t${lng}`;
const FIELDS = ["label", "from", "lat", "lng"];

test("task/batch_convert makes of rows tasks that task/create takes, with missing values from the defaults", async () => {
  const account = await newAccount({ time_zone: "Europe/Berlin" });
  const batch = [
    `Parcel\t${day(1)} 08:00:00\t${day(1)} 09:30\tMain St 1\t52.5\t13.4\t20\tAt the back door\tX-1`,
    `Letter\t${day(1)}\t\t\t-1\t2`,
  ].join("\n");
  const defaults = { default_radius: 40, default_duration: 90, default_max_delay: 5, default_min_stay_duration: 3 };
  const { list, limit_exceeded } = await account.must("/task/batch_convert", { batch, fields: COLUMNS, ...defaults });
  const whole = { id: null, type: "task", tracker_id: null, tags: [], max_delay: 5, min_stay_duration: 3 };
  expect(list).toEqual([
    {
      ...whole,
      label: "Parcel",
      from: `${day(1)} 08:00:00`,
      to: `${day(1)} 09:30:00`,
      location: { lat: 52.5, lng: 13.4, address: "Main St 1", radius: 20 },
      description: "At the back door",
      external_id: "X-1",
      min_arrival_duration: 0,
    },
    {
      ...whole,
      label: "Letter",
      from: `${day(1)} 00:00:00`,
      to: `${day(1)} 01:30:00`,
      location: { lat: -1, lng: 2, address: "", radius: 40 },
      description: "",
      external_id: null,
      min_arrival_duration: 0,
    },
  ]);
  expect(limit_exceeded).toBe(false);
  expect((await account.must("/task/count")).count).toBe(0);
  for (const task of list) await account.must("/task/create", { task });
  expect((await account.must("/task/list")).list).toMatchObject([{ label: "Parcel" }, { label: "Letter" }]);
});

test("task/batch_convert with ISO 8601 also takes sheets with local times", async () => {
  const account = await newAccount({ time_zone: "UTC" });
  const batch = `A\t${day(1)} 08:00:00\nB\t${day(1)}T08:00:00Z`;
  const given = { batch, fields: ["label", "from"], iso_datetime: true };
  const { list } = await account.must("/task/batch_convert", given);
  expect(list.map(({ from }: Reply) => from)).toEqual([`${day(1)}T08:00:00Z`, `${day(1)}T08:00:00Z`]);
});

test("task/batch_convert gives rejected rows back as they were sent with their errors, and ignores unknown columns", async () => {
  const account = await sharedAccount();
  const fields = ["label", "from", "to", "lat", "lng", "max_delay", "colour", "performer"];
  const batch = [
    `\t${day(1)}\t\t1\t2`,
    "Late\t2020-01-01\t2020-01-02\t1\t2",
    `Turned\t${day(3)}\t${day(2)}\t1\t2`,
    "Never\tsoon\t\t1\t2",
    "Bare",
    `Slow\t${day(1)}\tsometime\t91\t2\t512001\tred`,
    `Nobody\t${day(1)}\t\t1\t2\t\t\tNo such van`,
  ].join("\n");
  const { list } = await account.must("/task/batch_convert", { batch, fields });
  expect(list.map(parametersOf)).toEqual([
    ["task.label"],
    ["task.to"],
    ["task.from"],
    ["task.from"],
    ["task.from", "task.location"],
    ["task.location.lat", "task.max_delay", "task.to"],
    ["task.performer"],
  ]);
  expect(list[3]).toMatchObject({ from: "soon", to: null });
  expect(list[4].location).toMatchObject({ lat: 0, lng: 0 });
  expect(list[5]).toMatchObject({
    ...{ label: "Slow", from: `${day(1)} 00:00:00`, to: "sometime", max_delay: 512_001 },
    location: { lat: 91, lng: 2, address: "", radius: 100 },
  });
  expect(list[6]).toMatchObject({ tracker_id: null, performer: "No such van" });
});

test("task/batch_convert keeps address and longitude of a row whose latitude is wrong", async () => {
  const account = await sharedAccount();
  const batch = `Half\t${day(1)}\tMain St 1\tnorth\t8.5`;
  const { list } = await account.must("/task/batch_convert", {
    batch,
    fields: ["label", "from", "address", "lat", "lng"],
  });
  expect(list[0].location).toEqual({ lat: "north", lng: 8.5, address: "Main St 1", radius: 100 });
  expect(parametersOf(list[0])).toEqual(["task.location.lat"]);
});

test("task/batch_convert finds a performer by tracker label or employee name, in any order, if it can get tasks", async () => {
  const account = await newAccount();
  const [van, bus, lorry, twin] = [
    await newTracker(account, "Van 7"),
    await newTracker(account, "Bus"),
    await newTracker(account, "Twin"),
    await newTracker(account, "Twin"),
  ];
  await account.block(lorry);
  await newEmployee(account, { first_name: "Ann", middle_name: "Maria", last_name: "Lee", tracker_id: bus });
  await newEmployee(account, { first_name: "Bo", last_name: "Roe" });
  const names = ["Van 7", "Ann Lee", "lee ann", "Ann Maria Lee", "Lee Ann Maria", "Twin", "Bo Roe", "Maria Lee", "Bus"];
  const batch = names.map((name) => `${rowAt(1)}\t${name}`).join("\n");
  const { list } = await account.must("/task/batch_convert", { batch, fields: [...FIELDS, "performer"] });
  expect(trackersOf({ list })).toEqual([van, bus, bus, bus, bus, twin, null, null, bus]);
  expect(list.filter((task: Reply) => task.errors).map(parametersOf)).toEqual([["task.performer"], ["task.performer"]]);

  await newTracker(account, "Van 7");
  const again = await account.must("/task/batch_convert", { batch, fields: [...FIELDS, "performer"] });
  expect(again.list[0]).toMatchObject({
    tracker_id: null,
    errors: [{ parameter: "task.performer", error: "names several trackers" }],
  });
});

test("task/batch_convert spreads rows over the trackers of employees, each to the nearest home, in even shares", async () => {
  const account = await newAccount();
  const trackers = [await newTracker(account, "A"), await newTracker(account, "B"), await newTracker(account, "C")];
  const home = (lng: number) => ({ lat: 0, lng });
  const employee_ids = [
    await newEmployee(account, { first_name: "A", tracker_id: trackers[0], location: home(0) }),
    await newEmployee(account, { first_name: "B", tracker_id: trackers[1], location: home(10) }),
    await newEmployee(account, { first_name: "C", tracker_id: trackers[2] }),
    await newEmployee(account, { first_name: "D" }),
  ];
  const [a, b, c] = trackers;
  const lines = [rowAt(9), rowAt(1), rowAt(8), rowAt(7), rowAt(6), "broken"];
  const convert = { batch: lines.join("\n"), fields: FIELDS, employee_ids };
  expect(trackersOf(await account.must("/task/batch_convert", convert))).toEqual([b, a, b, a, c, null]);
  // Trackers without a measured distance get tasks one after the other.
  const unmeasured = { ...convert, location_check_mode: "no_check" };
  expect(trackersOf(await account.must("/task/batch_convert", unmeasured))).toEqual([a, b, c, a, b, null]);
  const named = { ...convert, batch: `${rowAt(1)}\tC\n${rowAt(1)}`, fields: [...FIELDS, "performer"] };
  expect(trackersOf(await account.must("/task/batch_convert", named))).toEqual([c, a]);
});

test("task/batch_convert gives tasks to vehicles only by the place of their department or garage", async () => {
  const account = await newAccount();
  const [a, b] = [await newTracker(account, "A"), await newTracker(account, "B")];
  const location = (lng: number) => ({ lat: 0, lng, address: "", radius: 100 });
  const department = { label: "North", location: location(0) };
  const { id: department_id } = await account.must("/department/create", { department });
  const names = { organization_name: "South", mechanic_name: "", dispatcher_name: "" };
  const { id: garage_id } = await account.must("/garage/create", { garage: { ...names, location: location(10) } });
  const employee_ids = [await newEmployee(account, { first_name: "A", tracker_id: a, department_id })];
  const { id } = await account.must("/vehicle/create", { vehicle: { label: "B", tracker_id: b, garage_id } });
  const given = { batch: [rowAt(9), rowAt(1)].join("\n"), fields: FIELDS, employee_ids, vehicle_ids: [id] };
  const parents = { ...given, location_check_mode: "parent_location" };
  expect(trackersOf(await account.must("/task/batch_convert", parents))).toEqual([b, a]);
  expect(trackersOf(await account.must("/task/batch_convert", given))).toEqual([a, a]);
  // In this mode vehicles are not looked up, so an unknown id is no error.
  await account.must("/task/batch_convert", { ...given, vehicle_ids: [UNKNOWN_ID] });
});

test("task/batch_convert refuses foreign employees and vehicles like unknown ones, and does not find their names", async () => {
  const [account, rival] = [await sharedAccount(), await newAccount()];
  const tracker_id = await newTracker(rival, "Rival van");
  const employee_id = await newEmployee(rival, { first_name: "Cy", last_name: "Noe", tracker_id });
  const { id: vehicle_id } = await rival.must("/vehicle/create", { vehicle: { label: "B" } });
  const convert = (more: object) =>
    account.call("/task/batch_convert", { batch: rowAt(1), fields: FIELDS, location_check_mode: "no_check", ...more });
  for (const id of [employee_id, UNKNOWN_ID]) {
    const { status, errors } = await convert({ employee_ids: [id] });
    expect([status.code, errors[0].parameter]).toEqual([7, "employee_ids.0"]);
  }
  for (const id of [vehicle_id, UNKNOWN_ID]) {
    const { status, errors } = await convert({ vehicle_ids: [id] });
    expect([status.code, errors[0].parameter]).toEqual([7, "vehicle_ids.0"]);
  }
  const batch = `${rowAt(1)}\tRival van\n${rowAt(1)}\tCy Noe`;
  const { list } = await convert({ batch, fields: [...FIELDS, "performer"] });
  expect(trackersOf({ list })).toEqual([null, null]);
});

test("task/batch_convert cuts at the limit of rows, needs text, and treats an unknown sheet as none", async () => {
  const account = await sharedAccount();
  const rows = Array.from({ length: 5001 }, (_, index) => `Task ${index}\t${day(1)}\t1\t2`);
  const whole = await account.must("/task/batch_convert", { batch: rows.slice(1).join("\n"), fields: FIELDS });
  expect([whole.limit_exceeded, whole.list.length]).toEqual([false, 5000]);
  const cut = await account.must("/task/batch_convert", { batch: rows.join("\n"), fields: FIELDS });
  expect([cut.limit_exceeded, cut.list.length]).toEqual([true, 5000]);

  const file = new File([`Parcel\t${day(1)}\t1\t2`], "tasks.csv");
  const { file_id } = await account.must("/data/spreadsheet/parse", { file });
  const { list } = await account.must("/task/batch_convert", { file_id, batch: "Text", fields: FIELDS });
  expect(list).toMatchObject([{ label: "Parcel", location: { lat: 1, lng: 2 } }]);
  expect((await account.call("/task/batch_convert", { file_id: "70412" })).status.code).toBe(234);
  for (const [wrong, parameter] of [
    [{}, "batch"],
    [{ batch: "x", location_check_mode: "home" }, "location_check_mode"],
    [{ batch: "x", geocoder: "compass" }, "geocoder"],
    [{ batch: "x", default_radius: 0 }, "default_radius"],
    [{ batch: "x", default_duration: 512_001 }, "default_duration"],
    [{ batch: "x", default_max_delay: -1 }, "default_max_delay"],
  ] as const) {
    const { status, errors } = await account.call("/task/batch_convert", wrong);
    expect([status.code, errors[0].parameter]).toEqual([7, parameter]);
  }
});

test("task/batch_convert completes an address with coordinates, and coordinates with an address", async () => {
  const account = await sharedAccount();
  const batch = `Parcel\t${day(1)}\tMunich, Germany\nLetter\t${day(1)}\t\t48.137\t11.575`;
  const { list } = await account.must("/task/batch_convert", {
    batch,
    geocoder: "osm",
    fields: ["label", "from", "address", "lat", "lng"],
  });
  expect(list).toMatchObject([
    { location: { address: "Munich, Germany", lat: expect.closeTo(48.1, 1) } },
    { location: { address: "Munich, Bavaria, Germany", lat: 48.137 } },
  ]);
});
