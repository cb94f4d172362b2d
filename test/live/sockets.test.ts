import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { systemNow } from "../../shared/time/clock.ts";
import { type Account, type Accounts, accountsOn, type Reply, UNKNOWN_ID } from "../tool/call/account.ts";
import { connect, type LiveClient } from "../tool/call/live-client.ts";
import { newSubUser } from "../tool/call/mailbox.ts";
import { connectSlowly, untilUnanswered } from "../tool/call/slow-reader.ts";
import { startWatchedSystem } from "../tool/system/system.ts";
import { waitUntil } from "../tool/wait.ts";

let system: Awaited<ReturnType<typeof startWatchedSystem>>;
let accounts: Accounts;
const clients: LiveClient[] = [];

beforeAll(async () => {
  system = await startWatchedSystem({
    SOCKET_HEARTBEAT_SECONDS: "1",
    SOCKETS_PER_CREDENTIAL: "3",
    SOCKET_TRACKERS: "5",
  });
  accounts = accountsOn(system);
});

afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});

afterAll(() => system?.stop());

test("a connection begins with the handshake, and heartbeats follow", async () => {
  const client = await open();
  expect(client.handshake).toMatch(/^[0-9a-f-]{36}\|1000\|X\|$/);
  await client.until("a heartbeat came", () => client.texts.includes("X"));
});

test("a client that closes its connection gets the answer of the closing handshake", async () => {
  const client = await open();
  client.close();
  await client.until("the connection was closed", () => client.closed() !== undefined);
  expect(client.closed()).toMatchObject({ code: 1000 });
});

test("a subscription is answered with each tracker's status, then with all states, then with what changes", async () => {
  const { account, tracker } = await newTracked();
  const silent = await account.newTracker();
  const client = await open();
  const request = { type: "state_batch", target: { type: "all" }, rate_limit: "0s", format: "compact" };
  expect(await client.ask({ action: "subscribe", hash: account.hash, requests: [request] })).toEqual({
    type: "response",
    action: "subscription/subscribe",
    events: ["state_batch"],
    data: { state_batch: { success: true, value: { [tracker.id]: "normal", [silent.id]: "normal" } } },
  });
  const first = await client.nextEvent("state_batch");
  expect(sourcesOf(first)).toEqual([tracker.source.id, silent.source.id]);
  const { user_time, state } = await account.must("/tracker/get_state", { tracker_id: tracker.id });
  const { gsm, battery_level, battery_update, inputs, inputs_update, outputs, outputs_update, ...rest } = state;
  const { additional, actual_track_update, ...compact } = rest;
  expect(first.data[0]).toEqual(compact);
  expect(first.user_time.slice(0, 13)).toBe(user_time.slice(0, 13));

  await report(tracker, { lat: 51 });
  const second = await client.nextEvent("state_batch");
  expect(second.data).toHaveLength(1);
  expect(second.data[0]).toMatchObject({ source_id: tracker.source.id, gps: { location: { lat: 51 } } });
});

test("states come one by one and whole where they are asked for so, also in the old form", async () => {
  const { account, tracker } = await newTracked();
  const client = await open();
  const old = { action: "subscribe", hash: account.hash, events: ["state"], trackers: [tracker.id, UNKNOWN_ID] };
  expect(await client.ask(old)).toMatchObject({
    events: ["state"],
    data: { state: { success: true, value: { [tracker.id]: "normal", [UNKNOWN_ID]: "unknown" } } },
  });
  const { state } = await account.must("/tracker/get_state", { tracker_id: tracker.id });
  expect((await client.nextEvent("state")).data).toEqual(state);
  await report(tracker, { lat: 52 });
  expect((await client.nextEvent("state")).data.gps.location.lat).toBe(52);
  expect(await client.ask({ ...old, action: "unsubscribe", trackers: [tracker.id] })).toEqual({
    type: "response",
    action: "subscription/unsubscribe",
    events: ["state"],
    data: [tracker.id],
  });
  // A batch of the same tracker arrives after any state that the reports could still have caused.
  const batches = { type: "state_batch", target: { type: "all" }, rate_limit: "0s" };
  await client.ask(subscription(account, batches));
  for (const lat of [53, 54]) {
    await report(tracker, { lat });
    await nextBatchAt(client, lat);
  }
  expect(client.events("state")).toHaveLength(2);
});

