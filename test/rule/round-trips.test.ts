import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { systemNow } from "../../shared/time/clock.ts";
import { HOUR_MS } from "../../shared/time/duration.ts";
import { type Accounts, accountsOn, bodyOf, type Reply } from "../tool/call/account.ts";
import { DECLARED } from "../tool/call/declared.ts";
import { pointsOfADrive } from "../tool/sample/drive.ts";
import { SAMPLES } from "../tool/sample/index.ts";
import type { Sample } from "../tool/sample/sample.ts";
import { newWorld } from "../tool/sample/world.ts";
import { startWatchedSystem } from "../tool/system/system.ts";

/** Operations that by the design may cost more. */
const EXCEPTIONS = ["/tag/search", "/tag/delete"];

const DRIVE = pointsOfADrive(5100);
/** So many are kept open; then they are written to the database. */
const [OPEN, FLUSHED] = [4000, 5000];

// All calls to a system are counted together: this one is nobody else's.
let system: Awaited<ReturnType<typeof startWatchedSystem>>;
let accounts: Accounts;
let fleet: Awaited<ReturnType<typeof newWorld>>;

beforeAll(async () => {
  // What follows an answer later is not a part of the call, and must not be counted with another one.
  system = await startWatchedSystem({ AUDIT_DELAY_SECONDS: "3600", GEO_DATABASES: "3" });
  accounts = accountsOn(system);
  fleet = await newWorld(accounts, DRIVE.slice(0, OPEN));
  await system.resetTrips();
  await accounts.feed(fleet.device_id, DRIVE.slice(OPEN, FLUSHED));
  await vi.waitUntil(async () => (await system.trips()).geo > 0, { timeout: 20_000 });
  // The database has a part of the drive now, the feed the rest.
  await accounts.feed(fleet.device_id, DRIVE.slice(FLUSHED));
  // A feed looks once more, a second later, whether its tracker's tasks are what they were.
  await new Promise((resolve) => setTimeout(resolve, 1500));
});

afterAll(() => system?.stop());

test("every operation has a sample, every sample an operation", () => {
  expect(Object.keys(SAMPLES).toSorted()).toEqual([...DECLARED.keys()].toSorted());
});

test("a round trip is seen: a list costs one", async () => {
  const trips = await tripsOf(() => fleet.account.must("/vehicle/list"));
  expect(trips).toEqual({ gateway: 0, fleet: 1, tasks: 0, geo: 0, files: 0, reports: 0 });
});

const cases = Object.entries(SAMPLES)
  .filter(([path]) => !EXCEPTIONS.includes(path))
  .flatMap(([path, samples]) => samples.map((sample, index) => ({ path, index, sample })));

test.each(cases)(
  "$path (sample $index) costs at most two round trips one after the other",
  async ({ path, sample }) => {
    await succeed(path, await parametersOf(sample));
    const inAll = await leastOf(path, sample);
    expect(inAll > 2 ? await sequentialOf(path, sample) : inAll).toBeLessThanOrEqual(2);
  },
);

test("round trips one after the other are counted each, those side by side once", async () => {
  const read = () => fleet.account.must("/vehicle/list");
  const both = await slowly(async () => {
    await Promise.all([read(), read()]);
    await read();
  });
  expect([both.sequential, both.inAll]).toEqual([2, 3]);
});

const at = (seconds: number) => systemNow() - HOUR_MS + seconds * 1000;
const place = { lat: 50, lng: 8 };

test.each<[string, (seconds: number) => object]>([
  ["/ingest/points", (seconds) => ({ device_id: fleet.device_id, points: [{ time: at(seconds), ...place }] })],
  ["/ingest/osmand", (seconds) => ({ id: fleet.device_id, timestamp: at(seconds), lat: 50, lon: 8 })],
  [
    "/ingest/owntracks",
    (seconds) => ({ _type: "location", topic: `a/b/${fleet.device_id}`, tst: at(seconds), lat: 50, lon: 8 }),
  ],
  [
    "/ingest/overland",
    (seconds) => ({
      locations: [
        {
          geometry: { type: "Point", coordinates: [8, 50] },
          properties: { device_id: fleet.device_id, timestamp: at(seconds) },
        },
      ],
    }),
  ],
])("%s stores points in order without asking a database", async (path, message) => {
  await succeed(path, message(1));
  // What follows from points behind the answer is no part of the call.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(sumOf(await tripsOf(() => succeed(path, message(2))))).toBe(0);
});

test("late points cost one round trip at most, and none where the points around them are known", async () => {
  const late = (index: number) => ({ ...DRIVE[index], time: Number(DRIVE[index]?.time) + 5000 });
  const send = (index: number) => accounts.feed(fleet.device_id, [late(index)]);
  // Rules that follow late points read what lies around them behind the answer.
  const { list } = await fleet.account.must("/tracker/rule/list");
  for (const { id } of list) await fleet.account.must("/tracker/rule/delete", { rule_id: id });
  // Once a second a feed asks whether its rules are what they were.
  await new Promise((resolve) => setTimeout(resolve, 1100));
  await accounts.feed(fleet.device_id, DRIVE.slice(-1));
  expect(sumOf(await tripsOf(() => send(10)))).toBeLessThanOrEqual(1);
  expect(sumOf(await tripsOf(() => send(11)))).toBe(0);
});

async function tripsOf(call: () => Promise<unknown>) {
  await system.resetTrips();
  await call();
  return system.trips();
}

/** What a call begins and its answer does not wait for may be counted with the next one: so the call is made again. */
async function leastOf(path: string, sample: Sample) {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 3 && least > 2; attempt++) {
    const parameters = await parametersOf(sample);
    // The call before may have been one after which a guard looks anew.
    if (parameters.hash) await accounts.call("/base/nothing", { hash: parameters.hash });
    least = Math.min(least, sumOf(await tripsOf(() => succeed(path, parameters))));
  }
  return least;
}

/** Of several attempts the best: on a busy machine what is begun together may be sent after one another. */
async function sequentialOf(path: string, sample: Sample) {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 3 && least > 2; attempt++) least = Math.min(least, await slowedOf(path, sample));
  return least;
}

/** Slowed down, what is asked together is seen to be. */
async function slowedOf(path: string, sample: Sample) {
  const parameters = await parametersOf(sample);
  if (parameters.hash) await accounts.call("/base/nothing", { hash: parameters.hash });
  await untilQuiet();
  const { sequential } = await slowly(() => succeed(path, parameters));
  return sequential;
}

/** What was made for the call may be gone on with behind its answer, such as the previews of a photo. */
async function untilQuiet() {
  for (let before = -1, now = 0; before !== now; now = sumOf(await system.trips())) {
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function slowly(call: () => Promise<unknown>) {
  await system.slowDown(200);
  try {
    const inAll = sumOf(await tripsOf(call));
    return { inAll, sequential: await system.sequentialTrips() };
  } finally {
    await system.slowDown(0);
  }
}

function sumOf(trips: Record<string, number>) {
  return Object.values(trips).reduce((sum, one) => sum + one);
}

async function parametersOf(sample: Sample): Promise<Reply> {
  const { account, world } = fleet;
  const hashes = { nobody: undefined, operator: await accounts.operatorHash(), master: account.hash };
  const usedUp = await sample.before?.(account, accounts);
  return { hash: hashes[sample.as ?? "master"], ...sample.parameters(world, account), ...usedUp };
}

async function succeed(path: string, parameters: object) {
  const answer = await fetch(system.baseUrl + path, { method: "POST", ...bodyOf(parameters) });
  expect(answer.status, `${path}: ${(await answer.text()).slice(0, 500)}`).toBe(200);
}
