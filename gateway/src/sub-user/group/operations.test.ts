import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { systemNow } from "#shared/time/clock.ts";
import { type Account, call, must, newAccount, type Reply, UNKNOWN_ID } from "#test/tool/call/account.ts";

const PASSWORD = "secret123";
const codeOf = ({ status }: Reply) => status?.code;

const groupOf = (rights: string[] = [], more: object = {}) => ({ label: "Group", privileges: { rights, ...more } });

async function newGroup(account: Account, rights: string[]) {
  return Number((await account.must("/subuser/security_group/create", { group: groupOf(rights) })).id);
}

async function newSubUser(account: Account, security_group_id: number | null) {
  const login = `${systemNow()}-${randomInt(1e12)}@example.com`;
  const user = { login, legal_type: "individual", security_group_id };
  const { id } = await account.must("/subuser/register", { user, password: PASSWORD });
  const { hash } = await must("/user/auth", { login, password: PASSWORD });
  return {
    id: Number(id),
    /** True if the call is refused (13). The vehicle does not exist, so the call changes nothing. */
    async mayNot() {
      const code = codeOf(await call("/vehicle/delete", { hash, vehicle_id: UNKNOWN_ID }));
      return code === 13;
    },
    rights: async () => (await must("/user/get_info", { hash })).privileges.rights,
  };
}

async function groupsOf(account: Account) {
  return (await account.must("/subuser/security_group/list")).list;
}

test("subuser/security_group/list gives groups in the order of their creation, with the period only where there is one", async () => {
  const account = await newAccount();
  expect(await groupsOf(account)).toEqual([]);
  const made = [groupOf(["task_update", "tag_update"], { store_period: "30d" }), groupOf([])];
  const ids: number[] = [];
  for (const group of made) ids.push((await account.must("/subuser/security_group/create", { group })).id);
  expect(await groupsOf(account)).toEqual(made.map((group, index) => ({ id: ids[index], ...group })));
});

test("subuser/security_group/create stores a right that is named twice once", async () => {
  const account = await newAccount();
  await newGroup(account, ["reports", "reports"]);
  expect(await groupsOf(account)).toMatchObject([{ privileges: { rights: ["reports"] } }]);
});

test.each([
  [groupOf(["admin"]), "group.privileges.rights.0"],
  [groupOf(["reports", "flying"]), "group.privileges.rights.1"],
  [groupOf([], { store_period: "30" }), "group.privileges.store_period"],
  [groupOf([], { store_period: "0d" }), "group.privileges.store_period"],
  [groupOf([], { store_period: "5w" }), "group.privileges.store_period"],
  [{ label: "", privileges: { rights: [] } }, "group.label"],
  [{ label: "x".repeat(256), privileges: { rights: [] } }, "group.label"],
  [{ privileges: { rights: [] } }, "group.label"],
  [{ label: "Group" }, "group.privileges"],
  [{ label: "Group", privileges: {} }, "group.privileges.rights"],
])("subuser/security_group/create refuses %j by naming the parameter %s", async (group, parameter) => {
  const account = await newAccount();
  const reply = await account.call("/subuser/security_group/create", { group });
  expect(reply).toMatchObject({ status: { code: 7 }, errors: [{ parameter }] });
});

test.each(["1h", "9999d", "3m", "2y", null, undefined])(
  "subuser/security_group/create takes a storage period of %s",
  async (store_period) => {
    const account = await newAccount();
    await account.must("/subuser/security_group/create", { group: groupOf([], { store_period }) });
    const [{ privileges }] = await groupsOf(account);
    expect(privileges.store_period ?? undefined).toBe(store_period ?? undefined);
  },
);