test("a subscription with a rate limit sends the newest state of a tracker once within the limit", async () => {
  const { account, tracker } = await newTracked();
  const batches = { type: "state_batch", target: { type: "all" } };
  const watching = await openSubscribed(account, { ...batches, rate_limit: "0s" });
  const limited = await openSubscribed(account, { ...batches, rate_limit: "6s" });
  let lat = 50;
  // On a slow machine the limit may end between the reports: then the next three are tried.
  const reportThree = async () => {
    for (let count = 0; count < 3; count++) {
      lat += 0.5;
      await report(tracker, { lat });
      await nextBatchAt(watching, lat);
    }
    return latsOf(await limited.nextEvent("state_batch"));
  };
  await waitUntil("three reports within a limit came as one state", reportThree, (lats) => lats.join() === String(lat));
});

test("readings_batch sends all readings at first, then changed ones, and only those of one sensor type where that is asked for", async () => {
  const { account, tracker } = await newTracked();
  const sensor = { type: "metering", sensor_type: "temperature", name: "Cargo", input_name: "cargo" };
  const fuel = { type: "metering", sensor_type: "fuel", name: "Tank", input_name: "tank" };
  for (const one of [sensor, fuel])
    await account.must("/tracker/sensor/create", { tracker_id: tracker.id, sensor: one });
  await report(tracker, { lat: 51, attributes: { cargo: 4, tank: 30 } });
  const target = { type: "selected", tracker_ids: [tracker.id] };
  const request = { type: "readings_batch", target, rate_limit: "1s" };
  const client = await open();
  const requests = [request, { ...request, sensor_type: "fuel" }];
  const { events, data } = await client.ask({ action: "subscribe", hash: account.hash, requests });
  expect([events, data]).toEqual([
    ["readings_batch"],
    { readings_batch: { success: true, value: { [tracker.id]: "normal" } } },
  ]);
  const namesOf = (event: Reply) =>
    event.data.map((one: Reply) => one[tracker.id].inputs.map(({ label, value }: Reply) => `${label} ${value}`));
  expect(namesOf(await client.nextEvent("readings_batch"))).toEqual([["Cargo 4", "Tank 30"]]);
  const second = await client.nextEvent("readings_batch");
  expect(namesOf(second)).toEqual([["Tank 30"]]);
  expect(second.data[0][tracker.id]).not.toHaveProperty("states");
  await report(tracker, { lat: 52, attributes: { cargo: 5 } });
  expect(namesOf(await client.nextEvent("readings_batch"))).toEqual([["Cargo 5"]]);
  // The next change is of both subscriptions: had the last one been of both, another event would stand between.
  await report(tracker, { lat: 52, attributes: { cargo: 5, tank: 31 } });
  const lasts = [await client.nextEvent("readings_batch"), await client.nextEvent("readings_batch")].map(namesOf);
  expect(lasts.toSorted()).toEqual([[["Cargo 5", "Tank 31"]], [["Tank 31"]]]);
  const wrong = { ...request, sensor_type: "weather" };
  expect(await client.ask(subscription(account, wrong))).toMatchObject({ type: "error", status: { code: 7 } });
});

