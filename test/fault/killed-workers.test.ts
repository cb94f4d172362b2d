import { afterAll, beforeAll, expect, test } from "vitest";
import type { LocalWorkers } from "../../scripts/system/miniflare.ts";
import { systemNow, writeLocal } from "../../shared/time/clock.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../shared/time/duration.ts";
import { type Accounts, accountsOn, type Reply } from "../tool/call/account.ts";
import { effort, IS_CAMPAIGN } from "../tool/effort.ts";
import { watchRuntimes } from "../tool/installation/killed-runtime.ts";
import { type LocalInstallation, newLocalInstallation } from "../tool/installation/local-workers.ts";
import { newReceiver, type Receiver } from "../tool/receiver/receivers.ts";
import { newWebhookReceiver } from "../tool/receiver/webhook-receiver.ts";
import { pointsOfADrive } from "../tool/sample/drive.ts";
import { waitUntil } from "../tool/wait.ts";

const NOW = Math.floor(systemNow() / MINUTE_MS) * MINUTE_MS;
const runtimes = watchRuntimes();
let installation: LocalInstallation;
let workers: LocalWorkers;
let accounts: Accounts;

beforeAll(async () => {
  installation = await newLocalInstallation();
  workers = await installation.start({ AUDIT_DELAY_SECONDS: "0.05" });
  accounts = accountsOn(installation);
});

afterAll(async () => {
  await workers?.stop();
  await installation?.remove();
});

test.runIf(IS_CAMPAIGN)(
  "kill -9 of workerd loses and doubles no point that /ingest/osmand acknowledged to sixteen trackers",
  async () => {
    const [vans, points, kills] = [16, 100, 14];
    const start = NOW - points * SECOND_MS - MINUTE_MS;
    const timeOf = (index: number) => start + index * SECOND_MS;
    const account = await accounts.newAccount({ time_zone: "UTC" });
    const trackers = await Promise.all(Array.from({ length: vans }, () => account.newTracker()));
    const progress = new Progress();

    async function drive(id: string) {
      for (let index = 0; index < points; index++) {
        const place = { lat: String(50 + index / 1000), lon: "8", batt: String(index % 100) };
        const query = new URLSearchParams({ id, ...place, timestamp: String(timeOf(index) / 1000) });
        await untilAcknowledged(
          async () => (await fetch(`${installation.baseUrl}/ingest/osmand?${query}`)).status === 200,
        );
        progress.step();
      }
    }

    const driving = Promise.all(trackers.map(({ source }) => drive(source.device_id)));
    for (let kill = 1; kill <= kills; kill++) {
      // Somewhere within a group of points that is being stored.
      await progress.reaches((kill * vans * points) / (kills + 1));
      await runtimes.killAndWait(installation);
    }
    await driving;
    const range = { from: utc(timeOf(0)), to: utc(timeOf(points)), simplify: false, filter: false };
    const all = Array.from({ length: points }, (_, index) => utc(timeOf(index)));
    for (const { id } of trackers) {
      const { list } = await account.must("/track/read", { tracker_id: id, ...range });
      expect(list.map(({ get_time }: Reply) => get_time)).toEqual(all);
      const { state } = await account.must("/tracker/get_state", { tracker_id: id });
      expect(state).toMatchObject({ battery_level: (points - 1) % 100, gps: { updated: all.at(-1) } });
    }
  },
);

test("kill -9 of workerd between points and their events loses and doubles no event of a rule", async () => {
  const [crossings, every] = [effort({ few: 16, many: 240 }), effort({ few: 8, many: 15 })];
  const start = NOW - (crossings + 10) * MINUTE_MS;
  const account = await accounts.newAccount({ time_zone: "UTC" });
  const { id: tracker_id, source } = await account.newTracker();
  const zone = { type: "circle", label: "Depot", center: { lat: 50, lng: 8 }, radius: 300 };
  const { id: zone_id } = await account.must("/zone/create", { zone });
  const rule = { type: "inoutzone", name: "Gate", zone_ids: [zone_id], trackers: [tracker_id] };
  await account.must("/tracker/rule/create", { rule: { ...rule, extended_params: { confirm_points: 1 } } });
  // Each point is on the other side of the zone's border than the one before.
  const pointOf = (index: number) => ({ time: start + index * MINUTE_MS, lat: 50, lng: index % 2 === 0 ? 7.95 : 8 });

  for (let index = 0; index < crossings; index++) {
    await untilAcknowledged(async () => (await accounts.feed(source.device_id, [pointOf(index)])).success);
    // Right behind an answer, what follows from the point is under way.
    if (index % every === every - 1) await runtimes.killAndWait(installation);
  }
  // An event that was stored twice would stand before the event of this last crossing.
  await accounts.feed(source.device_id, [pointOf(crossings)]);
  const expected = Array.from({ length: crossings }, (_, index) => {
    const name = index % 2 === 0 ? "inzone" : "outzone";
    return `${name} ${utc(pointOf(index + 1).time)}`;
  });
  const range = { from: utc(start), to: utc(NOW + DAY_MS), trackers: [tracker_id], add_tracker_label: false };
  const last = String(expected.at(-1));
  const events = await untilSwept(
    `the event "${last}" is in the history, and all before it`,
    async () => {
      const { list } = await account.must("/history/tracker/list", range);
      return list.map(({ event, time }: Reply) => `${event} ${time}`);
    },
    (found) => found.includes(last) && found.length >= expected.length,
  );
  expect(events).toEqual(expected);
});

