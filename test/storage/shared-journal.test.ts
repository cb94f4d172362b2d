import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { WORKERS } from "../../scripts/workers.ts";
import { systemNow } from "../../shared/time/clock.ts";
import { HOUR_MS, MINUTE_MS } from "../../shared/time/duration.ts";
import { type Account, accountsOn } from "../tool/call/account.ts";
import { writeUtc } from "../tool/call/utc-time.ts";
import { FLUSHED, positionAt } from "../tool/point/archived-points.ts";
import { startSystem } from "../tool/system/system.ts";
import { waitUntil } from "../tool/wait.ts";

// Journals hold lines of all trackers, so this file has a system of its own.
let system: Awaited<ReturnType<typeof startSystem>>;
let account: Account;

beforeAll(async () => {
  system = await startSystem();
  account = await accountsOn(system).newAccount({ time_zone: "UTC" });
});

afterAll(() => system?.stop());

// A row stays until the last of its lines goes: tests share none.
beforeEach(async () => {
  await system.inJournals("DELETE FROM line_row");
  await system.evictObjects();
});

type Line = { tracker_id: number; number: number };

/** The lines of some trackers in the rows of all journals. */
async function linesOf(...trackers: Van[]): Promise<Line[]> {
  const rows = await system.inJournals("SELECT heads FROM line_row");
  const heads = rows.flatMap(({ heads }): [number, number][] => JSON.parse(String(heads)));
  const lines = heads.map(([tracker_id, number]) => ({ tracker_id, number }));
  return lines.filter((line) => trackers.some(({ id }) => id === line.tracker_id));
}

/** A tracker and the times of its points, a minute apart, the last of them now. */
type Van = Awaited<ReturnType<typeof newVan>>;

async function newVan(owner = account) {
  const { id, source } = await owner.newTracker();
  let sent = 0;
  const start = Math.floor(systemNow() / 1000) * 1000 - HOUR_MS;
  const times: number[] = [];
  return {
    id: Number(id),
    times,
    async send(battery = 50) {
      const time = start + MINUTE_MS * sent++;
      const query = new URLSearchParams({
        id: source.device_id,
        timestamp: String(time / 1000),
        lat: String(50 + sent / 1000),
        lon: "8",
        batt: String(battery),
      });
      const answer = await fetch(`${system.baseUrl}/ingest/osmand?${query}`);
      expect(answer.status).toBe(200);
      times.push(time);
    },
    /** Sends so many earlier points that the feed writes all of them to the database. */
    async fill() {
      for (let first = 0; first < FLUSHED; first += 1000) {
        const points = Array.from({ length: 1000 }, (_, index) => positionAt(start - 20 * HOUR_MS, first + index));
        expect(await accountsOn(system).feed(source.device_id, points)).toMatchObject({ accepted: 1000 });
      }
      const written = () => system.rowsOf("geo", "chunk", { tracker_id: Number(id) });
      await waitUntil("the points are in the database", written, ({ length }) => length > 0);
      // The feed answers for its trips after the flush, so that it has dropped what the database holds.
      await owner.must("/track/list", { tracker_id: id, from: writeUtc(start), to: writeUtc(start + HOUR_MS) });
    },
  };
}

/** The first point of a tracker stands in its own journal. */
async function newVans(count: number): Promise<Van[]> {
  const vans = await Promise.all(Array.from({ length: count }, () => newVan()));
  await Promise.all(vans.map((van) => van.send()));
  return vans;
}

async function expectAll(van: Van) {
  const { list } = await account.must("/track/read", { ...rangeOf(van), simplify: false, filter: false });
  expect(list.map(({ get_time }: { get_time: string }) => Date.parse(`${get_time.replace(" ", "T")}Z`))).toEqual(
    van.times,
  );
}

/** The range of the points that a van has sent one by one. */
function rangeOf({ id, times }: Van) {
  return { tracker_id: id, from: writeUtc(times[0] ?? 0), to: writeUtc(times.at(-1) ?? 0) };
}

test("points of many trackers at once share a few rows, and each tracker has its own after all objects have lost their memory", async () => {
  const vans = await newVans(12);
  for (const battery of [50, 77]) await Promise.all(vans.map((van) => van.send(battery)));
  for (const van of vans) expect(await linesOf(van)).not.toEqual([]);
  const [rows] = await system.inJournals("SELECT count(*) AS count FROM line_row");
  expect(rows?.count).toBeLessThan(6);

  await system.evictObjects();
  for (const van of vans) {
    await expectAll(van);
    const { state } = await account.must("/tracker/get_state", { tracker_id: van.id });
    expect(state).toMatchObject({ battery_level: 77, gps: { location: { lat: 50.003, lng: 8 } } });
  }
  // New lines get further numbers, and a repeated point counts once.
  await Promise.all(vans.map((van) => van.send()));
  const lines = await linesOf(...vans);
  expect(new Set(lines.map(({ tracker_id, number }) => `${tracker_id} ${number}`)).size).toBe(lines.length);
  for (const van of vans) await expectAll(van);
});

