import { expect, test } from "vitest";
import { systemNow } from "#shared/time/clock.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import { feed, must, newAccount, operatorHash, type Reply, UNKNOWN_ID } from "../../../../../test/tool/call/account.ts";
import { stack } from "../../../../../test/tool/system/stack.ts";

const UPDATE = "/tracker/ingest_key/update";
const KEY = "k3y of the device!";

test("an ingest key that is set is needed for points, and null removes it", async () => {
  const { account, tracker_id, device_id } = await newTracker();
  await account.must(UPDATE, { tracker_id, key: KEY });
  expect(codeOf(await feed(device_id, [pointAt(1)]))).toBe(204);
  expect(codeOf(await send(device_id, pointAt(1), { header: "another key of 16" }))).toBe(204);
  expect(await send(device_id, pointAt(1), { header: KEY })).toMatchObject({ accepted: 1 });
  expect(await send(device_id, pointAt(2), { query: KEY })).toMatchObject({ accepted: 1 });

  await account.must(UPDATE, { tracker_id, key: "the next key, also long" });
  expect(codeOf(await send(device_id, pointAt(3), { header: KEY }))).toBe(204);
  await account.must(UPDATE, { tracker_id, key: null });
  expect(await feed(device_id, [pointAt(3)])).toMatchObject({ accepted: 1 });
});

test("an ingest key stays when the device changes", async () => {
  const { account, tracker_id, device_id } = await newTracker();
  await account.must(UPDATE, { tracker_id, key: KEY });
  for (const blocked of [true, false]) await block(tracker_id, blocked);
  expect(codeOf(await feed(device_id, [pointAt(1)]))).toBe(204);
});

test("tracker/ingest_key/update takes 16 to 64 printable ASCII characters without a blank at an end", async () => {
  const { account, tracker_id } = await newTracker();
  for (const key of ["k".repeat(16), "~".repeat(64)]) await account.must(UPDATE, { tracker_id, key });
  const refused = ["k".repeat(15), "k".repeat(65), `${"k".repeat(16)}é`, `${"k".repeat(16)}\n`, ` ${"k".repeat(16)}`];
  for (const key of [...refused, "", 1234567890123456, undefined]) {
    expect(codeOf(await account.call(UPDATE, { tracker_id, key })), String(key)).toBe(7);
  }
});

test("tracker/ingest_key/update answers another account's tracker as an unknown one, and a blocked one 208", async () => {
  const [{ account, tracker_id }, rival] = [await newTracker(), await newAccount()];
  const foreign = await rival.call(UPDATE, { tracker_id, key: KEY });
  expect(foreign).toEqual(await rival.call(UPDATE, { tracker_id: UNKNOWN_ID, key: KEY }));
  expect(codeOf(foreign)).toBe(204);
  await block(tracker_id, true);
  expect(codeOf(await account.call(UPDATE, { tracker_id, key: KEY }))).toBe(208);
});

async function newTracker() {
  const account = await newAccount();
  const { id, source } = await account.newTracker();
  return { account, tracker_id: id, device_id: source.device_id };
}

async function send(device_id: string, point: object, { query = "", header = "" }): Promise<Reply> {
  const address = `${stack.baseUrl}/ingest/points${query && `?key=${encodeURIComponent(query)}`}`;
  const headers = { "Content-Type": "application/json", ...(header ? { "X-Ingest-Key": header } : {}) };
  const response = await fetch(address, {
    method: "POST",
    headers,
    body: JSON.stringify({ device_id, points: [point] }),
  });
  return response.json();
}

async function block(tracker_id: number, blocked: boolean) {
  await must("/panel/tracker/source/update", { hash: await operatorHash(), tracker_id, blocked });
}

function pointAt(minutesAgo: number) {
  return { time: systemNow() - minutesAgo * MINUTE_MS, lat: 50, lng: 8 };
}

function codeOf({ status }: Reply) {
  return status?.code;
}
