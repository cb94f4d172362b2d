import { beforeAll, expect, test } from "vitest";
import { type Account, newAccount, operator, UNKNOWN_ID } from "#test/tool/call/account.ts";

let account: Account;
let tracker_id: number;
/** Retranslator ids by protocol. They are disabled, so that nothing is sent. */
const partners: Record<number, number> = {};

beforeAll(async () => {
  account = await newAccount();
  tracker_id = (await account.newTracker()).id;
  for (const protocol_id of [1, 2, 3, 4]) partners[protocol_id] = await newPartner(account, { protocol_id });
});

async function newPartner(owner: Account, more: object = {}): Promise<number> {
  const receiver = { name: "Partner", protocol_id: 1, address: "gps.example.com", port: 5039, enabled: false };
  const login = `${Math.random()}`;
  const { id } = await owner.must("/retranslator/create", {
    retranslator: { ...receiver, login, password: "p", ...more },
  });
  return id;
}

test("tracker/retranslator/bind binds a tracker once per retranslator, under the id given last, and unbind frees it", async () => {
  const [retranslator_id, other] = [await newPartner(account), await newPartner(account)];
  const { id } = await account.newTracker();
  const list = async () => (await account.must("/tracker/retranslator/list", { tracker_id: id })).list;
  const bind = (more: object) => account.must("/tracker/retranslator/bind", { tracker_id: id, ...more });
  expect(await list()).toEqual([]);
  await bind({ retranslator_id, fake_device_id: "Van7" });
  await bind({ retranslator_id: other });
  expect(await list()).toEqual([{ retranslator_id, fake_device_id: "Van7" }, { retranslator_id: other }]);
  await bind({ retranslator_id });
  await bind({ retranslator_id: other, fake_device_id: "Bus8" });
  expect(await list()).toEqual([{ retranslator_id }, { retranslator_id: other, fake_device_id: "Bus8" }]);
  const { list: statuses } = await account.must("/retranslator/status/list", { retranslator_ids: [other] });
  expect(statuses).toMatchObject([{ trackers: 1, backlog: 0 }]);
  await account.must("/tracker/retranslator/unbind", { tracker_id: id, retranslator_id });
  const again = await account.call("/tracker/retranslator/unbind", { tracker_id: id, retranslator_id });
  expect(again.status.code).toBe(201);
  await account.must("/retranslator/delete", { retranslator_id: other });
  expect(await list()).toEqual([]);
});

test.each([
  [1, "a".repeat(20), "a".repeat(21)],
  [1, "0", ""],
  [1, "Van7", "Van-7"],
  [2, "1234567890", "12345678901"],
  [2, "0", "a"],
  [3, "Any thing: 7", ""],
  [4, "Ä", ""],
])(
  "tracker/retranslator/bind for protocol %i takes the device id %j and refuses %j",
  async (protocol_id, right, wrong) => {
    const binding = { tracker_id, retranslator_id: partners[protocol_id] };
    await account.must("/tracker/retranslator/bind", { ...binding, fake_device_id: right });
    const reply = await account.call("/tracker/retranslator/bind", { ...binding, fake_device_id: wrong });
    expect(reply).toMatchObject({ status: { code: 242 }, errors: [{ parameter: "fake_device_id" }] });
    const { list } = await account.must("/tracker/retranslator/list", { tracker_id });
    expect(list).toContainEqual({ retranslator_id: binding.retranslator_id, fake_device_id: right });
  },
);

test("tracker/retranslator calls refuse unknown, foreign, blocked, cloned and unlicensed trackers by code, and change nothing", async () => {
  const [rival, plain] = [await newAccount(), await newAccount({ plan: { features: [] } })];
  const foreign = { tracker_id: (await rival.newTracker()).id, retranslator_id: await newPartner(rival) };
  const retranslator_id = await newPartner(account);
  const call = async (verb: string, parameters: object, by = account) =>
    (await by.call(`/tracker/retranslator/${verb}`, parameters)).status?.code;
  for (const verb of ["bind", "unbind"]) {
    for (const id of [UNKNOWN_ID, foreign.tracker_id]) {
      expect(await call(verb, { tracker_id: id, retranslator_id })).toBe(201);
    }
    for (const id of [UNKNOWN_ID, foreign.retranslator_id]) {
      expect(await call(verb, { tracker_id, retranslator_id: id })).toBe(201);
    }
  }
  expect(await call("list", { tracker_id: foreign.tracker_id })).toBe(201);

  const clone = { tracker_id: foreign.tracker_id, user_id: account.id, label: "Clone" };
  const { id: clone_id } = await operator.must("/panel/tracker/clone", { ...clone });
  expect(await call("bind", { tracker_id: clone_id, retranslator_id })).toBe(219);
  expect(await call("unbind", { tracker_id: clone_id, retranslator_id })).toBe(219);
  expect(await call("list", { tracker_id: clone_id })).toBeUndefined();

  const { id: without } = await plain.newTracker();
  expect(await call("bind", { tracker_id: without, retranslator_id: await newPartner(plain) }, plain)).toBe(236);

  const { id: blocked_id } = await account.newTracker();
  const binding = { tracker_id: blocked_id, retranslator_id };
  await account.must("/tracker/retranslator/bind", binding);
  const block = (blocked: boolean) =>
    operator.must("/panel/tracker/source/update", { tracker_id: blocked_id, blocked });
  await block(true);
  for (const verb of ["bind", "unbind", "list"]) expect(await call(verb, binding), verb).toBe(208);
  await block(false);
  expect((await account.must("/tracker/retranslator/list", binding)).list).toEqual([{ retranslator_id }]);
  expect((await rival.must("/tracker/retranslator/list", foreign)).list).toEqual([]);
});

test("removing a tracker removes its bindings, and removing a user its retranslators", async () => {
  const owner = await newAccount();
  const retranslator_id = await newPartner(owner);
  const trackers = async () => (await owner.must("/retranslator/status/list")).list[0].trackers;
  const { id } = await owner.newTracker();
  await owner.must("/tracker/retranslator/bind", { tracker_id: id, retranslator_id });
  expect(await trackers()).toBe(1);
  await operator.must("/panel/tracker/corrupt", { tracker_id: id });
  expect(await trackers()).toBe(0);
  await operator.must("/panel/user/corrupt", { user_id: owner.id, login: owner.login });
});
