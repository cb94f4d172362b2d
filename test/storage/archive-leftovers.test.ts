import { afterAll, beforeAll, expect, test } from "vitest";
import { DAY_MS } from "../../shared/time/duration.ts";
import { archiveOn, FLUSHED, monthAgo, positionAt } from "../tool/point/archived-points.ts";
import { startWatchedSystem } from "../tool/system/system.ts";
import { waitUntil } from "../tool/wait.ts";

let system: Awaited<ReturnType<typeof startWatchedSystem>>;
let archive: ReturnType<typeof archiveOn>;

beforeAll(async () => {
  system = await startWatchedSystem({ ARCHIVE_DAYS: "20", REMOVED_TRACKER_DAYS: "20" });
  archive = archiveOn(system);
});

afterAll(() => system?.stop());

test("objects without a chunk go: of sweeps that died, and where late points have changed every chunk", async () => {
  const account = await archive.accounts.newAccount({ time_zone: "UTC" });
  const van = await archive.newTracker(account);
  const [start, other] = [monthAgo(3), monthAgo(2)];
  await van.drive(start);
  await van.drive(other);
  const objects = () => system.archive({ prefix: van.folder });
  const note = await system.archive({ prefix: "notes/", change: "add a note" });

  await system.slowDown(1500);
  const swept = system.fireCron("geo").catch(() => "failed");
  await waitUntil("the object is written", objects, ({ length }) => length > 0);
  await system.takeDown("geo");
  await swept;
  await system.slowDown(0);
  await system.bringUp("geo");
  const [orphan] = await objects();
  await sweepTwice();
  expect(await objects()).toContain(orphan);
  await pass(6);
  await sweepTwice();
  expect(await objects()).toContain(orphan);
  await pass(2);
  await sweepTwice();
  const [first, second, ...more] = await objects();
  expect([first, second]).not.toContain(orphan);
  expect(more).toEqual([]);
  const archived = async () => (await van.rows()).filter(({ object }) => object !== null);
  expect(await archived()).toHaveLength(8);

  const named = (await archived()).find(({ from }) => from === start)?.object;
  const late = [500, 1500, 2500, 3500, 4700].map((index) => ({
    ...positionAt(start, index),
    time: start + index * 10_000 + 3000,
  }));
  expect(await van.send(late)).toMatchObject({ accepted: 5 });
  await van.drive(monthAgo(1));
  await waitUntil("a chunk has left the archive", archived, ({ length }) => length < 8);
  await sweepTwice();
  await pass(8);
  await sweepTwice();
  expect(await objects()).not.toContain(`${van.folder}${named}`);
  await system.evictObjects();
  expect((await van.points(start)).length).toBe(FLUSHED + 5);
  expect((await van.points(other)).length).toBe(FLUSHED);
  expect(await system.rowsOf("geo", "archive_leftover")).toEqual([]);
  expect(await system.archive({ prefix: "notes/" })).toEqual(note);
});

test("the note of an unused object goes once the object is gone, as another sweep may delete it in between", async () => {
  await system.change("geo", "INSERT INTO archive_leftover (key, found) VALUES ('7/7/7', ?)", monthAgo(0));
  await sweepTwice();
  const notes = await system.rowsOf("geo", "archive_leftover");
  expect(notes.map(({ key }) => key)).not.toContain("7/7/7");
});

async function sweepTwice() {
  for (let sweep = 0; sweep < 2; sweep++) await system.fireCron("geo");
}

/** Makes all objects without a chunk this many days older. */
function pass(days: number) {
  return system.change("geo", "UPDATE archive_leftover SET found = found - ?", days * DAY_MS);
}