test("dozens of sockets that subscribe at once to dozens of trackers are all answered, with all states", async () => {
  const own = await startWatchedSystem();
  try {
    const others = accountsOn(own);
    const account = await others.newAccount();
    const { id, source } = await account.newTracker();
    const ids = [id, ...(await own.addTrackers(source.id, 49))];
    const crowd = await Promise.all(Array.from({ length: 50 }, () => connect(own.baseUrl)));
    clients.push(...crowd);
    const request = { type: "state_batch", target: { type: "selected", tracker_ids: ids }, rate_limit: "0s" };
    const firsts = crowd.map(async (client) => {
      await client.ask(subscription(account, request));
      return (await client.nextEvent("state_batch")).data.length;
    });
    expect(await Promise.all(firsts)).toEqual(Array(50).fill(50));
  } finally {
    await own.stop();
  }
});

test("subscriptions add up, and are taken back one by one", async () => {
  const { account, tracker: one } = await newTracked();
  const other = await account.newTracker();
  const batchOf = (tracker: Reply) => ({
    type: "state_batch",
    target: { type: "selected", tracker_ids: [tracker.id] },
    rate_limit: "0s",
  });
  const client = await openSubscribed(account, batchOf(one));
  await client.ask({ action: "subscribe", hash: account.hash, requests: [batchOf(other)] });
  expect(sourcesOf(await client.nextEvent("state_batch"))).toEqual([other.source.id]);
  const taken = await client.ask({ action: "unsubscribe", hash: account.hash, requests: [batchOf(one)] });
  expect(taken.data).toEqual({ state_batch: { success: true, value: [one.id] } });
  await report(one, { lat: 51 });
  await report(other, { lat: 52 });
  expect(sourcesOf(await client.nextEvent("state_batch"))).toEqual([other.source.id]);
});

test("a sub-user's subscription covers its visible trackers: one that becomes visible at once, one that is hidden no more", async () => {
  const { account, tracker: shown } = await newTracked();
  const hidden = await account.newTracker();
  const { id: subuser_id, hash } = await newSubUser(account, accounts);
  await account.must("/subuser/tracker/bind", { subuser_id, trackers: [shown.id] });
  const client = await open();
  const requests = [
    { type: "state", trackers: [shown.id, hidden.id] },
    { type: "state_batch", target: { type: "all" }, rate_limit: "0s" },
  ];
  const { data } = await client.ask({ action: "subscribe", hash, requests });
  expect(data.state.value).toEqual({ [shown.id]: "normal", [hidden.id]: "unknown" });
  expect(data.state_batch.value).toEqual({ [shown.id]: "normal" });
  await report(hidden, { lat: 51 });
  await account.must("/subuser/tracker/bind", { subuser_id, trackers: [hidden.id] });
  await client.until("the tracker that is shown came", () =>
    client.events("state").some(({ data }) => data.source_id === hidden.source.id),
  );
  await account.must("/subuser/tracker/unbind", { subuser_id, trackers: [hidden.id] });
  // Both sockets hear of changes from the same object: once the master's has both, the sub-user's had its part of the first.
  const master = await openSubscribed(account, { type: "state_batch", target: { type: "all" }, rate_limit: "0s" });
  await report(hidden, { lat: 52 });
  await nextBatchAt(master, 52);
  await report(shown, { lat: 53 });
  await nextBatchAt(client, 53);
  // The state of before the change may come late; the new one must not.
  expect(client.texts.join("")).not.toContain('"lat":52,');
});

test("a blocked tracker sends its lifecycle events alone, and its state as soon as it is unblocked", async () => {
  const { account, tracker } = await newTracked();
  const client = await openSubscribed(account, { type: "state_batch", target: { type: "all" }, rate_limit: "0s" });
  await account.block(tracker.id);
  expect((await client.nextEvent("lifecycle")).data).toEqual({
    source_id: tracker.source.id,
    lifecycle_event: "block",
  });
  const late = await open();
  const reply = await late.ask(subscription(account, { type: "state", trackers: [tracker.id] }));
  expect(reply.data.state.value).toEqual({ [tracker.id]: "blocked" });
  await account.block(tracker.id, false);
  expect((await late.nextEvent("lifecycle")).data.lifecycle_event).toBe("unblock");
  expect((await late.nextEvent("state")).data.source_id).toBe(tracker.source.id);
  await accounts.must("/panel/tracker/corrupt", { hash: await accounts.operatorHash(), tracker_id: tracker.id });
  expect((await late.nextEvent("lifecycle")).data.lifecycle_event).toBe("corrupt");
});

