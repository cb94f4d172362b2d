import { expect } from "vitest";
import { MINUTE_MS } from "../../../shared/time/duration.ts";
import type { Accounts } from "../call/account.ts";

/** More than a feed keeps open: a part of them is in the database. */
export const LONG = 5100;

/** A point each ten seconds, in and out of a zone around 50, 8. */
export function longDrive(start: number, count = LONG) {
  return Array.from({ length: count }, (_, index) => ({
    time: start + index * 10_000,
    lat: 50,
    lng: 8 + 0.05 * Math.sin((index * 10_000) / (30 * MINUTE_MS)),
  }));
}

/** As a device does, which holds back many at a time. */
export async function sendDrive({ feed }: Pick<Accounts, "feed">, device_id: string, points: object[]) {
  for (let sent = 0; sent < points.length; sent += 1000) {
    const { accepted } = await feed(device_id, points.slice(sent, sent + 1000));
    expect(accepted).toBeGreaterThan(0);
  }
}

/** As a caller in UTC writes it. */
export function written(ms: number) {
  return new Date(ms).toISOString().slice(0, 19).replace("T", " ");
}
