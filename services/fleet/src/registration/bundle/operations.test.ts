import { expect, test } from "vitest";
import { systemNow } from "#shared/time/clock.ts";
import { MINUTE_MS } from "#shared/time/duration.ts";
import { call, feed, newAccount, newImei, operator, UNKNOWN_ID } from "#test/tool/call/account.ts";
import { newSubUser } from "#test/tool/call/mailbox.ts";

const IMPORT = "/panel/tracker/bundle/import";

async function importAll(imeis: string[], more: object = {}) {
  const { list } = await operator.must("/panel/equipment/list");
  return operator.call(IMPORT, { imeis, equip_id: list[0].id, ...more });
}

test("tracker/register_quick registers a device that the dealer imported by its IMEI alone, once, and takes its points", async () => {
  const account = await newAccount();
  const imei = newImei();
  const quick = { label: "Van 7", group_id: 0, imei };
  expect((await account.call("/tracker/register_quick", quick)).status.code).toBe(201);
  expect((await importAll([imei])).success).toBe(true);
  const { id: foreign } = await (await newAccount()).must("/tracker/group/create", { title: "North", color: "27A9E3" });
  for (const group_id of [UNKNOWN_ID, foreign]) {
    expect((await account.call("/tracker/register_quick", { ...quick, group_id })).status.code).toBe(204);
  }
  expect((await account.call("/tracker/register_quick", { ...quick, imei: "1" })).errors).toMatchObject([
    { parameter: "imei" },
  ]);
  const replies = await Promise.all(Array.from({ length: 4 }, () => account.call("/tracker/register_quick", quick)));
  const [registered] = replies.filter(({ success }) => success);
  expect(registered.value).toMatchObject({ label: "Van 7", source: { device_id: imei, model: "generic_gps" } });
  expect(replies.filter(({ status }) => status?.code === 224)).toHaveLength(3);
  const point = { time: systemNow() - MINUTE_MS, lat: 50, lng: 8 };
  expect((await feed(imei, [point])).accepted).toBe(1);
  const subUser = await newSubUser(account);
  expect((await call("/tracker/register_quick", { hash: subUser.hash, ...quick })).status.code).toBe(13);
});

test("panel/tracker/bundle/import stores all IMEIs or none, and names those that are stored already", async () => {
  const [one, two, three] = [newImei(), newImei(), newImei()];
  expect((await importAll([one, two], { factory_preset: "A" })).success).toBe(true);
  const refused = await importAll([three, two]);
  expect(refused).toMatchObject({ status: { code: 247 }, list: [two] });
  const both = await Promise.all([importAll([three]), importAll([three])]);
  expect(both.map(({ status }) => status?.code ?? 0).toSorted()).toEqual([0, 247]);
  expect((await importAll([newImei()], { equip_id: UNKNOWN_ID })).status.code).toBe(204);
});

test("panel/tracker/bundle/import takes at most a thousand IMEIs, each of 15 digits and named once", async () => {
  const many = new Set(Array.from({ length: 1001 }, newImei));
  expect((await importAll([...many])).errors).toMatchObject([{ parameter: "imeis" }]);
  expect((await importAll([...many].slice(1))).success).toBe(true);
  const imei = newImei();
  for (const wrong of [[], [imei, imei], ["12345678901234x"], [`${imei}1`]]) {
    expect((await importAll(wrong)).status.code, JSON.stringify(wrong)).toBe(7);
  }
});

test("tracker/register_quick leaves the bundle unused when the tariff has no device left (221)", async () => {
  const [full, other] = [await newAccount({ plan: { device_limit: 0 } }), await newAccount()];
  const imei = newImei();
  await importAll([imei]);
  expect((await full.call("/tracker/register_quick", { label: "Van", imei })).status.code).toBe(221);
  await other.must("/tracker/register_quick", { label: "Van", imei });
});
