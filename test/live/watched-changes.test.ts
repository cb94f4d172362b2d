import { expect, test } from "vitest";
import { systemNow } from "../../shared/time/clock.ts";
import { MINUTE_MS } from "../../shared/time/duration.ts";
import { type Account, accountsOn, feed, must, newAccount, type Reply, UNKNOWN_ID } from "../tool/call/account.ts";
import { newSubUser } from "../tool/call/mailbox.ts";
import { writeUtc } from "../tool/call/utc-time.ts";
import { stack } from "../tool/system/stack.ts";
import { waitUntil } from "../tool/wait.ts";

const { fireCron } = accountsOn(stack);
const NOW = Math.floor(systemNow() / 1000) * 1000;

test("a rule on work statuses tells of those that it chooses, once each, with its own words", async () => {
  const { account, tracker_id, device_id, statuses } = await newWorker();
  const [free = 0, busy = 0] = statuses;
  await feed(device_id, [{ time: NOW - MINUTE_MS, lat: 50, lng: 8 }]);
  const { id: rule_id } = await newRule(account, {
    type: "work_status_change",
    primary_text: "Is busy now",
    trackers: [tracker_id],
    extended_params: { status_ids: [busy] },
  });
  for (const new_status_id of [free, busy]) await account.must("/status/tracker/assign", { tracker_id, new_status_id });
  await fireCron("fleet");
  await fireCron("fleet");
  const events = await eventsOf(account, rule_id, 1);
  expect(events).toMatchObject([
    { event: "work_status_change", message: "Is busy now", rule_id, location: { lat: 50, lng: 8 } },
  ]);
});

test("a rule on work statuses acts in its schedule and its zones alone, and not while it is suspended", async () => {
  const { account, tracker_id, device_id, statuses } = await newWorker();
  await feed(device_id, [{ time: NOW - MINUTE_MS, lat: 50, lng: 8 }]);
  const zone = { type: "circle", label: "Here", center: { lat: 50, lng: 8 }, radius: 300 };
  const { id: here } = await account.must("/zone/create", { zone });
  const { id: there } = await account.must("/zone/create", { zone: { ...zone, center: { lat: 51, lng: 8 } } });
  const plain = { type: "work_status_change", trackers: [tracker_id] };
  const past = [{ type: "fixed", from: "2020-01-01 00:00:00", to: "2020-01-02 00:00:00" }];
  await newRule(account, { ...plain, schedule: past });
  await newRule(account, { ...plain, suspended: true });
  await newRule(account, { ...plain, zone_ids: [there] });
  const { id: inside } = await newRule(account, { ...plain, zone_ids: [here] });
  const outside = { zone_ids: [there], extended_params: { zone_limit_inverted: true } };
  const { id: inverted } = await newRule(account, { ...plain, ...outside });
  await account.must("/status/tracker/assign", { tracker_id, new_status_id: statuses[0] });
  const rulesOfEvents = async () => {
    await fireCron("fleet");
    return (await listEvents(account, tracker_id)).flatMap(({ rule_id }) => rule_id ?? []).toSorted();
  };
  const expected = [inside, inverted].toSorted().join();
  await waitUntil("both rules for this place have made events", rulesOfEvents, (ids) => ids.join() === expected);
});

test("a private rule on work statuses tells its author alone", async () => {
  const { account, tracker_id, statuses } = await newWorker();
  const { id: subuser_id, hash } = await newSubUser(account);
  const group = { label: "Rules", privileges: { rights: ["tracker_rule_update"] } };
  const { id: group_id } = await account.must("/subuser/security_group/create", { group });
  await account.must("/subuser/security_group/assign", { group_id, subuser_ids: [subuser_id] });
  await account.must("/subuser/tracker/bind", { subuser_id, trackers: [tracker_id] });
  const rule = { ...PLAIN, type: "work_status_change", trackers: [tracker_id] };
  const { id: rule_id } = await must("/tracker/rule/create", {
    hash,
    rule: { ...rule, extended_params: { private_rule: true } },
  });
  await account.must("/status/tracker/assign", { tracker_id, new_status_id: statuses[0] });
  const own = { must: (path: string, given: object = {}) => must(path, { ...given, hash }) };
  await eventsOf(own, rule_id, 1, tracker_id);
  expect((await listEvents(account, tracker_id)).map((one) => one.rule_id)).toEqual([undefined]);
});

