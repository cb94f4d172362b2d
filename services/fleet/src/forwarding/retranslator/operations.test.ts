import { beforeAll, expect, test } from "vitest";
import { type Account, newAccount, operator, UNKNOWN_ID } from "#test/tool/call/account.ts";
import { newSubUser } from "#test/tool/call/mailbox.ts";

const PARTNER = { name: "Partner", protocol_id: 1, address: "gps.example.com", port: 5039, enabled: true };
const SHOP = {
  name: "Shop",
  protocol_id: 4,
  address: "https://shop.example.com/in",
  port: 443,
  login: "a",
  password: "b",
};

let account: Account;
beforeAll(async () => {
  account = await newAccount();
});

test("retranslator/create stores a retranslator as given, with its password in clear, without members its protocol lacks", async () => {
  const own = await newAccount();
  const { id } = await own.must("/retranslator/create", { retranslator: { ...SHOP, name: " Shop ", login: " a " } });
  const { id: second } = await own.must("/retranslator/create", {
    retranslator: { ...PARTNER, login: "", password: null },
  });
  const { list } = await own.must("/retranslator/list");
  expect(list).toEqual([
    { ...SHOP, id, enabled: true },
    { ...PARTNER, id: second },
  ]);
  await own.must("/retranslator/update", {
    retranslator: { ...list[0], name: "Other", password: "c", enabled: false },
  });
  await own.must("/retranslator/delete", { retranslator_id: second });
  expect((await own.must("/retranslator/list")).list).toEqual([
    { ...SHOP, id, name: "Other", password: "c", enabled: false },
  ]);
  expect((await own.call("/retranslator/delete", { retranslator_id: second })).status.code).toBe(201);
  expect((await own.call("/retranslator/update", { retranslator: { ...PARTNER, id: second } })).status.code).toBe(201);
});

test.each([
  ["name", "x".repeat(64), "x".repeat(65)],
  ["name", "x", "  "],
  ["address", `${"x".repeat(60)}.${"x".repeat(60)}.${"x".repeat(60)}.${"y".repeat(60)}.example.com`, "x".repeat(256)],
  ["address", "2001:470::1", "two words"],
  ["address", "127.0.0.1", "example.com:80"],
  ["address", "example.com", "https://example.com/"],
  ["address", "example.com", ""],
  ["port", 1, 0],
  ["port", 65_535, 65_536],
  ["login", "x".repeat(64), "x".repeat(65)],
  ["password", "x".repeat(64), "x".repeat(65)],
  ["password", "#1,2|3", "1;2"],
  ["protocol_id", 3, 5],
  ["enabled", false, "maybe"],
])("retranslator/create and update with a %s take %j and refuse %j by name", async (member, right, wrong) => {
  const valid = { ...PARTNER, login: `${Math.random()}` };
  const { id } = await account.must("/retranslator/create", { retranslator: { ...valid, [member]: right } });
  for (const [path, more] of Object.entries({ "/retranslator/create": {}, "/retranslator/update": { id } })) {
    const reply = await account.call(path, { retranslator: { ...valid, ...more, [member]: wrong } });
    expect(reply).toMatchObject({ status: { code: 7 }, errors: [{ parameter: `retranslator.${member}` }] });
  }
});

test("retranslator/create needs the login and password that the protocol needs, and update the retranslator's id", async () => {
  for (const member of ["login", "password"]) {
    for (const empty of ["", null, undefined]) {
      const reply = await account.call("/retranslator/create", { retranslator: { ...SHOP, [member]: empty } });
      expect(reply).toMatchObject({ status: { code: 7 }, errors: [{ parameter: `retranslator.${member}` }] });
    }
  }
  const unnamed = await account.call("/retranslator/update", { retranslator: PARTNER });
  expect(unnamed).toMatchObject({ status: { code: 7 }, errors: [{ parameter: "retranslator.id" }] });
});

test("retranslator/create takes address, port and login once an account, also in a race", async () => {
  const [own, other] = [await newAccount(), await newAccount()];
  const create = (more: object, by = own) => by.call("/retranslator/create", { retranslator: { ...PARTNER, ...more } });
  const race = await Promise.all(Array.from({ length: 5 }, () => create({})));
  expect(race.filter(({ success }) => success)).toHaveLength(1);
  expect(race.filter(({ status }) => status?.code === 247)).toHaveLength(4);
  for (const more of [{ port: 5040 }, { address: "other.example.com" }, { login: "x" }]) {
    expect((await create(more)).success).toBe(true);
  }
  expect((await create({}, other)).success).toBe(true);
  const { list } = await own.must("/retranslator/list");
  const duplicate = { ...list[1], port: PARTNER.port };
  expect((await own.call("/retranslator/update", { retranslator: duplicate })).status.code).toBe(247);
  expect((await own.must("/retranslator/list")).list).toEqual(list);
});

