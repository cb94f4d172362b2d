import { expect, test } from "vitest";
import { systemNow } from "#shared/time/clock.ts";
import { HOUR_MS, MINUTE_MS } from "#shared/time/duration.ts";
import { feed, must, newAccount, operatorHash, UNKNOWN_ID } from "../../../../../test/tool/call/account.ts";

const READ = "/tracker/settings/lbs/read";
const UPDATE = "/tracker/settings/lbs/update";

test("a cell tower's fix is ignored when it is coarser than the tracker's setting, and taken otherwise", async () => {
  const account = await newAccount({ time_zone: "UTC" });
  const { id: tracker_id, source } = await account.newTracker();
  expect(await account.must(READ, { tracker_id })).toEqual({ success: true, max_radius: 10_000 });
  await account.must(UPDATE, { tracker_id, max_radius: 500 });
  expect((await account.must(READ, { tracker_id })).max_radius).toBe(500);
  const start = Math.floor(systemNow() / 1000) * 1000 - HOUR_MS;
  const at = (minute: number, more: object) => ({ time: start + minute * MINUTE_MS, lat: 50, lng: 8, ...more });
  await feed(source.device_id, [
    at(0, { precision: 2000 }),
    at(1, { gsm_lbs: true, precision: 501 }),
    at(2, { gsm_lbs: true, precision: 500 }),
    at(3, { gsm_lbs: true }),
  ]);
  const range = { from: toCallerTime(start - MINUTE_MS), to: toCallerTime(start + HOUR_MS) };
  const { list } = await account.must("/track/read", { tracker_id, ...range, filter: false, simplify: false });
  expect(list.map(({ get_time }: { get_time: string }) => get_time)).toEqual(
    [0, 2, 3].map((minute) => toCallerTime(start + minute * MINUTE_MS)),
  );
});

test.each([-1, 10_001, 1.5, null])("the cell tower setting refuses a radius of %j by name", async (max_radius) => {
  const account = await newAccount();
  const { id: tracker_id } = await account.newTracker();
  const reply = await account.call(UPDATE, { tracker_id, max_radius });
  expect(reply).toMatchObject({ status: { code: 7 }, errors: [{ parameter: "max_radius" }] });
});

test("the cell tower setting answers unknown, blocked and cloned trackers each by its own code", async () => {
  const [account, rival] = [await newAccount(), await newAccount()];
  const [{ id: own }, { id: foreign }] = [await account.newTracker(), await rival.newTracker()];
  const clone = { tracker_id: foreign, user_id: account.id, label: "Clone" };
  const { id: clone_id } = await must("/panel/tracker/clone", { hash: await operatorHash(), ...clone });
  const codesOf = async (tracker_id: number) => {
    const replies = [
      await account.call(READ, { tracker_id }),
      await account.call(UPDATE, { tracker_id, max_radius: 5 }),
    ];
    return replies.map(({ status }) => status?.code);
  };
  expect(await codesOf(UNKNOWN_ID)).toEqual([204, 204]);
  expect(await codesOf(foreign)).toEqual([204, 204]);
  expect(await codesOf(clone_id)).toEqual([undefined, 219]);
  await account.block(own);
  expect(await codesOf(own)).toEqual([208, 208]);
});

function toCallerTime(ms: number) {
  return new Date(ms).toISOString().slice(0, 19).replace("T", " ");
}