test("a client gets a logout event and is closed when its session is ended by logout, deletion, a new password or a block", async () => {
  const { account } = await newTracked();
  const all = { type: "state_batch", target: { type: "all" } };
  const sub = await newSubUser(account, accounts);
  const { value: key } = await account.must("/api/key/create", { title: "ERP" });
  const login = async () =>
    (await accounts.must("/user/auth", { login: account.login, password: account.password })).hash;
  const [first, second, other] = [await login(), await login(), await accounts.newAccount()];
  const ends: [string, () => Promise<unknown>][] = [
    [first, () => account.must("/user/logout", { hash: first })],
    [key.hash, () => account.must("/api/key/delete", { key: key.hash })],
    [sub.hash, () => account.must("/subuser/delete", { subuser_id: sub.id })],
    [second, () => changePassword(account)],
    [other.hash, () => blockUser(other)],
  ];
  for (const [hash, end] of ends) {
    const client = await open();
    await client.ask({ action: "subscribe", hash, requests: [all] });
    await end();
    const logout = await client.nextEvent("logout");
    expect(logout).toEqual({ type: "event", event: "logout", data: "session closed" });
    await client.until("the connection was closed", () => client.closed() !== undefined);
    expect(client.closed()).toMatchObject({ code: 1000, reason: "session closed" });
  }
});

test("a client gets a logout event and is closed when the time of its session is over", async () => {
  const { account } = await newTracked();
  let lifeMs = 1000;
  // A slow machine may not subscribe within the session's life: then another that lives longer is tried.
  const subscribeInTime = async () => {
    lifeMs *= 2;
    const { hash } = await accounts.must("/user/auth", { login: account.login, password: account.password });
    // The gateway has not cached the session yet, so the change counts.
    const sql = "UPDATE credential SET expires_at = ? WHERE account_id = ? AND kind = 'session'";
    await system.change("gateway", sql, systemNow() + lifeMs, account.id);
    const client = await open();
    const request = { type: "state_batch", target: { type: "all" } };
    const { type } = await client.ask({ action: "subscribe", hash, requests: [request] });
    return { hash, client, type };
  };
  const isSubscribed = ({ type }: { type: string }) => type === "response";
  const { hash, client } = await waitUntil("a client subscribed by a session", subscribeInTime, isSubscribed);
  expect(await client.nextEvent("logout")).toEqual({ type: "event", event: "logout", data: "session closed" });
  expect(await accounts.call("/tracker/list", { hash })).toMatchObject({ status: { code: 4 } });
  await client.until("the connection was closed", () => client.closed() !== undefined);
  expect(client.closed()).toMatchObject({ code: 1000, reason: "session closed" });
});

test.each([
  ["no JSON", "{", { action: null, status: { code: 5 } }],
  ["no object", "[]", { action: null, status: { code: 5 } }],
  ["an unknown action", { action: "dance" }, { action: null, status: { code: 7 } }],
  ["nothing to subscribe to", { action: "subscribe" }, { status: { code: 7 }, errors: [{ parameter: "requests" }] }],
  [
    "an unknown request",
    { action: "subscribe", requests: [{ type: "weather" }] },
    { action: "subscription/subscribe", status: { code: 7 }, data: { events: ["weather"] } },
  ],
  [
    "a wrong timespan",
    { action: "subscribe", requests: [{ type: "state_batch", target: { type: "all" }, rate_limit: "soon" }] },
    { status: { code: 7 }, errors: [{ parameter: "requests.0.rate_limit" }] },
  ],
  [
    "no hash",
    { action: "subscribe", events: ["state"], trackers: [5] },
    {
      action: "subscription/subscribe",
      status: { code: 3, description: "Wrong hash" },
      data: { events: ["state"], trackers: [5] },
    },
  ],
  ["a made-up hash", { action: "subscribe", hash: "0".repeat(32), events: ["state"] }, { status: { code: 4 } }],
  ["too much", { action: "x".repeat(300_000) }, { status: { code: 9 } }],
])("a message with %s is answered by an error, and the connection stays", async (_, message, expected) => {
  const { account } = await newTracked();
  const client = await open();
  client.send(message as object);
  expect(await client.next()).toMatchObject({ type: "error", ...expected });
  await client.ask(subscription(account, { type: "state_batch", target: { type: "all" } }));
  await client.nextEvent("state_batch");
});

