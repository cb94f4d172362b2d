import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../scripts/workers.ts";
import { systemNow } from "../shared/time/clock.ts";
import { writeUtc } from "../test/tool/call/utc-time.ts";
import { type Account, accountsOf, BASE, registerTracker } from "./tool/account.ts";
import { compareRounds, type Figure, rounds } from "./tool/figure.ts";
import { bytesOf, load } from "./tool/load.ts";
import { distantFronts, setObjectsAway } from "./tool/objects-away.ts";
import { type Stack, startStack } from "./tool/stack.ts";

/** One way to a database of another town and back. */
const DELAY_MS = 30;
/** One way to a Durable Object that is not where its caller is, and back. */
const OBJECT_DELAY_MS = 10;
const AT_ONCE = 16;
const ALONE = { connections: 1, seconds: 1 };

/** How many ways to objects and databases a call waits for, as it takes where these are far away, beside what the table says. */
export async function edgeFigures(): Promise<Figure[]> {
  const stack = await startStack({ databasesAway: DELAY_MS, fronts: distantFronts() });
  try {
    const account = await (await accountsOf(stack))("edge@example.com");
    const calls = await callsOf(account);
    const figures: Figure[] = [];
    for (const { path, objects, databases } of waysOfTable()) {
      const body = calls[path];
      if (!body) throw new Error(`docs/edge.md has a call that is not measured: ${path}`);
      const next = () => requestOf(account, path, body());
      figures.push(await waysFigure(stack, path, databases, next), await objectsFigure(stack, path, objects, next));
    }
    return [...figures, await parallelFigure(stack, account)];
  } finally {
    await stack.stop();
  }
}

async function waysFigure(stack: Stack, path: string, ways: number, next: () => Buffer): Promise<Figure> {
  const { call, way } = await rounds(
    { call: async () => (await load(stack.origin, next, ALONE)).p50Ms, way: () => wayMs(stack) },
    3,
  );
  const unit = "ms";
  const baseline = { name: `${ways} of these ways, as docs/edge.md has it`, unit };
  // The Workers' own time comes on top: at most a third of a trip.
  const goal = { most: ways === 0 ? 0.33 : 1 + 0.33 / ways };
  const documentedMs = way.map((ms) => Math.max(ways, 1) * ms);
  return compareRounds(
    { name: `${path} with databases ${DELAY_MS} ms away, p50`, unit, goal, baseline },
    call,
    documentedMs,
  );
}

/** By how much longer it takes when the objects are away too. */
async function objectsFigure(stack: Stack, path: string, ways: number, next: () => Buffer): Promise<Figure> {
  const measure = async () => (await load(stack.origin, next, ALONE)).p50Ms;
  const { near, way, away } = await rounds(
    {
      near: () => setObjectsAway(stack, 0).then(measure),
      way: () => setObjectsAway(stack, OBJECT_DELAY_MS),
      away: measure,
    },
    3,
  );
  await setObjectsAway(stack, 0);
  const unit = "ms";
  const baseline = { name: `${ways} of these ways, as docs/edge.md has it`, unit };
  const goal = { most: ways === 0 ? 0.33 : 1 + 0.33 / ways };
  const name = `${path}, what Durable Objects ${OBJECT_DELAY_MS} ms away add, p50`;
  return compareRounds(
    { name, unit, goal, baseline },
    away.map((ms, round) => ms - (near[round] ?? Number.NaN)),
    way.map((ms) => Math.max(ways, 1) * ms),
  );
}

/** Measures a trip: a timer ends late here, and the server has to answer. */
async function wayMs({ ways: [way] }: Stack): Promise<number> {
  if (!way) throw new Error("the databases are not away");
  const health = bytesOf({ method: "GET", path: "/health" });
  return (await load(way.url, () => health, ALONE)).p50Ms;
}

async function parallelFigure(stack: Stack, account: Account): Promise<Figure> {
  let number = 0;
  const next = () => requestOf(account, "/vehicle/create", { vehicle: { label: `Parallel ${number++}` } });
  const { call, way } = await rounds({
    call: async () => (await load(stack.origin, next, { connections: AT_ONCE, seconds: 2 })).p50Ms,
    way: () => wayMs(stack),
  });
  const name = `/vehicle/create, ${AT_ONCE} at a time, databases ${DELAY_MS} ms away, p50`;
  return compareRounds({ name, unit: "ms", goal: { most: 2.2 }, baseline: { name: "one way", unit: "ms" } }, call, way);
}

/** The calls of the table with how many ways they wait for. */
function waysOfTable(): { path: string; objects: number; databases: number }[] {
  const text = readFileSync(join(ROOT, "docs", "edge.md"), "utf8");
  const rows = [...text.matchAll(/^\| `(\/[^`]+)` \| (\d+) \| (\d+) \| (\d+) \|/gm)];
  return rows.map(([, path = "", guard, objects, databases]) => {
    return { path, objects: Number(guard) + Number(objects), databases: Number(databases) };
  });
}

async function callsOf(account: Account): Promise<Record<string, () => object>> {
  const { id: vehicle_id } = await account.call("/vehicle/create", { vehicle: { label: "Van" } });
  const tracker = await registerTracker(account, "Van");
  // Apart from the one that is read: a track of thousands of points takes longer to write than the ways.
  const sending = await registerTracker(account, "Sending van");
  let count = 0;
  const place = { lat: 48, lng: 16, address: "", radius: 100 };
  const begun = systemNow() - 86_400_000;
  const points = Array.from({ length: 100 }, (_, second) => ({ time: begun + 1000 * second, ...place }));
  await account.call("/ingest/points", { device_id: tracker.device_id, points });
  const from = writeUtc(begun);
  const to = writeUtc(systemNow());
  return {
    "/base/nothing": () => ({}),
    "/vehicle/read": () => ({ vehicle_id }),
    "/vehicle/list": () => ({ limit: 100 }),
    "/vehicle/create": () => ({ vehicle: { label: `Van ${count++}` } }),
    "/place/create": () => ({ place: { label: `Shop ${count++}`, location: place } }),
    "/tracker/list": () => ({}),
    "/tracker/get_state": () => ({ tracker_id: tracker.id }),
    "/track/list": () => ({ tracker_id: tracker.id, from, to }),
    "/track/read": () => ({ tracker_id: tracker.id, from, to }),
    "/task/list": () => ({}),
    "/ingest/points": () => ({ device_id: sending.device_id, points: [{ time: begun + 1000 * count++, ...place }] }),
  };
}

function requestOf({ hash }: Account, path: string, body: object) {
  return bytesOf({ path: BASE + path, body: JSON.stringify({ hash, ...body }) });
}
