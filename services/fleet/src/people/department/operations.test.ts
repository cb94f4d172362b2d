import { expect, test } from "vitest";
import { newAccount, sharedAccount, UNKNOWN_ID } from "#test/tool/call/account.ts";

const yard = { lat: 52.5, lng: 13.4, address: "Salitre 58", radius: 150 };

test("department/create stores a department as given, and department/update removes a location of null", async () => {
  const account = await newAccount();
  const { id } = await account.must("/department/create", { department: { id: null, label: "Ärzte", location: yard } });
  const { id: plain } = await account.must("/department/create", { department: { label: "Büro" } });
  const office = { id: plain, label: "Büro", location: null };
  expect((await account.must("/department/list")).list).toEqual([{ id, label: "Ärzte", location: yard }, office]);
  await account.must("/department/update", { department: { id, label: "Doctors", location: null } });
  expect((await account.must("/department/list")).list).toEqual([{ id, label: "Doctors", location: null }, office]);
});

test.each([
  ["label", "x".repeat(255), "x".repeat(256)],
  ["label", "x", ""],
  ["label", "x", null],
  ["location", { ...yard, radius: 1 }, { ...yard, radius: 0 }],
  ["location", { ...yard, radius: 300_000 }, { ...yard, radius: 300_001 }],
  ["location", { ...yard, lat: -90 }, { ...yard, lat: -90.1 }],
  ["location", { ...yard, lng: 180 }, { ...yard, lng: 180.1 }],
  ["location", { ...yard, address: "x".repeat(255) }, { ...yard, address: "x".repeat(256) }],
  ["location", null, { lat: 1 }],
])("department/create with a %s takes %j and refuses %j by name", async (member, right, wrong) => {
  const account = await sharedAccount();
  await account.must("/department/create", { department: { label: "A", [member]: right } });
  const { list } = await account.must("/department/list");
  const reply = await account.call("/department/create", { department: { label: "B", [member]: wrong } });
  expect(reply.status.code).toBe(7);
  expect(reply.errors[0].parameter).toMatch(new RegExp(`^department\\.${member}`));
  expect((await account.must("/department/list")).list).toEqual(list);
});

test("department/delete leaves its employees without a department", async () => {
  const account = await newAccount();
  const { id: department_id } = await account.must("/department/create", { department: { label: "A" } });
  const { id: other } = await account.must("/department/create", { department: { label: "B" } });
  for (const id of [department_id, other]) {
    await account.must("/employee/create", { employee: { first_name: "Ann", department_id: id } });
  }
  await account.must("/department/delete", { department_id });
  const { list } = await account.must("/employee/list");
  expect(list.map((employee: { department_id: number | null }) => employee.department_id)).toEqual([null, other]);
  expect((await account.call("/department/delete", { department_id })).status.code).toBe(201);
  expect((await account.must("/department/create", { department: { label: "C" } })).id).toBeGreaterThan(other);
});

test("department calls answer another account's department exactly like an unknown one", async () => {
  const [acme, rival] = [await newAccount(), await newAccount()];
  const { id } = await acme.must("/department/create", { department: { label: "A" } });
  for (const [path, of] of [
    ["/department/delete", (department_id: number) => ({ department_id })],
    ["/department/update", (department_id: number) => ({ department: { label: "B", id: department_id } })],
  ] as const) {
    const foreign = await rival.call(path, of(id));
    expect(foreign).toEqual(await rival.call(path, of(UNKNOWN_ID)));
    expect(foreign.status.code).toBe(201);
  }
  expect((await rival.must("/department/list")).list).toEqual([]);
  expect((await acme.must("/department/list")).list).toMatchObject([{ id, label: "A" }]);
});
