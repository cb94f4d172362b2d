import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { systemNow } from "../../shared/time/clock.ts";
import { type Account, type Accounts, accountsOn, type Reply, UNKNOWN_ID } from "../tool/call/account.ts";
import { connect, type LiveClient } from "../tool/call/live-client.ts";
import { newSubUser } from "../tool/call/mailbox.ts";
import { connectSlowly, untilUnanswered } from "../tool/call/slow-reader.ts";
import { writeUtc } from "../tool/call/utc-time.ts";
import { startWatchedSystem } from "../tool/system/system.ts";
import { waitUntil } from "../tool/wait.ts";

const BEGUN = writeUtc(systemNow());
let system: Awaited<ReturnType<typeof startWatchedSystem>>;
let accounts: Accounts;
const clients: LiveClient[] = [];

beforeAll(async () => {
  system = await startWatchedSystem();
  accounts = accountsOn(system);
});

afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});

afterAll(() => system?.stop());

test("iot_monitor sends the last messages of all devices at once, then those of each device that reports; a silent attribute is null", async () => {
  const { account, tracker } = await newTracked({ fuel: 30 });
  const silent = await account.newTracker();
  await report(tracker, { door: true });
  const client = await open();
  const request = monitor([tracker.id, silent.id, UNKNOWN_ID]);
  expect(await client.ask(subscription(account, request))).toEqual({
    type: "response",
    action: "subscription/subscribe",
    events: ["iot_monitor"],
    data: {
      iot_monitor: {
        success: true,
        value: { [tracker.id]: "normal", [silent.id]: "normal", [UNKNOWN_ID]: "unknown" },
      },
    },
  });
  const first = await client.nextEvent("iot_monitor");
  expect(Object.keys(first)).toEqual(["type", "event", "data"]);
  expect(first.data).toEqual({
    iot_last_values: [
      {
        tracker_id: tracker.id,
        nonnull_fields: { fuel: [said(30)], door: [said(true)] },
        all_fields: { door: [said(true), said(null)], fuel: [said(null), said(30)] },
      },
      { tracker_id: silent.id, nonnull_fields: {}, all_fields: {} },
    ],
  });
  await report(tracker, { fuel: 29 });
  const { iot_last_values } = (await client.nextEvent("iot_monitor")).data;
  expect(iot_last_values).toHaveLength(1);
  expect(valuesOf(iot_last_values[0].nonnull_fields.fuel)).toEqual([29, 30]);
  expect(valuesOf(iot_last_values[0].all_fields.fuel)).toEqual([29, null, 30]);
});

test("iot_monitor shows the last twelve messages of an attribute, no more often than the rate allows", async () => {
  const { account, tracker } = await newTracked({ count: 0 });
  const watching = await openSubscribed(account, { ...monitor([tracker.id]), rate_limit: "0s" });
  const limited = await openSubscribed(account, { ...monitor([tracker.id]), rate_limit: "6s" });
  let last = 0;
  // On a slow machine the limit may end between the reports: then the next ones are tried.
  const reportMany = async () => {
    const first = last + 1;
    for (let wave = 0; wave < 3; wave++) {
      for (let count = 0; count < 5; count++) await report(tracker, { count: ++last });
      await newestOf(watching, "count", last);
    }
    const [{ nonnull_fields, all_fields }] = (await limited.nextEvent("iot_monitor")).data.iot_last_values;
    const seen = limited.events("iot_monitor").map(({ data }) => valuesOf(data.iot_last_values[0].all_fields.count)[0]);
    return { values: valuesOf(nonnull_fields.count), all: valuesOf(all_fields.count), newest: seen, first };
  };
  const { values, all } = await waitUntil(
    "fifteen messages within a limit came in one event",
    reportMany,
    ({ newest, first }) => newest.at(-1) === last && newest.filter((count) => count >= first).length === 1,
  );
  const newest = Array.from({ length: 12 }, (_, index) => last - index);
  expect([values, all]).toEqual([newest, newest]);
});

test("messages outlive the memory of the feed and of the socket that keep them", async () => {
  const { account, tracker } = await newTracked({ fuel: 30 });
  const client = await openSubscribed(account, monitor([tracker.id]));
  await system.evictObjects();
  await report(tracker, { fuel: 31 });
  const { data } = await client.nextEvent("iot_monitor");
  expect(valuesOf(data.iot_last_values[0].nonnull_fields.fuel)).toEqual([31, 30]);
});

test("a sub-user is shown the messages of its trackers alone, of a blocked tracker there are none, and they end with its session", async () => {
  const { account, tracker: shown } = await newTracked({ fuel: 1 });
  const hidden = await account.newTracker();
  const sub = await newSubUser(account, accounts);
  await account.must("/subuser/tracker/bind", { subuser_id: sub.id, trackers: [shown.id] });
  const client = await open();
  const request = { ...monitor([]), target: { type: "selected", tracker_ids: [shown.id, hidden.id] } };
  const reply = await client.ask({ action: "subscribe", hash: sub.hash, requests: [request] });
  expect(reply.data.iot_monitor.value).toEqual({ [shown.id]: "normal", [hidden.id]: "unknown" });
  const first = await client.nextEvent("iot_monitor");
  expect(first.data.iot_last_values.map(({ tracker_id }: Reply) => tracker_id)).toEqual([shown.id]);
  await account.block(shown.id);
  expect((await client.nextEvent("lifecycle")).data.lifecycle_event).toBe("block");
  const again = await client.ask({ action: "subscribe", hash: sub.hash, requests: [request] });
  expect(again.data.iot_monitor.value[shown.id]).toBe("blocked");
  expect((await client.nextEvent("iot_monitor")).data).toEqual({ iot_last_values: [] });
  await account.must("/subuser/delete", { subuser_id: sub.id });
  expect((await client.nextEvent("logout")).data).toBe("session closed");
  await client.until("the connection was closed", () => client.closed() !== undefined);
});