test("an operator's session subscribes to nothing", async () => {
  const client = await open();
  const hash = await accounts.operatorHash();
  const reply = await client.ask({ action: "subscribe", hash, events: ["state"], trackers: [] });
  expect(reply.status.code).toBe(4);
});

test("a credential has as many sockets, and a socket as many trackers and subscriptions, as the installation allows", async () => {
  const { account } = await newTracked();
  const all = { type: "state_batch", target: { type: "all" } };
  const held: LiveClient[] = [];
  for (let count = 0; count < 3; count++) held.push(await openSubscribed(account, all));
  const client = await open();
  expect((await client.ask(subscription(account, all))).status.code).toBe(15);
  held[0]?.close();
  const again = () => client.ask(subscription(account, all));
  await waitUntil("a closed socket had given its place to another", again, ({ type }) => type === "response");
  const tooMany = { type: "state", trackers: [1, 2, 3, 4, 5, 6] };
  expect((await client.ask(subscription(account, tooMany))).status.code).toBe(7);
  const different = Array.from({ length: 21 }, (_, count) => ({ ...all, rate_limit: `${count + 1}s` }));
  expect((await client.ask({ ...subscription(account, all), requests: different })).status.code).toBe(15);
});

test("subscriptions outlive the memory of the objects that hold them", async () => {
  const { account, tracker } = await newTracked();
  const client = await openSubscribed(account, { type: "state_batch", target: { type: "all" }, rate_limit: "0s" });
  await system.evictObjects();
  await report(tracker, { lat: 54 });
  const { data } = await client.nextEvent("state_batch");
  expect(data[0].gps.location.lat).toBe(54);
  await client.until("a heartbeat came", () => client.texts.at(-1) === "X");
});

test("a client without a valid hash is refused unparsed above 4 KB, and disconnected after three refusals", async () => {
  const { account } = await newTracked();
  const client = await open();
  const request = { type: "state_batch", target: { type: "all" }, note: "x".repeat(5000) };
  const strangers = [{}, { hash: "0".repeat(32) }, { hash: 1 }];
  for (const [index, code] of [3, 4, 3].entries()) {
    const reply = await client.ask({ action: "subscribe", ...strangers[index], requests: [request] });
    expect(reply).toMatchObject({ type: "error", action: null, status: { code } });
  }
  await waitUntil("the client is disconnected", () => client.closed()?.code === 1008);
  const known = await open();
  expect(await known.ask(subscription(account, request))).toMatchObject({ type: "response" });
});

test("a network has 100 open sockets and a user 200; a socket more is 15 until one of them is closed", async () => {
  const own = await startWatchedSystem();
  try {
    const account = await accountsOn(own).newAccount();
    const { login, password } = account;
    const sessions: Account[] = [];
    for (let count = 0; count < 5; count++) {
      const { hash } = await account.must("/user/auth", { login, password, hash: undefined });
      sessions.push({ ...account, hash });
    }
    const request = { type: "state_batch", target: { type: "all" } };
    const openAt = async (address: string) => {
      const client = await connect(own.baseUrl, address);
      clients.push(client);
      return client;
    };
    for (const [network, address] of ["198.51.100.1", "2001:db8::7:1"].entries()) {
      const opened = await Promise.all(Array.from({ length: 100 }, () => openAt(address)));
      for (const [index, client] of opened.entries()) {
        const session = sessions[2 * network + (index % 2)] ?? account;
        expect(await client.ask(subscription(session, request))).toMatchObject({ type: "response" });
      }
    }
    await expect(openAt("198.51.100.1")).rejects.toThrow("refused");
    await expect(openAt("2001:db8::7:2")).rejects.toThrow("refused");
    const last = await openAt("198.51.100.2");
    const ask = async () => (await last.ask(subscription(sessions[4] ?? account, request))).type;
    expect(await ask()).toBe("error");
    clients[0]?.close();
    await waitUntil("the user may have another socket", ask, (type) => type === "response");
    const again = () => openAt("198.51.100.1").then(() => true);
    expect(await waitUntil("the network may have another socket", again)).toBe(true);
  } finally {
    await own.stop();
  }
});

