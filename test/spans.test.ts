import { afterAll, beforeAll, expect, test } from "vitest";
import { DAY_MS } from "../shared/time/duration.ts";
import { type Accounts, accountsOn } from "./account.ts";
import { startSystem } from "./system.ts";

let system: Awaited<ReturnType<typeof startSystem>>;
let accounts: Accounts;

beforeAll(async () => {
  system = await startSystem({ MAX_SPANS: '{"counters":"P7D"}' });
  accounts = accountsOn(system);
});

afterAll(() => system?.stop());

test("an installation may allow less than 31 days of a counter's past: beyond it is 211, up to it is told", async () => {
  const account = await accounts.newAccount({ time_zone: "UTC" });
  const { id: tracker_id } = await account.newTracker();
  const from = Date.parse("2026-05-01T00:00:00Z");
  const read = (to: number) =>
    account.call("/tracker/counter/data/read", { tracker_id, type: "odometer", from: written(from), to: written(to) });
  expect(await read(from + 7 * DAY_MS)).toEqual({ success: true, list: [] });
  expect((await read(from + 7 * DAY_MS + 1000)).status.code).toBe(211);
  expect((await read(from + 31 * DAY_MS)).status.code).toBe(211);
  expect((await read(from + 31 * DAY_MS + 1000)).status.code).toBe(7);
});

function written(ms: number) {
  return new Date(ms).toISOString().slice(0, 19).replace("T", " ");
}
