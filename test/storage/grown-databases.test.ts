import { afterEach, beforeEach, expect, test } from "vitest";
import type { LocalWorkers } from "../../scripts/system/miniflare.ts";
import { systemNow } from "../../shared/time/clock.ts";
import { DAY_MS } from "../../shared/time/duration.ts";
import { type Account, type Accounts, accountsOn, type Reply } from "../tool/call/account.ts";
import { writeUtc } from "../tool/call/utc-time.ts";
import { change, rowsOf } from "../tool/database/content.ts";
import { IS_CAMPAIGN } from "../tool/effort.ts";
import { type LocalInstallation, newLocalInstallation } from "../tool/installation/local-workers.ts";
import { LONG_DRIVE, longDrive, sendDrive } from "../tool/point/long-drive.ts";
import { waitUntil } from "../tool/wait.ts";

const START = Math.floor(systemNow() / DAY_MS - 3) * DAY_MS;
const RANGE = { from: writeUtc(START), to: writeUtc(START + DAY_MS) };

type Driven = { id: number; device_id: string };

let installation: LocalInstallation;
let workers: LocalWorkers;
let accounts: Accounts;
let account: Account;

// The list of each begins with one.
beforeEach(async () => {
  installation = await newLocalInstallation();
  workers = await installation.start();
  accounts = accountsOn(installation);
  account = await accounts.newAccount({ time_zone: "UTC" });
});

afterEach(async () => {
  await workers?.stop();
  await installation?.remove();
});

async function newTracker(count = LONG_DRIVE): Promise<Driven> {
  const { id, source } = await account.newTracker();
  await sendDrive(accounts, source.device_id, longDrive(START, count));
  return { id, device_id: source.device_id };
}

/** In which of the databases points of the tracker are. */
async function homesOf({ id }: Driven): Promise<number[]> {
  const { further = [], ...first } = installation.servers.geo;
  const chunks = await Promise.all([first, ...further].map((server) => rowsOf(server, "chunk")));
  return chunks.flatMap((chunk, index) => (chunk.some(({ tracker_id }) => tracker_id === id) ? index + 1 : []));
}

const isAtHome = async (tracker: Driven) => (await homesOf(tracker)).length > 0;

/** Lets the ids of trackers go on a thousand later. */
async function passThousand() {
  const sequence = "UPDATE sqlite_sequence SET seq = seq + 1000 WHERE name = 'tracker'";
  await change(installation.servers.fleet, { sql: sequence, args: [] });
}

/** Tracks and visits of trackers that have all driven the same. */
async function readTracks(trackers: Driven[], zone_id: number) {
  const ids = trackers.map(({ id }) => id);
  const { list: visits } = await account.must("/zone/visit/list", { zone_id, trackers: ids, ...RANGE });
  const tracks: Reply[] = [];
  for (const tracker_id of ids) {
    const { list } = await account.must("/track/read", { tracker_id, ...RANGE, simplify: false, filter: false });
    tracks.push(list);
  }
  return { tracks, visits: ids.map((id) => visits.filter(({ tracker_id }: Reply) => tracker_id === id)) };
}

test("trackers stay in their database when the list grows from one to three, and new ones spread over all", async () => {
  const zone = { type: "circle", label: "Depot", center: { lat: 50, lng: 8 }, radius: 300 };
  const { id: zone_id } = await account.must("/zone/create", { zone });
  const [old, open] = [await newTracker(), await newTracker(100)];
  await waitUntil("the drive is in its database", () => isAtHome(old));
  const before = await readTracks([old], zone_id);
  expect(before.tracks[0]).toHaveLength(LONG_DRIVE);
  expect(before.visits[0]?.length).toBeGreaterThan(5);

  await workers.stop();
  await installation.grow(3);
  workers = await installation.start();
  expect(await readTracks([old], zone_id)).toEqual(before);

  // A tracker that is made while older Workers may still run lives where they look for it.
  const next = await newTracker();
  await sendDrive(accounts, open.device_id, longDrive(START).slice(100));
  await waitUntil("both drives are in their databases", async () => (await isAtHome(next)) && (await isAtHome(open)));
  expect([await homesOf(old), await homesOf(open), await homesOf(next)]).toEqual([[1], [1], [1]]);

  await passThousand();
  const later = [await newTracker(), await newTracker(), await newTracker()];
  for (const tracker of later) {
    await waitUntil("the drive is in its database", () => isAtHome(tracker));
    expect(await homesOf(tracker)).toEqual([1 + (tracker.id % 3)]);
  }
  const { tracks, visits } = await readTracks([old, open, next, ...later], zone_id);
  for (const track of tracks) expect(track).toEqual(before.tracks[0]);
  const withoutTracker = (found: Reply[] = []) => found.map(({ tracker_id, ...visit }) => visit);
  for (const found of visits) expect(withoutTracker(found)).toEqual(withoutTracker(before.visits[0]));
});

test.runIf(IS_CAMPAIGN)(
  "Workers that were not told of the new databases lose nothing and put nothing where it would not be found",
  async () => {
    await newTracker(1);
    await workers.stop();
    await installation.grow(3);
    await passThousand();
    workers = await installation.start({}, { geo: { ...installation.servers.geo, further: [], starts: [] } });
    const trackers = [await newTracker(), await newTracker(), await newTracker()];
    const [stored, lost] = [trackers.find(({ id }) => id % 3 === 0), trackers.find(({ id }) => id % 3 === 1)];
    if (!stored || !lost) throw new Error("Of three in a row one is in each.");
    await waitUntil("the drive is in its database", () => isAtHome(stored));
    expect(await homesOf(lost)).toEqual([]);
    const read = () => account.must("/track/read", { tracker_id: lost.id, ...RANGE, simplify: false, filter: false });
    expect((await read()).list).toHaveLength(LONG_DRIVE);

    await workers.stop();
    workers = await installation.start();
    await accounts.feed(lost.device_id, [{ time: START + DAY_MS - 1000, lat: 50, lng: 8 }]);
    await waitUntil("the points are in their database", () => isAtHome(lost));
    expect(await homesOf(lost)).toEqual([2]);
    expect((await read()).list).toHaveLength(LONG_DRIVE + 1);
  },
);
