import { expect } from "vitest";
import type { DatabaseServer } from "../../../scripts/system/sqld.ts";
import { MINUTE_MS } from "../../../shared/time/duration.ts";
import type { Accounts } from "../call/account.ts";
import { rowsOf } from "../database/content.ts";
import { waitUntil } from "../wait.ts";
import { FLUSHED } from "./archived-points.ts";

/** More than a feed keeps open: a part of them is in the database. */
export const LONG_DRIVE = 5100;

/** Points ten seconds apart that go in and out of a zone around latitude 50, longitude 8. */
export function longDrive(start: number, count = LONG_DRIVE) {
  return Array.from({ length: count }, (_, index) => ({
    time: start + index * 10_000,
    lat: 50,
    lng: 8 + 0.05 * Math.sin((index * 10_000) / (30 * MINUTE_MS)),
  }));
}

/** Sends points in batches of a thousand, as a device does that held them back. */
export async function sendDrive({ feed }: Pick<Accounts, "feed">, device_id: string, points: object[]) {
  for (let sent = 0; sent < points.length; sent += 1000) {
    const { accepted } = await feed(device_id, points.slice(sent, sent + 1000));
    expect(accepted).toBeGreaterThan(0);
  }
}

/**
 * Sends points in parts that are long enough for the feed to write them to the database at once, and waits for each part.
 * Returns how many points the databases hold then.
 */
export async function storeDrive(
  accounts: Pick<Accounts, "feed">,
  device_id: string,
  points: object[],
  geo: DatabaseServer,
): Promise<number> {
  const stored = async () => (await rowsOf(geo, "chunk")).reduce((sum, { count }) => sum + Number(count), 0);
  let expected = await stored();
  for (let sent = 0; sent < points.length; sent += FLUSHED) {
    const part = points.slice(sent, sent + FLUSHED);
    await sendDrive(accounts, device_id, part);
    expected += part.length;
    await waitUntil(`${expected} points are in the database`, stored, (count) => count === expected);
  }
  return expected;
}
