import { afterAll, beforeAll, expect, test } from "vitest";
import { systemNow } from "../../shared/time/clock.ts";
import { type Accounts, accountsOn } from "../tool/call/account.ts";
import { METRICS_KEY } from "../tool/system/operator.ts";
import { startNewSystem } from "../tool/system/system.ts";
import { waitUntil } from "../tool/wait.ts";

let system: Awaited<ReturnType<typeof startNewSystem>>;
let accounts: Accounts;

beforeAll(async () => {
  // Metrics count all calls since the start.
  system = await startNewSystem();
  accounts = accountsOn(system);
});

afterAll(() => system?.stop());

test("metrics are shown to callers with the key and refused with 4 to all others", async () => {
  for (const headers of [undefined, { Authorization: "Bearer another" }, { Authorization: METRICS_KEY }]) {
    const refused = await fetch(`${system.origin}/metrics`, { headers });
    const { status } = (await refused.json()) as { status: { code: number } };
    expect([refused.status, status.code]).toEqual([400, 4]);
  }
  const shown = await show();
  expect(shown.headers.get("Content-Type")).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8");
  expect(await shown.text()).toMatch(/# EOF\n$/);
});

test("metrics count calls by operation and code, with how long they took; unknown paths count as one operation", async () => {
  const account = await accounts.newAccount();
  const { id } = await account.must("/vehicle/create", { vehicle: { label: "Van" } });
  for (let count = 0; count < 3; count++) await account.must("/vehicle/read", { vehicle_id: id });
  await account.call("/vehicle/read", { vehicle_id: id + 1000 });
  await account.call("/vehicle/read", {});
  for (const path of ["/no/such", "/no/other"]) await account.call(path, {});
  const figures = await read();
  const reads = (code: number) => figures.get(`fleet_calls_total{operation="/vehicle/read",code="${code}"}`);
  expect([reads(0), reads(201), reads(7)]).toEqual([3, 1, 1]);
  expect(figures.get('fleet_calls_total{operation="unknown",code="111"}')).toBe(2);
  const seconds = 'fleet_call_seconds_count{operation="/vehicle/read"}';
  const [count, within] = [
    figures.get(seconds),
    figures.get(seconds.replace("_count", "_bucket").replace("}", ',le="+Inf"}')),
  ];
  expect([count, within]).toEqual([5, 5]);
  // The reader of a vehicle asks the database once; a call that is refused before it is read asks nobody.
  expect(figures.get('fleet_call_hops_total{operation="/vehicle/read"}')).toBe(4);
  const spans = [...figures].filter(([name]) => name.startsWith('fleet_call_seconds_bucket{operation="/vehicle/read"'));
  const inOrder = spans.map(([, value]) => value);
  expect(inOrder).toEqual(inOrder.toSorted((one, other) => one - other));
  expect([...figures.keys()].filter((name) => name.includes("/no/"))).toEqual([]);
});

test("metrics show how much waits and for how long, and name a Worker whose database does not answer", async () => {
  const account = await accounts.newAccount();
  await system.fireCron("fleet");
  expect((await read()).get(AUDIT)).toBe(0);
  await account.must("/vehicle/create", { vehicle: { label: "Van" } });
  await system.takeDown("reports");
  const before = await read();
  const age = before.get(AUDIT_AGE) ?? Number.POSITIVE_INFINITY;
  const isOlder = (figures: Map<string, number>) => (figures.get(AUDIT_AGE) ?? 0) > age;
  const after = await waitUntil("the entry that waits has grown older", read, isOlder);
  expect([before.get(AUDIT), after.get(AUDIT)]).toEqual([1, 1]);
  expect(after.get(SILENT)).toBe(1);
  expect(after.has(REPORTS)).toBe(false);

  await system.bringUp("reports");
  await system.fireCron("fleet");
  const last = await read();
  expect([last.get(AUDIT), last.get(AUDIT_AGE), last.get(REPORTS), last.get(SILENT)]).toEqual([0, 0, 0, 0]);
});

test("feeds with points to write and events to tell are counted until that is done", async () => {
  const account = await accounts.newAccount();
  const { id: tracker_id, source } = await account.newTracker();
  const zone = { type: "circle", label: "Depot", center: { lat: 50, lng: 8 }, radius: 300 };
  const { id: zone_id } = await account.must("/zone/create", { zone });
  const extended_params = { confirm_points: 1 };
  const rule = { type: "inoutzone", name: "Gate", zone_ids: [zone_id], trackers: [tracker_id], extended_params };
  await account.must("/tracker/rule/create", { rule });
  const waiting = async () => {
    const figures = await read();
    return ["feeds_points", "feeds_events"].map((queue) => figures.get(`fleet_waiting{worker="geo",queue="${queue}"}`));
  };
  expect(await waiting()).toEqual([0, 0]);
  await system.takeDown("fleet");
  const start = systemNow() - 60_000;
  await accounts.feed(source.device_id, [
    { time: start, lat: 50, lng: 7.95 },
    { time: start + 30_000, lat: 50, lng: 8 },
  ]);
  await waitUntil("a point and an event wait", waiting, (queues) => queues.join() === "1,1");
  await system.bringUp("fleet");
  // The feed tries again after a pause.
  await waitUntil("the event was delivered", waiting, (queues) => queues.join() === "1,0");
});

const SILENT = 'fleet_worker_silent{worker="reports"}';
const REPORTS = 'fleet_waiting{worker="reports",queue="reports"}';
const AUDIT = 'fleet_waiting{worker="fleet",queue="audit"}';
const AUDIT_AGE = 'fleet_waiting_seconds{worker="fleet",queue="audit"}';

function show() {
  return fetch(`${system.origin}/metrics`, { headers: { Authorization: `Bearer ${METRICS_KEY}` } });
}

/** The figures by their names and labels. */
async function read(): Promise<Map<string, number>> {
  const lines = (await (await show()).text()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]),
  );
}