async function open() {
  const client = await connect(system.baseUrl);
  clients.push(client);
  return client;
}

function subscription({ hash }: Account, request: object) {
  return { action: "subscribe", hash, requests: [request] };
}

/** A client that has got its first states. */
async function openSubscribed(account: Account, request: { type: string; [member: string]: unknown }) {
  const client = await open();
  await client.ask(subscription(account, request));
  await client.nextEvent(request.type);
  return client;
}

/** An account with a tracker that has sent a point. */
async function newTracked() {
  const account = await accounts.newAccount();
  const tracker = await account.newTracker();
  await report(tracker, { lat: 50 });
  return { account, tracker };
}

async function report({ source }: Reply, { lat, attributes }: { lat: number; attributes?: object }) {
  const point = { time: systemNow(), attributes, lat, lng: 10, speed: 0, satellites: 9 };
  expect(await accounts.feed(source.device_id, [point])).toMatchObject({ success: true });
}

async function changePassword(account: Account) {
  const given = { old_password: account.password, new_password: "another-secret1" };
  await account.must("/user/password/set", given);
}

async function blockUser({ id: user_id }: Account) {
  const hash = await accounts.operatorHash();
  await accounts.must("/panel/user/update", { hash, user_id, block_status: "BLOCK_LOGIN" });
}

/** Waits for the batch that shows a tracker at this latitude. */
function nextBatchAt(client: LiveClient, lat: number) {
  const isThere = (message: Reply) => message.event === "state_batch" && latsOf(message).includes(lat);
  return client.next(isThere, `a state at the latitude ${lat} came`);
}

function latsOf({ data }: Reply): number[] {
  return data.map(({ gps }: Reply) => gps.location.lat);
}

function sourcesOf({ data }: Reply): number[] {
  return data.map(({ source_id }: Reply) => source_id);
}

test("a client that pauses reading gets the newest state once it reads again, and none of the states before", async () => {
  const { account, tracker } = await newTracked();
  const attributes = Object.fromEntries(Array.from({ length: 60 }, (_, count) => [`a${count}`, "x".repeat(250)]));
  await report(tracker, { lat: 51, attributes });
  const client = await connectSlowly(system.baseUrl);
  const all = { type: "state_batch", target: { type: "all" }, rate_limit: "0s" };
  client.send(subscription(account, all));
  await waitUntil("the first states came", client.received, (text) => text.includes('"event":"state_batch"'));
  const watching = await openSubscribed(account, all);
  client.pause();
  // 20 MB in all: the network alone takes some of what nobody reads.
  for (let count = 0; count < 12; count++)
    client.send({ ...subscription(account, all), requests: Array.from({ length: 100 }, () => all) });
  await untilUnanswered(system, account);
  // On a busy machine the object may still be sending answers while the first of these states come.
  for (let lat = 61; lat <= 75; lat++) {
    await report(tracker, { lat });
    await nextBatchAt(watching, lat);
  }
  client.resume();
  const isNewest = () => client.received().includes('"lat":75');
  await waitUntil("the newest state came", isNewest);
  expect(client.received().includes('"lat":74')).toBe(false);
  client.close();
});