test("a rule on tasks tells of the statuses that it chooses, for tasks that the clock fails too", async () => {
  const account = await newAccount({ time_zone: "UTC" });
  const { id: tracker_id } = await account.newTracker();
  const given = { type: "task_status_change", trackers: [tracker_id], primary_text: "Oh no" };
  const { id: rule_id } = await newRule(account, { ...given, extended_params: { statuses: ["failed"] } });
  await newRule(account, { ...given, extended_params: { statuses: ["done", "arrived"] } });
  const { id: all } = await newRule(account, given);
  const task = {
    tracker_id,
    label: "Deliver",
    description: "",
    location: { lat: 50, lng: 8, address: "", radius: 100 },
    from: writeUtc(NOW - 60 * MINUTE_MS),
    to: writeUtc(systemNow() + 1000),
  };
  const { id: task_id } = await account.must("/task/create", { task });
  const sweptStatus = async () => {
    await fireCron("tasks");
    return (await account.must("/task/read", { task_id })).value.status;
  };
  await waitUntil("the task has failed", sweptStatus, (status) => status === "failed");
  const [event] = await eventsOf(account, rule_id, 1, tracker_id);
  expect(event).toMatchObject({ event: "task_failed", message: "Oh no", rule_id, extra: { task_id } });
  await eventsOf(account, all, 1, tracker_id);
  const ruleIds = (await listEvents(account, tracker_id)).flatMap((one) => one.rule_id ?? []);
  expect(ruleIds.toSorted()).toEqual([rule_id, all].toSorted());
});

test("a tracker that leaves another one behind, and comes back, makes an event of each", async () => {
  const account = await newAccount({ time_zone: "UTC" });
  const [own, other] = [await account.newTracker(), await account.newTracker()];
  const control = { observed_trackers: [other.id], control_type: "moving_away", control_distance_meters: 1000 };
  const { id: rule_id } = await newRule(account, {
    type: "distance_control",
    trackers: [own.id],
    primary_text: "Lost",
    secondary_text: "Found",
    extended_params: control,
  });
  const at = (seconds: number, lng: number) => [{ time: NOW - 600_000 + seconds * 1000, lat: 50, lng }];
  await feed(other.source.device_id, at(0, 8));
  await feed(own.source.device_id, at(1, 8.001));
  await feed(own.source.device_id, at(60, 8.05));
  await eventsOf(account, rule_id, 1, own.id);
  await feed(own.source.device_id, at(70, 8.06));
  await feed(own.source.device_id, at(120, 8.002));
  expect(await eventsOf(account, rule_id, 2, own.id)).toMatchObject([
    { event: "distance_breached", message: "Lost", extra: { proximity_object_id: other.id } },
    { event: "distance_restored", message: "Found", extra: { proximity_object_id: other.id } },
  ]);
});

test("a distance_control rule with another account's tracker or an unknown one is 7", async () => {
  const [account, rival] = [await newAccount(), await newAccount()];
  const [{ id: own }, { id: foreign }] = [await account.newTracker(), await rival.newTracker()];
  for (const wrong of [foreign, UNKNOWN_ID]) {
    const extended_params = {
      observed_trackers: [own, wrong],
      control_type: "approaching",
      control_distance_meters: 50,
    };
    const rule = { ...PLAIN, type: "distance_control", extended_params };
    const reply = await account.call("/tracker/rule/create", { rule });
    expect(reply).toMatchObject({
      status: { code: 7 },
      errors: [{ parameter: "rule.extended_params.observed_trackers.1" }],
    });
  }
});

test("a rule watches what a virtual sensor makes of the points, and a changed sensor counts for later points alone", async () => {
  const account = await newAccount({ time_zone: "UTC" });
  const { id: tracker_id, source } = await account.newTracker();
  const sensor = {
    type: "virtual",
    sensor_type: "virtual_ignition",
    name: "Door",
    input_name: "door",
    parameters: { calc_method: "in_range", range_from: 5, range_to: 9 },
  };
  const { id: sensor_id } = await account.must("/tracker/sensor/create", { tracker_id, sensor });
  const { id: rule_id } = await newRule(account, {
    type: "state_field_control",
    trackers: [tracker_id],
    extended_params: { trigger_value: "1", virtual_sensor_id: sensor_id },
  });
  const at = (seconds: number, door: number) => [
    { time: NOW - 1_800_000 + seconds * 1000, lat: 50, lng: 8, attributes: { door } },
  ];
  await feed(source.device_id, at(0, 1));
  await feed(source.device_id, at(10, 7));
  expect(await eventsOf(account, rule_id, 1, tracker_id)).toMatchObject([
    { event: "state_field_control", time: writeUtc(NOW - 1_790_000), extra: { sensor_id } },
  ]);
  const parameters = { ...sensor.parameters, range_from: 50, range_to: 90 };
  await account.must("/tracker/sensor/update", { tracker_id, sensor: { ...sensor, id: sensor_id, parameters } });
  // The feed may know the sensor as it was a second ago: points follow each other until the new range counts.
  let seconds = 20;
  const fillUp = async () => {
    await feed(source.device_id, [...at(seconds, 1), ...at(seconds + 1, 70)]);
    seconds += 2;
    return (await listEvents(account, tracker_id)).filter((one) => one.rule_id === rule_id);
  };
  await waitUntil("a point within the new range has made an event", fillUp, ({ length }) => length > 1);
  await feed(source.device_id, [...at(1500, 7), ...at(1520, 70)]);
  const ofRule = async () => (await listEvents(account, tracker_id)).filter((one) => one.rule_id === rule_id);
  const last = writeUtc(NOW - 1_800_000 + 1_520_000);
  const events = await waitUntil("the last point has made an event", ofRule, (list) => list.at(-1)?.time === last);
  expect(events.map(({ time }) => time)).not.toContain(writeUtc(NOW - 1_800_000 + 1_500_000));
});

