import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { systemNow } from "#shared/time/clock.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import { call, feed, must, newAccount, operator, operatorHash, UNKNOWN_ID } from "#test/tool/call/account.ts";

test("panel/user/corrupt ends all of a user's credentials at once, and frees its login and devices", async () => {
  const [account, hash] = [await newAccount(), await operatorHash()];
  const tracker = await account.newTracker();
  const { device_id } = tracker.source;
  const point = { time: systemNow() - MINUTE_MS, lat: 50, lng: 8 };
  await feed(device_id, [point]);
  await account.must("/vehicle/create", { vehicle: { label: "V", tracker_id: tracker.id } });
  const { value: key } = await account.must("/api/key/create", { title: "ERP" });
  const user = { login: `${systemNow()}-${randomInt(1e9)}@example.com`, legal_type: "individual", first_name: "Bo" };
  const { id: subuser_id } = await account.must("/subuser/register", { user, password: "secret123" });
  await account.must("/subuser/tracker/bind", { subuser_id, trackers: [tracker.id] });
  const { hash: delegated } = await account.must("/subuser/session/create", { subuser_id });

  const removal = { hash, user_id: account.id, login: account.login.toUpperCase() };
  await must("/panel/user/corrupt", removal);
  for (const ended of [account.hash, key.hash, delegated]) {
    expect((await call("/base/nothing", { hash: ended })).status.code).toBe(4);
  }
  for (const { login, password } of [account, { login: user.login, password: "secret123" }]) {
    expect((await call("/user/auth", { login, password })).status.code).toBe(102);
  }
  expect((await feed(device_id, [point])).status.code).toBe(204);
  expect((await call("/panel/user/read", { hash, user_id: account.id })).status.code).toBe(201);
  expect((await must("/panel/tracker/list", { hash, user_id: account.id })).count).toBe(0);
  expect((await call("/panel/user/corrupt", removal)).status.code).toBe(252);

  const again = { login: account.login, activated: true, legal_type: "individual" };
  const settings = { password: "secret123", time_zone: "UTC", locale: "de" };
  await must("/panel/user/create", { hash, user: again, ...settings });
  await (await newAccount()).newTracker({ device_id });
  expect((await feed(device_id, [point])).accepted).toBe(1);
});

test("panel/user/corrupt removes a user only when id and login belong together", async () => {
  const [account, other] = [await newAccount(), await newAccount()];
  const corrupt = (user_id: number, login: string) => operator.call("/panel/user/corrupt", { user_id, login });
  expect((await corrupt(account.id, other.login)).errors).toMatchObject([{ parameter: "login" }]);
  expect((await corrupt(UNKNOWN_ID, account.login)).status.code).toBe(201);
  await account.must("/base/nothing");
  await other.must("/base/nothing");
});

test("panel/user/corrupt removes the clones of the user's trackers, or refuses, and removes its clones of others' trackers", async () => {
  const [owner, viewer, hash] = [await newAccount(), await newAccount(), await operatorHash()];
  const [theirs, shown] = [await owner.newTracker(), await viewer.newTracker()];
  const clone = (tracker_id: number, user_id: number) =>
    must("/panel/tracker/clone", { hash, tracker_id, user_id, label: "Clone" });
  const { id: clone_id } = await clone(theirs.id, viewer.id);
  await clone(shown.id, owner.id);
  const removal = { hash, user_id: owner.id, login: owner.login };
  const refused = await call("/panel/user/corrupt", { ...removal, corrupt_clones: false });
  expect(refused).toMatchObject({ status: { code: 253 }, list: [clone_id] });
  await owner.must("/base/nothing");
  await must("/panel/user/corrupt", removal);
  const { list } = await viewer.must("/tracker/list");
  expect(list.map(({ id }: { id: number }) => id)).toEqual([shown.id]);
  expect((await must("/panel/tracker/list", { hash, user_id: owner.id })).count).toBe(0);
});