test("lines whose points are in the database leave the journal, and count once also while their row remains", async () => {
  const vans = await newVans(2);
  const [van, other] = vans as [Van, Van];
  for (const each of [...vans, ...vans]) await each.send();
  expect(await linesOf(van, other)).not.toEqual([]);
  await van.fill();
  // The row is there until the last of its lines is.
  expect(await linesOf(van)).not.toEqual([]);
  await system.evictObjects();
  await expectAll(van);
  const stats = async () => (await account.must("/track/list", rangeOf(van))).list;
  const before = await stats();
  await other.fill();
  await waitUntil(
    "the lines have left the journal",
    () => linesOf(van, other),
    ({ length }) => length === 0,
  );
  await system.evictObjects();
  await expectAll(van);
  await expectAll(other);
  expect(await stats()).toEqual(before);
});

test("lines that no feed has asked for in time go to the feeds, and nothing is lost between", async () => {
  const vans = await newVans(3);
  await Promise.all(vans.map((van) => van.send()));
  await Promise.all(vans.map((van) => van.send(33)));
  for (const van of vans) expect(await linesOf(van)).not.toEqual([]);
  // Moves the lines two hours into the past.
  for (const { id, heads } of await system.inJournals("SELECT id, heads FROM line_row")) {
    const old = JSON.parse(String(heads)).map(([tracker_id, number, ...others]: number[]) => {
      return [tracker_id, Number(number) - 2 * HOUR_MS, ...others];
    });
    await system.inJournals(`UPDATE line_row SET heads = '${JSON.stringify(old)}' WHERE id = ${id}`);
  }
  await system.evictObjects();
  for (const van of vans) await expectAll(van);
  // A read wakes the journal, which then asks feeds for old lines.
  await waitUntil(
    "the lines have left the journal",
    () => linesOf(...vans),
    ({ length }) => length === 0,
  );
  await system.evictObjects();
  for (const van of vans) {
    await expectAll(van);
    expect((await account.must("/tracker/get_state", { tracker_id: van.id })).state.battery_level).toBe(33);
  }
});

test("an erased account leaves nothing in the journal rows that it shared with others", async () => {
  const accounts = accountsOn(system);
  const leaving = await accounts.newAccount({ time_zone: "UTC" });
  const [van, other] = [await newVan(leaving), await newVan()];
  for (const each of [van, other]) await each.send();
  await Promise.all([van.send(), other.send()]);
  await van.fill();
  // Settled by now, and beside another's line.
  expect([await linesOf(van), await linesOf(other)]).toMatchObject([{ length: 1 }, { length: 1 }]);
  const hash = await accounts.operatorHash();
  await accounts.must("/panel/user/corrupt", { hash, user_id: leaving.id, login: leaving.login });
  const sweep = async () => {
    for (const worker of WORKERS) await system.fireCron(worker);
    return { isErased: await system.isErased(van.id), lines: await linesOf(van) };
  };
  await waitUntil("the tracker is erased", sweep, ({ isErased, lines }) => isErased && lines.length === 0);
  await system.evictObjects();
  await expectAll(other);
});

test("points are acknowledged while the shared journal fails, and stand in the trackers' own journals", async () => {
  const vans = await newVans(3);
  await Promise.all(vans.map((van) => van.send()));
  const lines = await linesOf(...vans);
  // In a new life they try it again.
  await system.evictObjects();
  for (const van of vans) await expectAll(van);
  await system.inJournals("ALTER TABLE line_row RENAME TO kept_row");
  for (let again = 0; again < 3; again++) await Promise.all(vans.map((van) => van.send()));
  await system.evictObjects();
  // Each journal gets its own rows again: other trackers of this system may have others.
  await system.inJournals("INSERT INTO line_row SELECT * FROM kept_row");
  await system.inJournals("DROP TABLE kept_row");
  await system.evictObjects();
  expect(await linesOf(...vans)).toEqual(lines);
  for (const van of vans) await expectAll(van);
});

test("a point with which more has to be stored stands in the tracker's own journal", async () => {
  const [van] = await newVans(1);
  if (!van) throw new Error("there is no tracker");
  const rule = { type: "speedup", name: "Limit", param: 90, trackers: [van.id] };
  await account.must("/tracker/rule/create", { rule });
  await van.send();
  await van.send();
  // The first goes the shared way, where the book says that there is a rule now.
  expect((await linesOf(van)).length).toBeLessThan(2);
  await expectAll(van);
});
