import { afterAll, beforeAll, expect, test } from "vitest";
import { systemNow } from "../../shared/time/clock.ts";
import { HOUR_MS } from "../../shared/time/duration.ts";
import { type Accounts, accountsOn, bodyOf, type Reply } from "../tool/call/account.ts";
import { DECLARED } from "../tool/call/declared.ts";
import { pointsOfADrive } from "../tool/sample/drive.ts";
import { SAMPLES, samplesOf } from "../tool/sample/index.ts";
import type { Sample } from "../tool/sample/sample.ts";
import { newWorld } from "../tool/sample/world.ts";
import { startWatchedSystem } from "../tool/system/system.ts";
import { waitUntil } from "../tool/wait.ts";

/** Operations that by the design may cost more. */
const EXCEPTIONS = ["/tag/search", "/tag/delete"];

const DRIVE = pointsOfADrive(5100);
/** Number of points that stay open, and number at which they are flushed to the database. */
const [OPEN, FLUSHED] = [4000, 5000];

// This system belongs to this file alone: all its calls are counted.
let system: Awaited<ReturnType<typeof startWatchedSystem>>;
let accounts: Accounts;
let fleet: Awaited<ReturnType<typeof newWorld>>;

beforeAll(async () => {
  // Work after an answer must not be counted with the next call.
  system = await startWatchedSystem({ GEO_DATABASES: "3", ARCHIVE_DAYS: "20" });
  accounts = accountsOn(system);
  fleet = await newWorld(accounts, DRIVE.slice(0, OPEN));
  await flushDrive(fleet.device_id, DRIVE.slice(OPEN));
});

afterAll(() => system?.stop());

test("SAMPLES has a sample for each declared operation and for no other", () => {
  expect(Object.keys(SAMPLES).toSorted()).toEqual([...DECLARED.keys()].toSorted());
});

test("a watched system counts one round trip for a list", async () => {
  const read = () => fleet.account.must("/vehicle/list");
  await read();
  // Background work of the sample world would be counted, too.
  await untilQuiet();
  const trips = await tripsOf(read);
  expect(trips).toEqual({ gateway: 0, fleet: 1, tasks: 0, geo: 0, files: 0, reports: 0 });
});

const cases = Object.keys(SAMPLES)
  .filter((path) => !EXCEPTIONS.includes(path))
  .flatMap((path) => samplesOf(path).map((sample, index) => ({ path, index, sample })));

test.each(cases)(
  "operation $path (sample $index) costs at most two round trips one after the other",
  async ({ path, sample }) => {
    const inAll = await leastOf(path, sample);
    expect(inAll > 2 ? await sequentialOf(path, sample) : inAll).toBeLessThanOrEqual(2);
  },
);

test("a watched system counts round trips one after the other each, and overlapping ones once", async () => {
  const read = () => fleet.account.must("/vehicle/list");
  await read();
  await untilQuiet();
  await system.resetTrips();
  await system.pause("fleet");
  const overlapping = Promise.all([read(), read()]);
  const countWaiting = () => system.countWaiting("fleet", "vehicle");
  await waitUntil("both reads wait for the database", countWaiting, (count) => count === 2);
  await system.bringUp("fleet");
  await overlapping;
  await read();
  expect([await system.sequentialTrips(), sumOf(await system.trips())]).toEqual([2, 3]);
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
])("the operation %s stores points in order without asking a database", async (path, message) => {
  await succeed(path, message(1));
  let seconds = 1;
  // Work that follows behind an answer is no part of its call, and may fall into the next one.
  await waitUntil(
    "a call without any round trip",
    () => tripsOf(() => succeed(path, message(++seconds))),
    (trips) => sumOf(trips) === 0,
  );
});

test("ingest/points asks a database once for a late point, and not at all where the points around it are known", async () => {
  // Rules that follow late points would read what lies around them behind the answer: this account has none.
  const account = await accounts.newAccount();
  const { source } = await account.newTracker();
  const late = (index: number) => ({ ...DRIVE[index], time: Number(DRIVE[index]?.time) + 5000 });
  const send = (index: number) => accounts.feed(source.device_id, [late(index)]);
  for (let start = 0; start < OPEN; start += 1000)
    await accounts.feed(source.device_id, DRIVE.slice(start, start + 1000));
  await flushDrive(source.device_id, DRIVE.slice(OPEN));
  await untilQuiet();
  expect(sumOf(await tripsOf(() => send(10)))).toBeLessThanOrEqual(1);
  expect(sumOf(await tripsOf(() => send(11)))).toBe(0);
});

/** Sends the last points of a drive, of which the feed writes all but the newest to the database. */
async function flushDrive(device_id: string, points: typeof DRIVE) {
  const chunks = async () => (await system.rowsOf("geo", "chunk")).length;
  const before = await chunks();
  await accounts.feed(device_id, points.slice(0, FLUSHED - OPEN));
  await waitUntil("the feed has written its points to the database", chunks, (count) => count > before);
  await accounts.feed(device_id, points.slice(FLUSHED - OPEN));
  await untilQuiet();
}

async function tripsOf(call: () => Promise<unknown>) {
  await system.resetTrips();
  await call();
  return system.trips();
}

/**
 * The first call of an operation may read what the Workers keep afterwards, and work that a call starts without waiting for
 * it may be counted with the next call: the minimum of several counts.
 */
async function leastOf(path: string, sample: Sample) {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 2 && least > 2; attempt++) {
    const parameters = await parametersOf(sample);
    // The call before may have been one after which a guard looks anew.
    if (attempt > 0 && parameters.hash) await accounts.call("/base/nothing", { hash: parameters.hash });
    least = Math.min(least, sumOf(await tripsOf(() => succeed(path, parameters))));
  }
  return least;
}

/** The minimum of several attempts: on a busy machine, parallel requests may be sent one after another. */
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

/** Waits until work that goes on behind an answer, such as previews of a photo, makes no more round trips. */
async function untilQuiet() {
  let [before, quietReads] = [-1, 0];
  await waitUntil(
    "the system makes no round trips",
    async () => sumOf(await system.trips()),
    (now) => {
      quietReads = now === before ? quietReads + 1 : 0;
      before = now;
      return quietReads >= 5;
    },
  );
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
