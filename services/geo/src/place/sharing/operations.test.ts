import { expect, test } from "vitest";
import { nobody, type Principal } from "#shared/caller/principal.ts";
import {
  type Account,
  call,
  must,
  newAccount,
  operatorHash,
  type Reply,
  sharedAccount,
  UNKNOWN_ID,
} from "../../../../../test/tool/call/account.ts";
import { newSubUser } from "../../../../../test/tool/call/mailbox.ts";
import { stack } from "../../../../../test/tool/system/stack.ts";

const location = { lat: 50, lng: 8, address: "Main St 1", radius: 200 };
const RIGHTS = ["zone_update", "place_update"];

/** The calls for places and for zones; each test runs for both. */
const KINDS = [
  {
    kind: "place",
    id: "place_id",
    ids: "place_ids",
    create: async (of: Pick<Account, "must">, label: string, tags: number[] = []) =>
      Number((await of.must("/place/create", { place: { label, location, tags } })).id),
    update: (id: number) => ({ place: { id, label: "Changed", location } }),
  },
  {
    kind: "zone",
    id: "zone_id",
    ids: "zone_ids",
    create: async (of: Pick<Account, "must">, label: string, tags: number[] = []) =>
      Number(
        (await of.must("/zone/create", { zone: { type: "circle", label, center: location, radius: 200, tags } })).id,
      ),
    update: (id: number) => ({ zone: { id, type: "circle", label: "Changed", center: location, radius: 1 } }),
  },
] as const;

/** The hash of a new sub-user with the rights to change places and zones. */
async function newColleague(account: Account) {
  const { id, hash } = await newSubUser(account);
  const group = { label: `Group ${id}`, privileges: { rights: RIGHTS } };
  const { id: group_id } = await account.must("/subuser/security_group/create", { group });
  await account.must("/subuser/security_group/assign", { group_id, subuser_ids: [id] });
  return {
    subuser_id: id,
    call: (path: string, parameters: object = {}) => call(path, { hash, ...parameters }),
    must: (path: string, parameters: object = {}) => must(path, { hash, ...parameters }),
  };
}

const codeOf = ({ status }: Reply) => status?.code;
const idsOf = ({ list }: Reply) => list.map(({ id }: { id: number }) => id);

test.each(KINDS)("a sub-user sees no $kind until it is bound, and none when it is unbound", async (one) => {
  const { kind, id, ids, create, update } = one;
  const account = await sharedAccount();
  const [bound, hidden] = [await create(account, "Bound"), await create(account, "Hidden")];
  const { subuser_id, ...colleague } = await newColleague(account);
  const path = (verb: string) => `/${kind}/${verb}`;
  const binding = (verb: string, more: object = {}) =>
    account.must(`/subuser/${kind}s/${verb}`, { subuser_id, ...more });
  const sees = async () => {
    const all = await colleague.must(path("list"));
    expect(all.count).toBe(all.list.length);
    const around = await colleague.must(path("search_location"), { location });
    expect(idsOf(around)).toEqual(idsOf(all));
    return idsOf(all);
  };
  expect(await sees()).toEqual([]);
  expect(await binding("list_ids")).toEqual({ success: true, access_to_all: false, list: [] });

  await binding("bind", { [ids]: [bound] });
  await binding("bind", { [ids]: [bound, bound] });
  expect(await sees()).toEqual([bound]);
  expect((await binding("list_ids")).list).toEqual([bound]);
  expect((await colleague.must(path("read"), { [id]: bound })).value.id).toBe(bound);
  for (const [verb, parameters] of [
    ["read", { [id]: hidden }],
    ["update", update(hidden)],
    ["delete", { [id]: hidden }],
  ] as const) {
    expect(codeOf(await colleague.call(path(verb), parameters)), verb).toBe(201);
  }
  await colleague.must(path("update"), update(bound));
  // A sub-user sees the thing that it made.
  const own = await create(colleague, "Own");
  expect(await sees()).toEqual([bound, own]);

  await binding("unbind", { [ids]: [bound, hidden] });
  expect(await sees()).toEqual([own]);
  await colleague.must(path("delete"), { [id]: own });
  expect(await binding("list_ids")).toMatchObject({ list: [] });
});

test.each(KINDS)("a sub-user with access to all sees every $kind, those to come too", async ({ kind, ids, create }) => {
  const account = await newAccount();
  const first = await create(account, "First");
  const { subuser_id, ...colleague } = await newColleague(account);
  const bind = (more: object) => account.must(`/subuser/${kind}s/bind`, { subuser_id, ...more });
  const sees = async () => idsOf(await colleague.must(`/${kind}/list`));
  await bind({ access_to_all: true });
  const second = await create(account, "Second");
  expect(await sees()).toEqual([first, second]);
  const listed = await account.must(`/subuser/${kind}s/list`, { subuser_id });
  expect(listed).toMatchObject({ access_to_all: true, count: 2 });
  // Access to all of one kind gives none to the other kind.
  const other = kind === "zone" ? "place" : "zone";
  expect(await account.must(`/subuser/${other}s/list_ids`, { subuser_id })).toMatchObject({ access_to_all: false });
  await bind({ [ids]: [second] });
  expect(await account.must(`/subuser/${kind}s/list_ids`, { subuser_id })).toEqual({
    success: true,
    access_to_all: true,
    list: [second],
  });
  await bind({ access_to_all: false, [ids]: [] });
  expect(await sees()).toEqual([second]);
});

