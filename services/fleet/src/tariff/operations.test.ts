import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { type Account, call, newAccount, operator, type Reply, UNKNOWN_ID } from "#test/tool/call/account.ts";
import { newSubUser } from "#test/tool/call/mailbox.ts";

const GROUP = randomInt(1e9);

async function newTariff(more: object = {}) {
  const tariff = { name: `Plan ${randomInt(1e12)}`, group_id: GROUP, ...more };
  return Number((await operator.must("/panel/tariff/create", { tariff })).id);
}

const newOwner = () => newAccount({ plan: { group_id: GROUP } });
const change = (account: Account, tracker_id: number, tariff_id: number) =>
  account.call("/tariff/tracker/change", { tracker_id, tariff_id });

test("tariff/tracker/change gives a device another tariff of the group, and not again for 30 days", async () => {
  const account = await newOwner();
  const { id } = await account.newTracker();
  const [one, two] = [await newTariff(), await newTariff()];
  expect((await change(account, id, account.plan_id)).success).toBe(true);
  const codes = await Promise.all([one, two].map(async (plan) => (await change(account, id, plan)).status?.code));
  expect(codes.toSorted()).toEqual([240, undefined]);
  const { value } = await account.must("/tracker/read", { tracker_id: id });
  expect(value.source.tariff_id).toBe(codes[0] === undefined ? one : two);
  expect(value.source).not.toHaveProperty("tariff_changed");
  expect((await change(account, id, account.plan_id)).status.code).toBe(240);
  // An operator may change the tariff at any time.
  await operator.must("/panel/tracker/tariff/change", {
    tracker_id: id,
    tariff_id: account.plan_id,
  });
});

test("tariff/tracker/change takes only an active tariff of the group, for trackers, below its device limit", async () => {
  const account = await newOwner();
  const { id } = await account.newTracker();
  for (const [plan, code] of [
    [UNKNOWN_ID, 239],
    [await newTariff({ active: false }), 237],
    [await newTariff({ device_type: "camera" }), 237],
    [await newTariff({ group_id: GROUP + 1 }), 238],
    [await newTariff({ device_limit: 0 }), 221],
  ] as const) {
    expect((await change(account, id, plan)).status.code).toBe(code);
  }
  const plan = await newTariff();
  expect((await change(account, UNKNOWN_ID, plan)).status.code).toBe(201);
  const viewer = await newOwner();
  const clone = { tracker_id: id, user_id: viewer.id, label: "Clone" };
  const { id: clone_id } = await operator.must("/panel/tracker/clone", { ...clone });
  expect((await change(viewer, id, plan)).status.code).toBe(201);
  expect((await change(viewer, clone_id, plan)).status.code).toBe(219);
  const subUser = await newSubUser(account);
  const parameters = { hash: subUser.hash, tracker_id: id, tariff_id: plan };
  expect((await call("/tariff/tracker/change", parameters)).status.code).toBe(13);
  expect((await change(account, id, plan)).success).toBe(true);
});

test("tariff/list lists the tariffs that the dealer offers, and those that the user's devices have", async () => {
  const account = await newAccount({ plan: { price: 9.5, features: ["checkin"] } });
  const [free, retired] = [await newTariff({ price: 0 }), await newTariff({ active: false })];
  const listed = async () => {
    const { list } = await account.must("/tariff/list");
    return new Map<number, Reply>(list.map((plan: Reply) => [plan.id, plan]));
  };
  const offered = await listed();
  expect(offered.get(account.plan_id)).toMatchObject({ paas_free: false, features: ["checkin"], price: 9.5 });
  expect(offered.get(free)).toMatchObject({ paas_free: true, map_filter: { exclusion: true, values: [] } });
  expect(offered.has(retired)).toBe(false);
  await account.newTracker();
  await operator.must("/panel/tariff/update", { tariff: { id: account.plan_id, active: false } });
  expect((await listed()).has(account.plan_id)).toBe(true);
});
