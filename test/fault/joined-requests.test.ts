import { afterAll, beforeAll, expect, test } from "vitest";
import { systemNow } from "../../shared/time/clock.ts";
import { MINUTE_MS, SECOND_MS } from "../../shared/time/duration.ts";
import { type Accounts, accountsOn, type Reply } from "../tool/call/account.ts";
import { startSystem } from "../tool/system/system.ts";

// This system belongs to this file alone: all its feeds lose their memory.
let system: Awaited<ReturnType<typeof startSystem>>;
let accounts: Accounts;

beforeAll(async () => {
  system = await startSystem();
  accounts = accountsOn(system);
});

afterAll(() => system?.stop());

const start = Math.floor(systemNow() / MINUTE_MS) * MINUTE_MS - 100 * MINUTE_MS;

/** Requests of a point each: small ones stand in one row of the feed's journal, as many as have room. */
async function newTracker() {
  const account = await accounts.newAccount();
  const { id, source } = await account.newTracker();
  const at = (index: number) => Math.floor(start / SECOND_MS) + index * 10;
  const given = (index: number) => ({
    id: source.device_id,
    timestamp: at(index),
    lat: 50 + index / 1e4,
    lon: 8,
    speed: 20,
  });
  const state = async () => (await account.must("/tracker/get_state", { tracker_id: id })).state;
  return {
    source,
    send: (index: number, more: object = {}) => accounts.must("/ingest/osmand", { ...given(index), ...more }),
    async seen() {
      const { gps, battery_level, additional } = await state();
      const { value: counted } = await account.must("/tracker/counter/value/get", { tracker_id: id, type: "odometer" });
      return { gps, battery_level, additional, counted };
    },
  };
}

test("a feed that restarts reads requests that share a journal row back whole, in order and with their attributes", async () => {
  const { source, send, seen } = await newTracker();
  for (let index = 0; index < 100; index++)
    await send(index, index % 7 === 0 ? { batt: 100 - index, note: `n${index}` } : {});
  // One too large to join, and one that tells no point.
  const many = Array.from({ length: 900 }, (_, index) => ({
    time: start + 2000 * SECOND_MS + index * SECOND_MS,
    lat: 50.02 + index / 1e5,
    lng: 8,
    attributes: { word: `w${(index * 7919) % 1000}` },
  }));
  expect((await accounts.feed(source.device_id, many)).accepted).toBe(900);
  await send(300, { batt: 5 });
  const before = await seen();
  expect(before.counted).toBeGreaterThan(1);
  for (let life = 0; life < 3; life++) {
    await system.evictObjects();
    expect(await seen()).toEqual(before);
  }
  // All of them are known, those of the joined rows too.
  await system.evictObjects();
  const again: Reply = await accounts.feed(source.device_id, many);
  expect(again).toMatchObject({ accepted: 0, duplicates: 900 });
  for (const index of [0, 1, 55, 99]) await send(index);
  expect(await seen()).toEqual(before);
  await send(301);
  await system.evictObjects();
  const after = await seen();
  expect(after.counted).toBeGreaterThan(before.counted);
});