test("an account has as many retranslators as its limit allows, also in a race", async () => {
  const own = await newAccount();
  await operator.must("/panel/user/update", { user_id: own.id, limits: { retranslators: 3 } });
  const many = Array.from({ length: 6 }, (_, index) =>
    own.call("/retranslator/create", { retranslator: { ...PARTNER, port: 5000 + index } }),
  );
  const replies = await Promise.all(many);
  expect(replies.filter(({ success }) => success)).toHaveLength(3);
  expect(replies.filter(({ status }) => status?.code === 268)).toHaveLength(3);
  const { list } = await own.must("/retranslator/list");
  await own.must("/retranslator/delete", { retranslator_id: list[0].id });
  await own.must("/retranslator/create", { retranslator: PARTNER });
});

test("retranslator/protocol/list and protocols/list give the protocols alike", async () => {
  const { list } = await account.must("/retranslator/protocol/list");
  expect(list.map(({ id, name }: { id: number; name: string }) => [id, name])).toEqual([
    [1, "Wialon IPS"],
    [2, "EGTS"],
    [3, "OsmAnd"],
    [4, "JSON"],
  ]);
  expect(list[1]).toEqual({
    id: 2,
    name: "EGTS",
    has_login: false,
    has_password: false,
    required_login: false,
    required_password: false,
    fake_device_id_pattern: "^[0-9]{1,10}$",
  });
  expect((await account.must("/retranslator/protocols/list")).list).toEqual(list);
});

test("retranslator calls answer 13 to a sub-user: retranslators are the master's", async () => {
  const { hash } = await newSubUser(account);
  const calls = {
    "/retranslator/list": {},
    "/retranslator/create": { retranslator: PARTNER },
    "/retranslator/update": { retranslator: { ...PARTNER, id: 1 } },
    "/retranslator/delete": { retranslator_id: 1 },
    "/retranslator/status/list": {},
    "/retranslator/protocol/list": {},
    "/retranslator/protocols/list": {},
    "/tracker/retranslator/bind": { tracker_id: 1, retranslator_id: 1 },
    "/tracker/retranslator/unbind": { tracker_id: 1, retranslator_id: 1 },
    "/tracker/retranslator/list": { tracker_id: 1 },
  };
  for (const [path, parameters] of Object.entries(calls)) {
    expect((await account.call(path, { ...parameters, hash })).status.code, path).toBe(13);
  }
});

test("retranslator/status/list gives a status for each retranslator from the beginning, and refuses an unknown one (217)", async () => {
  const own = await newAccount();
  const { id } = await own.must("/retranslator/create", { retranslator: PARTNER });
  const unused = { retranslator_id: id, last_success: null, last_error: null, backlog: 0, trackers: 0 };
  expect((await own.must("/retranslator/status/list")).list).toEqual([unused]);
  expect((await own.must("/retranslator/status/list", { retranslator_ids: [id] })).list).toEqual([unused]);
  expect((await own.must("/retranslator/status/list", { retranslator_ids: [] })).list).toEqual([]);
  for (const ids of [[id, UNKNOWN_ID], [UNKNOWN_ID]]) {
    expect((await own.call("/retranslator/status/list", { retranslator_ids: ids })).status.code).toBe(217);
  }
  expect((await account.call("/retranslator/status/list", { retranslator_ids: [id] })).status.code).toBe(217);
});

test("retranslator/status/list names the trackers of one retranslator, with the ids that its receiver gets, and of one at a time", async () => {
  const own = await newAccount();
  const ids: number[] = [];
  for (const port of [5001, 5002]) {
    const { id } = await own.must("/retranslator/create", { retranslator: { ...PARTNER, port, enabled: false } });
    ids.push(id);
  }
  const [first = 0, second = 0] = ids;
  const [van, bus] = [(await own.newTracker()).id, (await own.newTracker()).id];
  const list = async (retranslator_ids: number[] | undefined, with_bindings = true) =>
    own.call("/retranslator/status/list", { retranslator_ids, with_bindings });
  expect((await list([first])).list).toMatchObject([{ trackers: 0, bindings: [] }]);
  await own.must("/tracker/retranslator/bind", { tracker_id: bus, retranslator_id: first, fake_device_id: "Bus8" });
  await own.must("/tracker/retranslator/bind", { tracker_id: van, retranslator_id: first });
  await own.must("/tracker/retranslator/bind", { tracker_id: van, retranslator_id: second });
  expect((await list([first])).list).toMatchObject([{ trackers: 2 }]);
  expect((await list([first])).list[0].bindings).toEqual([
    { tracker_id: van },
    { tracker_id: bus, fake_device_id: "Bus8" },
  ]);
  expect((await list([second])).list[0].bindings).toEqual([{ tracker_id: van }]);
  expect((await list([second], false)).list[0]).not.toHaveProperty("bindings");
  for (const wrong of [undefined, [], [first, second]]) {
    expect(await list(wrong)).toMatchObject({ status: { code: 7 }, errors: [{ parameter: "with_bindings" }] });
  }
  expect(
    (await account.call("/retranslator/status/list", { retranslator_ids: [first], with_bindings: true })).status.code,
  ).toBe(217);
});
