import { createClient } from "@libsql/client/http";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { LocalWorkers } from "../../scripts/system/miniflare.ts";
import { systemNow } from "../../shared/time/clock.ts";
import { DAY_MS } from "../../shared/time/duration.ts";
import { type Account, type Accounts, accountsOn, newImei, type Reply } from "../tool/call/account.ts";
import { writeUtc } from "../tool/call/utc-time.ts";
import { copyTracker } from "../tool/database/copies.ts";
import { effort, IS_CAMPAIGN } from "../tool/effort.ts";
import { watchRuntimes } from "../tool/installation/killed-runtime.ts";
import { type LocalInstallation, newLocalInstallation } from "../tool/installation/local-workers.ts";
import { bindingsFronts, moveClock } from "../tool/system/changed-bindings.ts";
import { waitUntil } from "../tool/wait.ts";

/** Longer than the lease of the Worker that makes a report. */
const LEASE_SECONDS = 180;
const runtimes = watchRuntimes();
let installation: LocalInstallation;
let workers: LocalWorkers;
let accounts: Accounts;

beforeAll(async () => {
  installation = await newLocalInstallation();
  workers = await installation.start({}, { fronts: bindingsFronts() });
  accounts = accountsOn(installation);
});

afterAll(async () => {
  await workers?.stop();
  await installation?.remove();
});

test("kill -9 of workerd among calls with idempotency keys: each repeated call has one effect and answers its id", async () => {
  const [clients, vehicles, kills] = [8, effort({ few: 15, many: 100 }), effort({ few: 1, many: 10 })];
  const account = await accounts.newAccount();
  const answered = new Map<string, number>();
  let calls = 0;

  /** Repeats a call until it is answered, as a client does on a bad network. */
  async function createVehicle(label: string) {
    const reply = await waitUntil(
      `the creation of ${label} is answered`,
      () => {
        calls++;
        return account.call("/vehicle/create", { vehicle: { label } }, { "Idempotency-Key": `create-${label}` });
      },
      ({ success }) => success,
    );
    expect(answered.get(label) ?? reply.id).toBe(reply.id);
    answered.set(label, reply.id);
  }

  async function runClient(client: number) {
    for (let index = 0; index < vehicles; index++) await createVehicle(`${client}-${index}`);
  }

  const running = Promise.all(Array.from({ length: clients }, (_, client) => runClient(client)));
  for (let kill = 1; kill <= kills; kill++) {
    await waitUntil(
      "more vehicles are there",
      () => answered.size,
      (size) => size >= (kill * clients * vehicles) / (kills + 1),
    );
    await runtimes.killAndWait(installation);
  }
  await running;
  // Once more: every answer is that of the first call.
  for (const label of [...answered.keys()].slice(0, 20)) await createVehicle(label);
  const { list } = await account.must("/vehicle/list", { limit: 10_000 });
  expect(list).toHaveLength(clients * vehicles);
  for (const { id, label } of list) expect(answered.get(label)).toBe(id);
  expect(calls).toBeGreaterThan(clients * vehicles);
});

test.runIf(IS_CAMPAIGN)(
  "kill -9 of workerd during a registration: the repeated call answers the tracker that was registered",
  async () => {
    const account = await accounts.newAccount();
    for (let round = 0; round < 15; round++) {
      const device = { label: "Van", group_id: 0, model: "generic_gps", plugin_id: 44, device_id: newImei() };
      const register = () => account.call("/tracker/register", device, { "Idempotency-Key": `register-${round}` });
      const first = register().catch(() => undefined);
      await runtimes.killAndWait(installation);
      await first;
      const reply: Reply = await waitUntil("the registration is answered", register, ({ success }) => success);
      const { list } = await account.must("/tracker/list");
      expect(list.filter((tracker: Reply) => tracker.source.device_id === device.device_id)).toEqual([reply.value]);
    }
  },
);