test.runIf(IS_CAMPAIGN)(
  "kill -9 of workerd between a point and its task loses no visit and counts none twice",
  async () => {
    const [stops, every] = [112, 8];
    const start = NOW - 3 * stops * MINUTE_MS;
    const minute = (count: number) => utc(start + count * MINUTE_MS);
    const account = await accounts.newAccount({ time_zone: "UTC" });
    const { id: tracker_id, source } = await account.newTracker();
    const placeOf = (index: number) => ({ lat: 50, lng: 8 + index / 50 });
    const ids: number[] = [];
    for (let index = 0; index < stops; index++) {
      const location = { ...placeOf(index), address: "", radius: 100 };
      const task = { label: `Stop ${index}`, description: "", location, from: minute(0), to: minute(600), tracker_id };
      ids.push((await account.must("/task/create", { task })).id);
    }
    const send = (index: number) => {
      const point = { time: start + index * MINUTE_MS, ...placeOf(index) };
      return untilAcknowledged(async () => (await accounts.feed(source.device_id, [point])).success);
    };
    for (let index = 0; index < stops; index++) {
      await send(index);
      if (index % every !== every - 1) continue;
      // A few calls later each time, so that the kills meet each step between the point and its task.
      for (let calls = index / every; calls > 0; calls--) await account.call("/base/nothing");
      await runtimes.killAndWait(installation);
    }
    await send(2 * stops);

    const range = { from: minute(-10), to: minute(6 * stops), trackers: [tracker_id] };
    const expected = ids.flatMap((id) => [`task_arrived ${id}`, `task_completed ${id}`]).toSorted();
    const events = await untilSwept(
      "every task is done and has its events",
      async () => {
        const { list } = await account.must("/history/tracker/list", range);
        return list.map(({ event, extra }: Reply) => `${event} ${extra.task_id}`).toSorted();
      },
      (found) => found.length >= expected.length,
    );
    expect(events).toEqual(expected);
    expect((await account.must("/task/list", { statuses: ["done"] })).count).toBe(stops);
    for (const task_id of ids) {
      const { list } = await account.must("/task/history/list", { task_id });
      const changes = list.filter(({ operation }: Reply) => operation === "status_change");
      expect(changes.map(({ payload }: Reply) => payload.status)).toEqual(["arrived", "done"]);
    }
  },
);

test("kill -9 of workerd while devices send batches loses no acknowledged point, here and at a retranslator's receiver", async () => {
  const account = await accounts.newAccount();
  const devices: string[] = [];
  while (devices.length < 4) devices.push((await account.newTracker()).source.device_id);
  const receiver = await newReceiver("wialon");
  const retranslator = { name: "Partner", protocol_id: 1, address: "127.0.0.1", port: receiver.port };
  const { id: retranslator_id } = await account.must("/retranslator/create", { retranslator });
  for (const { id } of (await account.must("/tracker/list")).list) {
    await account.must("/tracker/retranslator/bind", { tracker_id: id, retranslator_id });
  }
  const points = pointsOfADrive(8000);
  const acknowledged: { device_id: string; batch: typeof points }[] = [];
  const progress = new Progress();
  let isKilled = false;

  async function drive(device_id: string) {
    let sentSince = 0;
    for (let start = 0; sentSince < 5; start += 20) {
      const batch = points.slice(start, start + 20);
      await untilAcknowledged(async () => (await accounts.feed(device_id, batch)).success);
      acknowledged.push({ device_id, batch });
      progress.step();
      if (isKilled) sentSince++;
    }
  }

  const driving = Promise.all(devices.map(drive));
  await progress.reaches(20);
  await runtimes.killAndWait(installation);
  isKilled = true;
  await driving;
  for (const { device_id, batch } of acknowledged) {
    expect(await accounts.feed(device_id, batch)).toEqual({ success: true, accepted: 0, duplicates: batch.length });
  }
  await expectForwarded(receiver, acknowledged);
  await receiver.leave();
});