test("ten trackers may be monitored over all requests, by name or all that there are, and eleven are too many", async () => {
  const { account } = await newTracked({ fuel: 1 });
  const ids: number[] = [];
  for (let count = 1; count < 10; count++) ids.push((await account.newTracker()).id);
  const client = await open();
  const all = { type: "iot_monitor", target: { type: "all" } };
  expect(Object.keys((await client.ask(subscription(account, all))).data.iot_monitor.value)).toHaveLength(10);
  expect((await client.nextEvent("iot_monitor")).data.iot_last_values).toHaveLength(10);
  const { id } = await account.newTracker();
  const eleventh = { ...monitor([id]), rate_limit: "9s" };
  const tooMany = { type: "error", status: { code: 7 }, errors: [{ parameter: "requests" }] };
  expect(await client.ask(subscription(account, eleventh))).toMatchObject(tooMany);
  expect(await (await open()).ask(subscription(account, all))).toMatchObject(tooMany);
  const taken = await client.ask({ ...subscription(account, monitor(ids.slice(0, 1))), action: "unsubscribe" });
  expect(taken.data).toEqual({ iot_monitor: { success: true, value: ids.slice(0, 1) } });
  expect((await client.ask(subscription(account, eleventh))).data.iot_monitor.value).toEqual({ [id]: "normal" });
});

test("a client that pauses reading gets the newest messages, all in one event, once it reads again", async () => {
  const long = Object.fromEntries(Array.from({ length: 60 }, (_, count) => [`a${count}`, "x".repeat(250)]));
  const { account, tracker } = await newTracked(long);
  const client = await connectSlowly(system.baseUrl);
  client.send(subscription(account, monitor([tracker.id])));
  await waitUntil("the first messages came", client.received, (text) => text.includes('"event":"iot_monitor"'));
  const watching = await openSubscribed(account, monitor([tracker.id]));
  client.pause();
  // The network alone takes some of what nobody reads.
  const states = { type: "state_batch", target: { type: "all" }, rate_limit: "0s" };
  for (let count = 0; count < 12; count++)
    client.send({ ...subscription(account, states), requests: Array.from({ length: 100 }, () => states) });
  await untilUnanswered(system, account);
  for (const marked of ["first", "second", "third"]) {
    await report(tracker, { marked });
    await newestOf(watching, "marked", marked);
  }
  client.resume();
  const inOne = /"marked":\[\{"value":"third"[^\]]*"second"[^\]]*"first"/;
  const areAll = () => inOne.test(client.received());
  await waitUntil("all three messages came in one event", areAll);
  expect(client.received()).not.toContain('"marked":[{"value":"first"');
  client.close();
});

async function open() {
  const client = await connect(system.baseUrl);
  clients.push(client);
  return client;
}

function monitor(tracker_ids: number[]) {
  return { type: "iot_monitor", target: { type: "selected", tracker_ids } };
}

function subscription({ hash }: Account, request: object) {
  return { action: "subscribe", hash, requests: [request] };
}

/** A client that has got its first messages. */
async function openSubscribed(account: Account, request: object) {
  const client = await open();
  await client.ask(subscription(account, request));
  await client.nextEvent("iot_monitor");
  return client;
}

async function newTracked(attributes: object) {
  const account = await accounts.newAccount({ time_zone: "Asia/Tokyo" });
  const tracker = await account.newTracker();
  await report(tracker, attributes);
  return { account, tracker };
}

async function report({ source }: Reply, attributes: object) {
  const point = { time: systemNow(), attributes, lat: 50, lng: 10, speed: 0, satellites: 9 };
  expect(await accounts.feed(source.device_id, [point])).toMatchObject({ success: true });
}

/** A value that came since these tests began, by the clock of UTC whatever the user's zone. */
function said(value: unknown) {
  const isSince = (text: string) => text >= BEGUN && text <= writeUtc(systemNow());
  return { value, msg_time: expect.toSatisfy(isSince), srv_time: expect.toSatisfy(isSince) };
}

/** Waits for the event in which the newest value of an attribute is this one, and returns all of its values in it. */
async function newestOf(client: LiveClient, attribute: string, newest: unknown) {
  const shown = ({ data }: Reply) => valuesOf(data?.iot_last_values?.[0]?.nonnull_fields[attribute] ?? []);
  const isNewest = (message: Reply) => message.event === "iot_monitor" && shown(message)[0] === newest;
  return shown(await client.next(isNewest, `the value ${newest} of ${attribute} came`));
}

function valuesOf(said: Reply[]) {
  return said.map(({ value }) => value);
}