test("report/tracker/generate goes on where it was after kill -9 of its Worker, until each sheet is there once", async () => {
  const [count, kills] = [effort({ few: 120, many: 150 }), effort({ few: 1, many: 2 })];
  const account = await accounts.newAccount();
  const { id, source } = await account.newTracker();
  const copies = await copyTracker(installation.servers.fleet, { source_id: source.id, count: count - 1 });
  const trackers: number[] = [id, ...copies];
  const range = { from: writeUtc(systemNow() - DAY_MS), to: writeUtc(systemNow()) };
  const plugin = { plugin_id: 4 };
  const { id: report_id } = await account.must("/report/tracker/generate", { ...range, trackers, plugin });
  const percentReady = async () => (await account.must("/report/tracker/status", { report_id })).percent_ready;
  let before = 0;
  for (let kill = 1; kill <= kills; kill++) {
    await waitUntil(`more than ${before} % of the report is ready`, percentReady, (percent) => percent > before);
    await runtimes.killAndWait(installation);
    const percent = await percentReady();
    // The kill came in the middle of the report, and finished sheets are not made again.
    expect(percent).toBeGreaterThan(before);
    expect(percent).toBeLessThan(100);
    before = percent;
    for (const path of ["/report/tracker/retrieve", "/report/tracker/download"]) {
      expect((await account.call(path, { report_id, format: "csv" })).status.code, path).toBe(229);
    }
    await moveClock(workers, kill * LEASE_SECONDS);
    await workers.fireCrons(new Date());
  }
  await waitUntil("the report is ready", percentReady, (percent) => percent === 100);
  const { report } = await account.must("/report/tracker/retrieve", { report_id });
  const ids = report.sheets.map(({ entity_ids }: Reply) => entity_ids);
  expect(ids).toEqual([trackers, ...trackers.map((id) => [id])]);
  expect((await account.must("/report/tracker/list")).list).toMatchObject([{ id: report_id, percent: 100 }]);
  await workers.fireCrons(new Date());
  const { list: events } = await account.must("/event/feed/read", { cursor: "oldest", types: ["report.*"] });
  expect(events).toMatchObject([
    { type: "report.created", data: { id: report_id } },
    { type: "report.finished", data: { id: report_id } },
  ]);
  // A kill in another test would otherwise set the clock back among its calls.
  await moveClock(workers, 0);
});

test("event/feed/read gives two readers thousands of events without gap or duplicate while they are written and workerd is killed", async () => {
  const [count, perWrite] = [effort({ few: 3000, many: 10_000 }), 50];
  const account = await accounts.newAccount();
  let written = 0;
  const reading = [readUpTo(account, count, 100), readUpTo(account, count, 1000)];
  async function write() {
    const { url, token } = installation.servers.gateway;
    const database = createClient({ url, authToken: token });
    for (; written < count; written += perWrite) {
      const args = [written, perWrite, account.id, systemNow()];
      await database.execute({ sql: ARRIVALS, args });
    }
  }
  const writing = write();
  await waitUntil("a tenth of the events is written", () => written >= count / 10);
  await runtimes.killAndWait(installation);
  await writing;
  const [one = [], other = []] = await Promise.all(reading);
  expect(other).toEqual(one);
  expect(one.map(({ sequence }) => sequence)).toEqual(one.map((_, index) => index + 1));
  const labels = one.flatMap(({ type, data }) => (type === "garage.created" ? data.id : []));
  expect(labels).toEqual(Array.from({ length: count }, (_, index) => index));
});

/** Everything that the feed has shown, from its beginning, when it has shown so many events of the test. */
async function readUpTo(account: Account, count: number, limit: number): Promise<Reply[]> {
  const events: Reply[] = [];
  let cursor = "oldest";
  let found = 0;
  while (found < count) {
    const read = () => account.call("/event/feed/read", { cursor, limit, wait: 25 });
    // The Workers may be being started again.
    const page = await waitUntil("the feed answers", read, ({ success }) => success);
    events.push(...page.list);
    found += page.list.filter(({ type }: Reply) => type === "garage.created").length;
    cursor = page.cursor;
  }
  return events;
}

/** Stores events as a Worker does, `count` of them, numbered from `first`. */
const ARRIVALS = `WITH RECURSIVE number(n) AS (SELECT ?1 UNION ALL SELECT n + 1 FROM number WHERE n + 1 < ?1 + ?2)
  INSERT INTO event_arrival (account_id, event_id, type, time, user_id, tracker_id, private_to, subject, data, stored)
  SELECT ?3, 'arrival-' || n, 'garage.created', ?4, ?3, NULL, NULL, 'garage:' || n, json_object('id', n), ?4 FROM number`;
