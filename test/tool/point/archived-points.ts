import { expect } from "vitest";
import { encodePoints } from "../../../services/geo/src/point/codec.ts";
import { HOUR_MS, SECOND_MS } from "../../../shared/time/duration.ts";
import { type Account, type Accounts, accountsOn, type Reply } from "../call/account.ts";
import { writeUtc } from "../call/utc-time.ts";
import { sectionsOf } from "../report/report.ts";
import type { System } from "../system/controls.ts";
import { waitUntil } from "../wait.ts";
import { pointAt } from "./made.ts";

/** The columns of a chunk in their order. */
export const CHUNK_COLUMNS = `id, account_id, tracker_id, "from", from_lat, from_lng, "to", to_lat, to_lng, count, lbs_count,
  length, max_speed, south, west, north, east, bytes, flush, part, data, object, object_offset`;

/** A feed writes this many points to the database at once, in four chunks. */
export const FLUSHED = 5000;

/** Makes trackers of a system with points of long ago, and tells where those points are stored. */
export function archiveOn(system: System) {
  const accounts: Accounts = accountsOn(system);

  /** A tracker whose drives last 14 hours. */
  async function newTracker(account: Account) {
    const { id, source } = await account.newTracker();
    const tracker_id = Number(id);
    const send = (points: object[]) => accounts.feed(source.device_id, points);
    return {
      tracker_id,
      send,
      folder: `${account.id}/${tracker_id}/`,
      rows: () => rowsOf(tracker_id),
      /** Sends a drive that begins at `start`, and waits until the feed has written its full chunks to the database. */
      async drive(start: number) {
        const before = (await rowsOf(tracker_id)).length;
        for (let first = 0; first < FLUSHED; first += 1000) {
          const points = Array.from({ length: 1000 }, (_, index) => positionAt(start, first + index));
          expect(await send(points)).toMatchObject({ accepted: 1000 });
        }
        await waitUntil(
          "the drive is in the database",
          () => rowsOf(tracker_id),
          ({ length }) => length > before,
        );
      },
      points: async (start: number): Promise<Reply[]> =>
        (await account.must("/track/read", { tracker_id, ...rangeOf(start), simplify: false })).list,
      read: (start: number) => account.call("/track/read", { tracker_id, ...rangeOf(start) }),
      async tryRule(start: number): Promise<Reply[]> {
        const rule = { type: "speedup", name: "Limit", param: 30 };
        return (await account.must("/tracker/rule/try", { rule, trackers: [tracker_id], ...rangeOf(start) })).list;
      },
      odometer: async (): Promise<number> =>
        (await account.must("/tracker/counter/value/get", { tracker_id, type: "odometer" })).value,
    };
  }

  function rowsOf(tracker_id: number): Promise<Reply[]> {
    return system.rowsOf("geo", "chunk", { tracker_id });
  }

  /** Writes chunks of one point each, a second apart and of `bytes` in size, past the feed. */
  function plant(account: Account, tracker_id: number, { count, bytes }: { count: number; bytes: number }) {
    const data = Buffer.from(encodePoints([pointAt(0)], "deflated")).toString("hex");
    const sql = `INSERT INTO chunk (${CHUNK_COLUMNS})
      SELECT NULL, ?1, ?2, at, 50, 8, at, 50, 8, 1, 0, 0, 0, 50, 8, 50, 8, ?5, 1000, place,
        CAST(x'${data}' || zeroblob(?5 - ${data.length / 2}) AS BLOB), NULL, NULL
      FROM (WITH RECURSIVE one (place) AS (SELECT 1 UNION ALL SELECT place + 1 FROM one WHERE place < ?3)
        SELECT place, ?4 + place * 1000 AS at FROM one)`;
    return system.change("geo", sql, account.id, tracker_id, count, monthAgo(3), bytes);
  }

  return { accounts, newTracker, rowsOf, plant };
}

/** The answers of all operations that read the points of a drive's day. */
export async function seenOf(account: Account, tracker_id: number, start: number) {
  const range = rangeOf(start);
  const zone = { type: "circle", label: "Depot", center: { lat: 40.5, lng: 8 }, radius: 300 };
  const { id: zone_id } = await account.must("/zone/create", { zone });
  const rule = { type: "inoutzone", name: "Gate", zone_ids: [zone_id] };
  const trackers = [tracker_id];
  const events = (await account.must("/tracker/rule/try", { rule, trackers, ...range })).list;
  return {
    trips: (await account.must("/track/list", { tracker_id, ...range })).list,
    points: (await account.must("/track/read", { tracker_id, ...range, simplify: false })).list,
    mileage: (await account.must("/tracker/stats/mileage/read", { trackers, ...range })).result,
    events: events.map(({ time, event }: Reply) => [time, event]),
    speeding: await sectionsOf(account, tracker_id, { plugin_id: 27, max_speed: 30 }, range),
    odometer: (await account.must("/tracker/counter/value/get", { tracker_id, type: "odometer" })).value,
  };
}

export function positionAt(start: number, index: number) {
  return { time: start + index * 10 * SECOND_MS, lat: 40 + index * 0.0009, lng: 8, speed: 36 };
}

/** Noon of a day this many months ago. */
export function monthAgo(months: number) {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 10, 6);
}

function rangeOf(start: number) {
  return { from: writeUtc(start - HOUR_MS), to: writeUtc(start + 20 * HOUR_MS) };
}