test("subuser/security_group/update leaves a label or privileges that are not given, and replaces privileges as a whole", async () => {
  const account = await newAccount();
  const group = groupOf(["reports"], { store_period: "30d" });
  const { id } = await account.must("/subuser/security_group/create", { group });
  await account.must("/subuser/security_group/update", { group: { id, label: "Renamed" } });
  expect(await groupsOf(account)).toEqual([{ id, label: "Renamed", privileges: group.privileges }]);
  await account.must("/subuser/security_group/update", { group: { id, privileges: { rights: [] } } });
  expect(await groupsOf(account)).toEqual([{ id, label: "Renamed", privileges: { rights: [] } }]);
  for (const refused of [["admin"], ["flying"]]) {
    const change = { group: { id, privileges: { rights: refused } } };
    expect(codeOf(await account.call("/subuser/security_group/update", change))).toBe(7);
  }
});

test("a sub-user may do what its group allows as soon as each change is answered", async () => {
  const account = await newAccount();
  const [drivers, clerks] = [await newGroup(account, ["vehicle_update"]), await newGroup(account, ["reports"])];
  const bo = await newSubUser(account, null);
  expect([await bo.mayNot(), await bo.rights()]).toEqual([true, []]);
  const assign = (group_id: number | null) =>
    account.must("/subuser/security_group/assign", { group_id, subuser_ids: [bo.id, bo.id] });
  await assign(drivers);
  expect([await bo.mayNot(), await bo.rights()]).toEqual([false, ["vehicle_update"]]);
  await assign(clerks);
  expect([await bo.mayNot(), await bo.rights()]).toEqual([true, ["reports"]]);
  await account.must("/subuser/update", { user: { id: bo.id, security_group_id: drivers } });
  expect(await bo.mayNot()).toBe(false);
  await account.must("/subuser/update", { user: { id: bo.id, first_name: "Bo" } });
  expect(await bo.mayNot()).toBe(false);
  await account.must("/subuser/update", { user: { id: bo.id, security_group_id: null } });
  expect(await bo.mayNot()).toBe(true);
});

test.each(["security_group_id", "id"])(
  "subuser/security_group/delete by %s leaves the group's members without rights",
  async (name) => {
    const account = await newAccount();
    const [drivers, others] = [
      await newGroup(account, ["vehicle_update"]),
      await newGroup(account, ["vehicle_update"]),
    ];
    const [bo, al] = [await newSubUser(account, drivers), await newSubUser(account, others)];
    await account.must("/subuser/security_group/delete", { [name]: drivers });
    expect([await bo.mayNot(), await bo.rights()]).toEqual([true, []]);
    expect(await al.mayNot()).toBe(false);
    const { list } = await account.must("/subuser/list");
    expect(list).toMatchObject([{ security_group_id: null }, { security_group_id: others }]);
    expect(codeOf(await account.call("/subuser/security_group/delete", { [name]: drivers }))).toBe(201);
  },
);

test("subuser/security_group/delete asks for a group", async () => {
  const account = await newAccount();
  expect(await account.call("/subuser/security_group/delete")).toMatchObject({
    status: { code: 7 },
    errors: [{ parameter: "security_group_id" }],
  });
});

test("subuser/security_group/assign assigns all sub-users, or none when one is unknown", async () => {
  const account = await newAccount();
  const group_id = await newGroup(account, ["vehicle_update"]);
  const [bo, al] = [await newSubUser(account, null), await newSubUser(account, null)];
  const assign = (subuser_ids: unknown) => account.call("/subuser/security_group/assign", { group_id, subuser_ids });
  expect(codeOf(await assign([bo.id, UNKNOWN_ID, al.id]))).toBe(201);
  expect([await bo.mayNot(), await al.mayNot()]).toEqual([true, true]);
  expect((await assign([])).success).toBe(true);
  expect((await assign([bo.id, al.id])).success).toBe(true);
  expect([await bo.mayNot(), await al.mayNot()]).toEqual([false, false]);
  expect(await account.call("/subuser/security_group/assign", { subuser_ids: [] })).toMatchObject({
    status: { code: 7 },
    errors: [{ parameter: "group_id" }],
  });
});
