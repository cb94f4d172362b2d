import { expect, test } from "vitest";
import { systemNow } from "../../shared/time/clock.ts";
import { MINUTE_MS } from "../../shared/time/duration.ts";
import { type Account, accountsOn, feed, must, newAccount, type Reply } from "../tool/call/account.ts";
import { mailTo, newSubUser } from "../tool/call/mailbox.ts";
import { writeUtc } from "../tool/call/utc-time.ts";
import { chanceOf } from "../tool/chance.ts";
import { stack } from "../tool/system/stack.ts";
import { waitUntil } from "../tool/wait.ts";

const START = Math.floor(systemNow() / MINUTE_MS - 60) * MINUTE_MS;
const { fireCron } = accountsOn(stack);
const GATE = { type: "inoutzone", name: "Gate", primary_text: "Arrived", secondary_text: "Left" };

test("a tracker that drives into a zone and out of it makes an event of each, in point time", async () => {
  const { account, tracker_id, device_id } = await newTracker();
  const zone_id = await newCircle(account);
  const { id: rule_id } = await account.must("/tracker/rule/create", {
    rule: { ...GATE, zone_ids: [zone_id], trackers: [tracker_id], extended_params: { append_zone_title: true } },
  });
  await feed(device_id, [at(0, 7.95), at(3, 7.98), at(6, 8), at(9, 8.002), at(12, 8.05)]);
  const events = await eventsOf(account, tracker_id, 2);
  expect(events).toEqual([
    expect.objectContaining({ event: "inzone", message: "Arrived (Depot)", rule_id, time: atMinute(6) }),
    expect.objectContaining({ event: "outzone", message: "Left (Depot)", rule_id, time: atMinute(12) }),
  ]);
  expect(events[0]).toMatchObject({
    location: { lat: 50, lng: 8 },
    extra: { emergency: false, zone_ids: [zone_id], zone_labels: ["Depot"] },
  });
});

test("late points mark the event that they prove wrong, and add one that says so", async () => {
  const { account, tracker_id, device_id } = await newTracker();
  const zone_ids = [await newCircle(account)];
  await account.must("/tracker/rule/create", { rule: { ...GATE, zone_ids, trackers: [tracker_id] } });
  await feed(device_id, [at(0, 7.95), at(10, 8), at(12, 8)]);
  const [wrong] = await eventsOf(account, tracker_id, 1);
  expect(wrong).toMatchObject({ event: "inzone", time: atMinute(10) });
  await feed(device_id, [at(6, 8.001), at(8, 8)]);
  const events = await eventsOf(account, tracker_id, 3);
  expect(events.map(({ event, time, extra }: Reply) => [event, time, extra.corrected ?? extra.corrected_id])).toEqual([
    ["inzone", atMinute(6), undefined],
    ["inzone", atMinute(10), true],
    ["corrected", atMinute(10), wrong.id],
  ]);
});

test("a changed rule counts for later points, and for none of those before the change", async () => {
  const { account, tracker_id, device_id } = await newTracker();
  const rule = { type: "speedup", name: "Speed", param: 90, primary_text: "Fast", trackers: [tracker_id] };
  const { id } = await account.must("/tracker/rule/create", { rule });
  await feed(device_id, [at(0, 8, { speed: 80 }), at(1, 8.01, { speed: 85 })]);
  await account.must("/tracker/rule/update", { rule: { id, param: 60 } });
  // The feed may know the rule as it was a second ago: pairs of points follow each other until it knows the new limit.
  let minute = 2;
  const driveFaster = async () => {
    await feed(device_id, [at(minute, 8.02, { speed: 50 }), at(minute + 0.01, 8.02, { speed: 70 })]);
    minute += 0.02;
    return listEvents(account, tracker_id);
  };
  await waitUntil("a point above the new limit has made an event", driveFaster, ({ length }) => length > 0);
  await feed(device_id, [at(50, 8.02, { speed: 50 }), at(51, 8.03, { speed: 70 })]);
  const isLast = (events: Reply[]) => events.at(-1)?.time === atMinute(51);
  const events = await waitUntil("the last point has made an event", () => listEvents(account, tracker_id), isLast);
  // No event of the points of before the change, which were above the new limit too.
  for (const { event, time } of events) expect([event, time >= atMinute(2)]).toEqual(["speedup", true]);
});