test("kill -9 of workerd between a change and its entry in the audit log loses and doubles no entry", async () => {
  const account = await accounts.newAccount();
  const { id: tracker_id } = await account.newTracker();
  for (const label of ["One", "Two", "Three"]) await account.must("/vehicle/create", { vehicle: { label } });
  await account.must("/tracker/ingest_key/update", { tracker_id, key: null });
  await runtimes.killAndWait(installation);
  // The delivery of this entry takes along those that the kill has left.
  await account.must("/vehicle/create", { vehicle: { label: "Four" } });
  const actions = ["vehicle_create", "ingest_key_update", "tracker_register"];
  const range = { from: writeLocal(NOW - DAY_MS, "Europe/Berlin"), to: writeLocal(NOW + DAY_MS, "Europe/Berlin") };
  const entries = await untilSwept(
    "the audit log has six entries",
    async () => {
      const { list } = await account.must("/user/audit/log/list", { ...range, actions });
      return list.map(({ action, payload }: Reply) => payload.label ?? action);
    },
    (found) => found.length >= 6,
  );
  expect(entries).toEqual(["Van 7", "One", "Two", "Three", "update", "Four"]);
});

test("kill -9 of workerd loses no delivery of a webhook: every change arrives at least once, in numbered deliveries without a gap", async () => {
  const [vehicles, kills] = [effort({ few: 30, many: 300 }), effort({ few: 1, many: 12 })];
  const receiver = await newWebhookReceiver();
  const account = await accounts.newAccount();
  const webhook = { url: receiver.url, types: ["vehicle.created"] };
  const { id: webhook_id } = await account.must("/webhook/create", { webhook });
  for (let index = 0; index < vehicles; index++) {
    const parameters = { vehicle: { label: `van ${index}` } };
    const headers = { "Idempotency-Key": `vehicle-${index}` };
    await waitUntil(
      "the vehicle is made",
      async () => (await account.call("/vehicle/create", parameters, headers)).success,
    );
    // The kills meet reading, storing and sending.
    if (index % Math.floor(vehicles / (kills + 1)) === 10) await runtimes.killAndWait(installation);
  }
  await untilSwept(
    "all vehicles have arrived",
    async () => new Set(receiver.received.map(({ data }) => data.label)).size,
    (count) => count === vehicles,
  );
  const numbers = receiver.received.map(({ id, body }) => [id, JSON.parse(body).sequence] as const);
  // A repeated delivery has the same id and the same number.
  const byId = new Map(numbers);
  for (const [id, sequence] of numbers) expect(byId.get(id)).toBe(sequence);
  const sequences = [...byId.values()].toSorted((one, other) => one - other);
  expect(sequences).toEqual(Array.from({ length: vehicles }, (_, index) => index + 1));
  await untilSwept(
    "the log says that all are delivered",
    async () => (await account.must("/webhook/delivery/list", { webhook_id })).list,
    (list: Reply[]) => list.every(({ state }) => state === "delivered"),
  );
  await receiver.leave();
});

/** A count of steps that others wait for. */
class Progress {
  #steps = 0;
  #waiting: { steps: number; resolve(): void }[] = [];

  step() {
    this.#steps++;
    for (const { steps, resolve } of this.#waiting) if (steps <= this.#steps) resolve();
    this.#waiting = this.#waiting.filter(({ steps }) => steps > this.#steps);
  }

  reaches(steps: number): Promise<void> {
    if (this.#steps >= steps) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ steps, resolve }));
  }
}

/** Sends again until the answer says that the system has it, as devices do. */
function untilAcknowledged(send: () => Promise<boolean>): Promise<boolean> {
  return waitUntil("a point is acknowledged", send);
}

/** Waits like `waitUntil`, with the cron triggers that `npm start` fires every minute. */
function untilSwept<Value>(condition: string, read: () => Promise<Value>, isMet: (found: Value) => boolean) {
  return waitUntil(
    condition,
    async () => {
      await workers.fireCrons(new Date());
      return read();
    },
    isMet,
  );
}

/** Expects the receiver to have every acknowledged point of each device in order; a kill may have sent the last ones twice. */
async function expectForwarded(receiver: Receiver, acknowledged: { device_id: string; batch: { time: number }[] }[]) {
  for (const device_id of new Set(acknowledged.map((one) => one.device_id))) {
    const batches = acknowledged.filter((one) => one.device_id === device_id);
    const times = batches.flatMap(({ batch }) => batch.map(({ time }) => new Date(time).toISOString()));
    const taken = await waitUntil(
      `the receiver has all ${times.length} points of ${device_id}`,
      () => [...new Set(receiver.taken.filter(({ id }) => id === device_id).map(({ time }) => time))],
      (found) => found.length >= times.length,
    );
    expect(taken).toEqual(times);
  }
  expect(receiver.faults).toEqual([]);
}

function utc(ms: number) {
  return writeLocal(ms, "UTC");
}
