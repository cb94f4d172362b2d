import { expect, test } from "vitest";
import { systemNow } from "#shared/time/clock.ts";
import { DAY_MS } from "#shared/time/duration.ts";
import { type Account, newAccount, newImei, operator, type Reply, UNKNOWN_ID } from "#test/tool/call/account.ts";

const PATH = "/panel/dealer/activation_code";
const van = () => ({ label: "Van", group_id: 0, model: "generic_gps", plugin_id: 37, device_id: newImei() });
const phone = () => ({ label: "Ann", group_id: 0, model: "mobile_app", plugin_id: 68 });

/** Creates codes for the account's own tariff unless another is named, and returns them as an operator reads them. */
async function newCodes({ plan_id }: Account, count: number, more: object = {}): Promise<Reply[]> {
  const reply = await operator.must(`${PATH}/create`, { count, tariff_id: plan_id, ...more });
  expect(reply.count).toBe(count);
  // A page holds a thousand codes, oldest first, including codes of other tests.
  const { count: unused } = await operator.must(`${PATH}/list`, { used: false, limit: 1 });
  const { list } = await operator.must(`${PATH}/list`, { used: false, offset: Math.max(0, unused - 1000) });
  return list.filter(({ tariff_id }: Reply) => tariff_id === plan_id).slice(-count);
}

test("an activation code gives its device its tariff and free days, once", async () => {
  const [account, offer] = [await newAccount(), await newAccount({ plan: {} })];
  const [offered] = await newCodes(offer, 1, { free_days: 14, bonus_amount: 2.5 });
  expect(offered).toMatchObject({
    tariff_id: offer.plan_id,
    free_days: 14,
    bonus_amount: 2.5,
    used: null,
    user_id: null,
  });
  expect(offered.code).toMatch(/^[A-Z2-9]{16}$/);
  const written = offered.code.toLowerCase().replace(/(.{4})/g, "$1-");
  const { value } = await account.must("/tracker/register", { ...van(), activation_code: written });
  const day = new Date(systemNow() + 14 * DAY_MS).toISOString().slice(0, 10);
  expect(value.source).toMatchObject({ tariff_id: offer.plan_id, tariff_end_date: day });
  expect((await account.must("/tracker/read", { tracker_id: value.id })).value).toEqual(value);
  const again = await account.call("/tracker/register", { ...van(), activation_code: offered.code });
  expect(again.status.code).toBe(227);
  const { list } = await operator.must(`${PATH}/list`, { used: true });
  expect(list.find(({ id }: Reply) => id === offered.id)).toMatchObject({
    user_id: account.id,
    used: expect.any(String),
  });
});

test("an activation code registers one device, however many are registered with it at once", async () => {
  const account = await newAccount();
  const [{ code }] = await newCodes(account, 1);
  const tries = Array.from({ length: 10 }, () =>
    account.call("/tracker/register", { ...van(), activation_code: code }),
  );
  const replies = await Promise.all(tries);
  expect(replies.filter(({ success }) => success)).toHaveLength(1);
  expect(replies.filter(({ status }) => status?.code === 227)).toHaveLength(9);
  expect((await account.must("/tracker/list")).list).toHaveLength(1);
});

test("an activation code stays good when the registration is refused", async () => {
  const account = await newAccount({ plan: { device_limit: 1 } });
  const registered = van();
  const [first, second] = await newCodes(account, 2);
  await account.must("/tracker/register", { ...registered, activation_code: first.code });
  const other = await newAccount();
  const register = (device: object) => other.call("/tracker/register", { ...device, activation_code: second.code });
  expect((await register(registered)).status.code).toBe(224);
  const full = await account.call("/tracker/register", { ...van(), activation_code: second.code });
  expect(full.status.code).toBe(221);
  expect((await register(van())).success).toBe(true);
});

test("tracker/register with plugins 37 and 68 needs an activation code, with 44 and 35 it may have one", async () => {
  const account = await newAccount();
  const codes = await newCodes(account, 3);
  for (const device of [van(), phone()]) {
    expect((await account.call("/tracker/register", device)).status.code).toBe(227);
    for (const wrong of ["", "  -", "ABCDEFGH23456789"]) {
      expect((await account.call("/tracker/register", { ...device, activation_code: wrong })).status.code).toBe(227);
    }
  }
  for (const [index, device] of [phone(), { ...van(), plugin_id: 44 }, { ...phone(), plugin_id: 35 }].entries()) {
    await account.must("/tracker/register", { ...device, activation_code: codes[index].code });
  }
  const plugins: Reply[] = (await account.must("/plugin/list")).list;
  const list = plugins.filter(({ type }) => type === "tracker_register");
  expect(list.map(({ id, parameters }: Reply) => [id, parameters.activation_code])).toEqual([
    ...[
      [35, "optional"],
      [37, "required"],
      [44, "optional"],
      [68, "required"],
    ],
  ]);
  expect(list[0]?.filter).toEqual({ exclusion: false, values: ["mobile_app"] });
});

test("plugin/list names the report plugins, which report every model", async () => {
  const plugins: Reply[] = (await (await newAccount()).must("/plugin/list")).list;
  const reporting = plugins.filter(({ type }) => type === "tracker_report");
  expect(reporting).toHaveLength(33);
  expect(reporting[0]).toEqual({
    ...{ id: 4, type: "tracker_report", module: "trips", ui_module: "trips" },
    filter: { exclusion: true, values: [] },
  });
});

test("activation codes are made for a tariff of the dealer, 1 to 1000 at once, and listed in pages", async () => {
  const account = await newAccount();
  const create = (more: object) => operator.call(`${PATH}/create`, { tariff_id: account.plan_id, ...more });
  expect((await create({ count: 1, tariff_id: UNKNOWN_ID })).status.code).toBe(201);
  for (const [name, wrong] of Object.entries({ count: 0, bonus_amount: -1, free_days: 3661 })) {
    expect((await create({ count: 1, [name]: wrong })).errors).toMatchObject([{ parameter: name }]);
  }
  expect((await create({ count: 1001 })).errors).toMatchObject([{ parameter: "count" }]);
  expect((await create({ count: 1000 })).count).toBe(1000);
  const { count } = await operator.must(`${PATH}/list`);
  const { list } = await operator.must(`${PATH}/list`, { offset: count - 1000 });
  expect(new Set(list.map(({ code }: Reply) => code)).size).toBe(1000);
});