test("a sensor_range rule watches each of its trackers by that tracker's own sensor", async () => {
  const account = await newAccount({ time_zone: "UTC" });
  const sensor = {
    type: "metering",
    sensor_type: "temperature",
    name: "Cold",
    input_name: "t",
    divider: 1,
    accuracy: 0,
  };
  const trackers = [await account.newTracker(), await account.newTracker(), await account.newTracker()];
  const sensors: number[] = [];
  for (const { id: tracker_id } of trackers.slice(0, 2)) {
    sensors.push((await account.must("/tracker/sensor/create", { tracker_id, sensor: { ...sensor } })).id);
  }
  const tracker_params = sensors.map((sensor_id, index) => ({
    sensor_id,
    min: 0,
    max: 10 * (index + 1),
    threshold: 0,
  }));
  const ids = trackers.map(({ id }) => id);
  const given = { type: "sensor_range", trackers: ids, primary_text: "Out", secondary_text: "In" };
  const { id: each } = await newRule(account, { ...given, extended_params: { tracker_params } });
  const [sensor_id] = sensors;
  const { id: one } = await newRule(account, {
    ...given,
    extended_params: { sensor_id, min: 0, max: 10, threshold: 0 },
  });
  const points = [5, 15, 25].map((t, index) => ({
    time: NOW - 600_000 + index * 60_000,
    lat: 50,
    lng: 8,
    attributes: { t },
  }));
  for (const { source } of trackers) await feed(source.device_id, points);
  const outOf = async (rule_id: number, tracker_id: number, count: number) =>
    (await eventsOf(account, rule_id, count, tracker_id)).map(({ time, extra }) => [
      time,
      extra.sensor_id,
      extra.sensor_name,
    ]);
  const [first, second, third] = ids;
  expect(await outOf(each, first, 1)).toEqual([[writeUtc(NOW - 540_000), sensors[0], "Cold"]]);
  expect(await outOf(each, second, 1)).toEqual([[writeUtc(NOW - 480_000), sensors[1], "Cold"]]);
  expect(await outOf(one, first, 1)).toEqual([[writeUtc(NOW - 540_000), sensors[0], "Cold"]]);
  // A sensor of another tracker makes no event of this one.
  expect([await outOf(one, second, 0), await outOf(each, third, 0), await outOf(one, third, 0)]).toEqual([[], [], []]);
});

const PLAIN = { name: "Rule" };

function newRule(account: Account, rule: object) {
  return account.must("/tracker/rule/create", { rule: { ...PLAIN, ...rule } });
}

async function newWorker() {
  const account = await newAccount({ time_zone: "UTC" });
  const { id: tracker_id, source } = await account.newTracker();
  const listing = { label: "Drivers", employee_controlled: true, supervisor_controlled: true };
  const { id: listing_id } = await account.must("/status/listing/create", { listing });
  const statuses: number[] = [];
  for (const label of ["Free", "Busy"]) {
    const status = { label, color: "E57373" };
    statuses.push((await account.must("/status/create", { listing_id, status })).id);
  }
  await account.must("/status/listing/tracker/assign", { tracker_id, listing_id });
  return { account, tracker_id: Number(tracker_id), device_id: source.device_id, statuses };
}

/** The rule's events in the history, once there are that many. */
function eventsOf(
  account: Pick<Account, "must">,
  rule_id: number,
  count: number,
  tracker_id?: number,
): Promise<Reply[]> {
  const events = async () => {
    await fireCron("fleet");
    return (await listEvents(account, tracker_id)).filter((one) => one.rule_id === rule_id);
  };
  return waitUntil(`the rule has ${count} events`, events, ({ length }) => length === count);
}

async function listEvents(account: Pick<Account, "must">, tracker_id?: number): Promise<Reply[]> {
  const range = {
    from: writeUtc(NOW - 600 * MINUTE_MS),
    to: writeUtc(NOW + 600 * MINUTE_MS),
    add_tracker_label: false,
  };
  const path = tracker_id === undefined ? "/history/user/list" : "/history/tracker/list";
  return (await account.must(path, { ...range, ...(tracker_id !== undefined && { trackers: [tracker_id] }) })).list;
}
