import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { serveDatabase } from "#test/tool/database/server.ts";
import { PARCEL } from "#test/tool/sample/parcel.ts";
import { NO_LIMITS, nobody } from "../../../../shared/caller/principal.ts";
import { openDatabase } from "../../../../shared/database/open.ts";
import { accountZone } from "../table/schedule/account-zone.ts";
import { taskSchedule } from "../table/schedule/task-schedule.ts";
import { insertSchedule } from "./queries.ts";
import { storeZones, sweepZones } from "./zone-queries.ts";

// A Friday, 9 in the morning in Berlin.
const NOW = Date.parse("2026-11-20T08:00:00Z");
const [BERLIN, TOKYO, NEW_YORK] = ["Europe/Berlin", "Asia/Tokyo", "America/New_York"];
const actor = { account_id: 1, user_id: 1, host: "", user_agent: "", action_date: NOW };
const { external_id, ...parcel } = PARCEL;
const mondays = {
  ...parcel,
  label: "Bins",
  tracker_id: null,
  from_time: "06:30:00",
  duration: 60,
  parameters: { type: "weekdays" as const, weekdays: [1] },
  tags: [],
};

const IN_NEW_YORK = { scope: "all" as const, time_zone: NEW_YORK };
const db = openDatabase(await serveDatabase("tasks"));

/** Stores a schedule by a user whose own zone differs from the account's. */
function plan(account_id: number, account_time_zone: string) {
  const limits = { ...NO_LIMITS, schedules: 10_000 };
  const principal = { ...nobody("none"), account_id, limits, ...IN_NEW_YORK, account_time_zone };
  return insertSchedule(db, principal, mondays, { ...actor, account_id });
}

async function runOf(id: number) {
  const [row] = await db.select().from(taskSchedule).where(eq(taskSchedule.id, id));
  return [row?.time_zone, new Date(row?.next_run ?? 0).toISOString()];
}

test("a schedule's next day begins in the account's present zone; older and repeated messages change nothing", async () => {
  const [id, other] = [await plan(1, BERLIN), await plan(2, BERLIN)];
  expect(await runOf(id)).toEqual([BERLIN, "2026-11-22T23:00:00.000Z"]);
  const message = { account_id: 1, time_zone: TOKYO, revision: 7 };
  for (const delivered of [message, { ...message, time_zone: NEW_YORK, revision: 6 }, message]) {
    await storeZones(db, [delivered]);
    await Promise.all([sweepZones(db), sweepZones(db)]);
    expect(await runOf(id)).toEqual([TOKYO, "2026-11-22T15:00:00.000Z"]);
  }
  expect(await runOf(other)).toEqual([BERLIN, "2026-11-22T23:00:00.000Z"]);
  await storeZones(db, [{ ...message, time_zone: NEW_YORK, revision: 8 }]);
  await sweepZones(db);
  expect(await runOf(id)).toEqual([NEW_YORK, "2026-11-23T05:00:00.000Z"]);
});

test("a schedule that is stored with the account's former zone gets the present one by the sweep", async () => {
  await storeZones(db, [{ account_id: 3, time_zone: TOKYO, revision: 9 }]);
  await sweepZones(db);
  const isPending = async () => (await db.select().from(accountZone).where(eq(accountZone.account_id, 3)))[0]?.pending;
  expect(await isPending()).toBe(false);
  const id = await plan(3, BERLIN);
  expect(await isPending()).toBe(true);
  await sweepZones(db);
  expect([await runOf(id), await isPending()]).toEqual([[TOKYO, "2026-11-22T15:00:00.000Z"], false]);
});

test("a zone's sweep reaches all of an account's schedules, however many", async () => {
  await Promise.all(Array.from({ length: 20 }, () => plan(4, BERLIN)));
  const copies = Array.from({ length: 30 }, () => db.select().from(taskSchedule).where(eq(taskSchedule.account_id, 4)));
  for (const rows of await Promise.all(copies)) {
    await db.insert(taskSchedule).values(rows.slice(0, 20).map(({ id, ...row }) => row));
  }
  await storeZones(db, [{ account_id: 4, time_zone: TOKYO, revision: 10 }]);
  await sweepZones(db);
  const rows = await db.select().from(taskSchedule).where(eq(taskSchedule.account_id, 4));
  expect([rows.length, rows.every(({ time_zone }) => time_zone === TOKYO)]).toEqual([620, true]);
});