test("batches in any order end in the same events", async () => {
  const points = Array.from({ length: 60 }, (_, index) =>
    at(index / 2, 8 + 0.012 * Math.sin(index / 4), { speed: 40 }),
  );
  const chance = chanceOf(7);
  const orders = [points, [...points].reverse(), points.toSorted(() => chance() - 0.5)];
  const feeds = await Promise.all(orders.map(() => newGuarded()));
  await Promise.all(
    feeds.map(async ({ device_id }, index) => {
      const order = orders[index] ?? [];
      for (let start = 0; start < order.length; start += 7) await feed(device_id, order.slice(start, start + 7));
    }),
  );
  const standing = async ({ account, tracker_id }: (typeof feeds)[number]) =>
    (await listEvents(account, tracker_id))
      .filter(({ event, extra }) => event !== "corrected" && !extra.corrected)
      .map(({ event, time }) => `${event} ${time}`);
  const areSame = ([inOrder = [], ...others]: string[][]) =>
    inOrder.length > 4 && others.every((other) => other.join() === inOrder.join());
  await waitUntil("all orders have the same events", () => Promise.all(feeds.map(standing)), areSame);
});

test("a rule without a text of its own uses the usual words, and its e-mail addresses get a mail", async () => {
  const { account, tracker_id, device_id } = await newTracker();
  const zone_ids = [await newCircle(account)];
  const alerts = { push_enabled: true, emails: [account.login] };
  const rule = { ...GATE, secondary_text: "", zone_ids, trackers: [tracker_id], alerts };
  await account.must("/tracker/rule/create", { rule });
  await feed(device_id, [at(0, 7.95), at(6, 8), at(12, 8.05)]);
  const events = await eventsOf(account, tracker_id, 2);
  expect(events.map(({ message }) => message)).toEqual(["Arrived", "Left a zone"]);
  const sweptMail = async () => {
    await fireCron("fleet");
    return mailTo(account.login);
  };
  const mail = await waitUntil("the addressee has a mail", sweptMail);
  expect(mail).toMatchObject({ subject: "Van 7: Arrived" });
  expect(mail.text).toContain(`Time: ${atMinute(6)}`);
});

test("a private rule's events are the sub-user's alone", async () => {
  const { account, tracker_id, device_id } = await newTracker();
  const { id: subuser_id, hash } = await newSubUser(account);
  const group = { label: "Rules", privileges: { rights: ["tracker_rule_update"] } };
  const { id: group_id } = await account.must("/subuser/security_group/create", { group });
  await account.must("/subuser/security_group/assign", { group_id, subuser_ids: [subuser_id] });
  await account.must("/subuser/tracker/bind", { subuser_id, trackers: [tracker_id] });
  const rule = {
    type: "speedup",
    name: "Speed",
    param: 50,
    trackers: [tracker_id],
    extended_params: { private_rule: true },
  };
  await must("/tracker/rule/create", { hash, rule });
  await feed(device_id, [at(0, 8, { speed: 40 }), at(1, 8.01, { speed: 60 })]);
  const own = { ...account, must: (path: string, given: object = {}) => must(path, { ...given, hash }) };
  await eventsOf(own, tracker_id, 1);
  expect(await listEvents(account, tracker_id)).toEqual([]);
});

test("an alarm that a device reports makes an event of a rule of its type", async () => {
  const { account, tracker_id, device_id } = await newTracker();
  const rule = {
    type: "sos",
    name: "Help",
    primary_text: "Help!",
    trackers: [tracker_id],
    alerts: { emergency: true },
  };
  await account.must("/tracker/rule/create", { rule });
  await feed(device_id, [at(0, 8), at(1, 8, { attributes: { alarm: "sos" } })]);
  const events = await eventsOf(account, tracker_id, 1);
  expect(events).toMatchObject([{ event: "sos", message: "Help!", extra: { emergency: true } }]);
});