test.each(KINDS)("the $kind list of a sub-user is filtered, sorted and in parts", async ({ kind, ids, create }) => {
  const account = await newAccount();
  const { id: tag } = await account.must("/tag/create", { tag: { name: "Cold", color: "27A9E3" } });
  const made = [
    await create(account, "Süd"),
    await create(account, "Ost", [tag]),
    await create(account, "Nord", [tag]),
  ];
  await create(account, "Hidden", [tag]);
  const { subuser_id } = await newColleague(account);
  await account.must(`/subuser/${kind}s/bind`, { subuser_id, [ids]: made });
  const list = async (wanted: object) => {
    const { list, count } = await account.must(`/subuser/${kind}s/list`, { subuser_id, ...wanted });
    return [list.map(({ id }: { id: number }) => made.indexOf(id)), count];
  };
  expect(await list({})).toEqual([[0, 1, 2], 3]);
  expect(await list({ order: "label", limit: 2 })).toEqual([[2, 1], 3]);
  expect(await list({ filter: "SUD" })).toEqual([[0], 1]);
  expect(await list({ tag_ids: [tag], offset: 1 })).toEqual([[2], 2]);
  if (kind === "place") expect(await list({ order: "assigned_date" })).toEqual([[0, 1, 2], 3]);
  expect(codeOf(await account.call(`/subuser/${kind}s/list`, { subuser_id, order: "color" }))).toBe(7);
});

test.each(KINDS)(
  "binding calls of a $kind refuse unknown ids and sub-users, empty bindings, plans without sub-users and other callers",
  async (one) => {
    const { kind, ids, create } = one;
    const [account, rival] = await Promise.all([newAccount({ plan: {} }), newAccount()]);
    const [own, foreign] = [await create(account, "Own"), await create(rival, "Foreign")];
    const { subuser_id, ...colleague } = await newColleague(account);
    const path = (verb: string) => `/subuser/${kind}s/${verb}`;
    for (const verb of ["bind", "unbind"]) {
      for (const unknown of [UNKNOWN_ID, foreign]) {
        const reply = await account.call(path(verb), { subuser_id, [ids]: [own, unknown], access_to_all: true });
        expect(codeOf(reply)).toBe(201);
      }
    }
    expect(await account.must(path("list_ids"), { subuser_id })).toMatchObject({ access_to_all: false, list: [] });
    expect(await account.call(path("bind"), { subuser_id })).toMatchObject({
      status: { code: 7 },
      errors: [{ parameter: ids }],
    });
    const calls = ["bind", "unbind", "list_ids", "list"].map((verb) => [path(verb), { [ids]: [own] }] as const);
    for (const [path, parameters] of calls) {
      expect(codeOf(await account.call(path, { ...parameters, subuser_id: UNKNOWN_ID })), path).toBe(201);
      expect(codeOf(await rival.call(path, { ...parameters, subuser_id })), path).toBe(201);
      expect(codeOf(await colleague.call(path, { ...parameters, subuser_id })), path).toBe(13);
    }
    await account.changeTariff({ features: ["app_fleet"] });
    for (const [path, parameters] of calls) {
      expect(codeOf(await account.call(path, { ...parameters, subuser_id })), path).toBe(236);
    }
  },
);

test("a sub-user can be bound from its registration on, and not after its removal", async () => {
  const account = await newAccount();
  const { subuser_id } = await newColleague(account);
  await account.must("/subuser/zones/bind", { subuser_id, access_to_all: true });
  const { value: key } = await account.must("/api/key/create", { title: "Key" });
  const listIds = () => call("/subuser/zones/list_ids", { hash: key.hash, subuser_id });
  expect((await listIds()).access_to_all).toBe(true);
  await account.must("/subuser/delete", { subuser_id });
  expect(codeOf(await listIds())).toBe(201);
  expect(codeOf(await account.call("/subuser/zones/list_ids", { subuser_id }))).toBe(201);
});

test("geo forgets the bindings of removed sub-users and the things of removed accounts", async () => {
  const [account, kept] = await Promise.all([newAccount(), newAccount()]);
  for (const { create } of KINDS) {
    await create(account, "Gone");
    await create(kept, "Kept");
  }
  await account.must("/entity/fields/update", { entity_id: account.id, fields: [{ label: "Code", type: "text" }] });
  const seenBy = async ({ id }: Account, more: object = {}) => {
    const principal = { ...MASTER, account_id: id, user_id: id, ...more };
    const lists = ["/zone/list", "/place/list", "/entity/fields/read"].map(async (path) => {
      const handed = { path, parameters: { entity_id: id }, principal };
      return JSON.parse((await stack.handleAs("geo", handed)).body).list.length;
    });
    return Promise.all(lists);
  };
  const { subuser_id } = await newColleague(kept);
  await kept.must("/subuser/zones/bind", { subuser_id, access_to_all: true });
  // Checked before the removal, because afterwards a sweep may delete the bindings at any time.
  const ofSubUser = { kind: "subuser", user_id: subuser_id } as const;
  expect(await seenBy(kept, ofSubUser)).toEqual([1, 0, 0]);
  expect(await seenBy(account)).toEqual([1, 1, 1]);
  await kept.must("/subuser/delete", { subuser_id });
  await must("/panel/user/corrupt", { hash: await operatorHash(), user_id: account.id, login: account.login });

  await stack.fireCron("gateway");
  expect(await seenBy(account)).toEqual([0, 0, 0]);
  expect(await seenBy(kept)).toEqual([1, 1, 0]);
  expect(await seenBy(kept, ofSubUser)).toEqual([0, 0, 0]);
});

const MASTER: Principal = { ...nobody("none"), credential: "session", kind: "master", scope: "all" };