test("suspended and unbound rules make no events", async () => {
  const { account, tracker_id, device_id } = await newTracker();
  const speed = { type: "speedup", name: "Speed", param: 50, trackers: [tracker_id] };
  await account.must("/tracker/rule/create", { rule: { ...speed, name: "A", suspended: true } });
  const { id: rule_id } = await account.must("/tracker/rule/create", { rule: speed });
  await account.must("/tracker/rule/unbind", { rule_id, trackers: [tracker_id] });
  const { id } = await account.must("/tracker/rule/create", { rule: speed });
  await feed(device_id, [at(0, 8, { speed: 40 }), at(1, 8.01, { speed: 60 })]);
  expect(await eventsOf(account, tracker_id, 1)).toMatchObject([{ rule_id: id }]);
});

test("a zone that moves makes events at its new place and none at its old one, in the feeds of all its rules", async () => {
  const { account, tracker_id, device_id, zone_id } = await newGuarded();
  const other = await account.newTracker();
  const rule = { ...GATE, zone_ids: [zone_id], trackers: [other.id] };
  await account.must("/tracker/rule/create", { rule });
  const devices = [device_id, other.source.device_id];
  for (const device of devices) await feed(device, [at(0, 7.9), at(1, 7.95)]);
  await account.must("/zone/update", { zone: { id: zone_id, center: { lat: 50, lng: 8.5 } } });
  for (const [index, id] of [tracker_id, other.id].entries()) {
    const device = devices[index] ?? "";
    // The feed may know the zone as it was a second ago: the tracker enters and leaves its new place until that makes an event.
    let minute = 5;
    const enter = async () => {
      minute += 0.02;
      await feed(device, [at(minute, 8.45), at(minute + 0.01, 8.5)]);
      return listEvents(account, id);
    };
    const [first] = await waitUntil("the zone is found at its new place", enter, ({ length }) => length > 0);
    expect(first.extra.zone_ids).toEqual([zone_id]);
    await feed(device, [at(40, 8), at(50, 8.5)]);
    const isLast = (events: Reply[]) => events.at(-1)?.time === atMinute(50);
    const events = await waitUntil("the last point has made an event", () => listEvents(account, id), isLast);
    expect(events.slice(-2)).toMatchObject([
      { event: "outzone", time: atMinute(40) },
      { event: "inzone", time: atMinute(50) },
    ]);
  }
});

async function newGuarded() {
  const tracker = await newTracker();
  const zone_id = await newCircle(tracker.account);
  const rule = { ...GATE, zone_ids: [zone_id], trackers: [tracker.tracker_id] };
  await tracker.account.must("/tracker/rule/create", { rule });
  return { ...tracker, zone_id };
}

async function newTracker() {
  const account = await newAccount({ time_zone: "UTC" });
  const { id, source } = await account.newTracker();
  return { account, tracker_id: id, device_id: source.device_id };
}

async function newCircle(account: Account): Promise<number> {
  const zone = { type: "circle", label: "Depot", center: { lat: 50, lng: 8 }, radius: 300 };
  return (await account.must("/zone/create", { zone })).id;
}

function at(minute: number, lng: number, given: object = {}) {
  return { time: START + minute * MINUTE_MS, lat: 50, lng, ...given };
}

/** The tracker's events in the history, once there are that many. */
function eventsOf(account: Pick<Account, "must">, tracker_id: number, count: number): Promise<Reply[]> {
  const events = () => listEvents(account, tracker_id);
  return waitUntil(`the tracker has ${count} events`, events, ({ length }) => length === count);
}

async function listEvents(account: Pick<Account, "must">, tracker_id: number): Promise<Reply[]> {
  const range = { from: atMinute(-600), to: atMinute(600), trackers: [tracker_id] };
  return (await account.must("/history/tracker/list", { ...range, add_tracker_label: false })).list;
}

function atMinute(minute: number) {
  return writeUtc(START + minute * MINUTE_MS);
}
