import { expect, test } from "vitest";
import { newAccount, sharedAccount, UNKNOWN_ID } from "#test/tool/call/account.ts";

const yard = { lat: 40.4, lng: -3.6, address: "Salitre 58", radius: 150 };
const north = { organization_name: "Fleet North", mechanic_name: "R. Diaz", dispatcher_name: "P. Gil" };

test("garage/create stores a garage as given, without a location where it has none", async () => {
  const account = await newAccount();
  const { id } = await account.must("/garage/create", { garage: { ...north, id: null, location: yard } });
  const { id: plain } = await account.must("/garage/create", { garage: { ...north, location: null } });
  const { list } = await account.must("/garage/list");
  expect(list).toEqual([
    { ...north, id, location: yard },
    { ...north, id: plain },
  ]);
  await account.must("/garage/update", { garage: { ...list[0], mechanic_name: "" } });
  expect((await account.must("/garage/list")).list[0]).toEqual({ ...north, id, mechanic_name: "", location: yard });
});

test.each([
  ["organization_name", "x".repeat(255), "x".repeat(256)],
  ["organization_name", "", null],
  ["mechanic_name", "x".repeat(255), "x".repeat(256)],
  ["mechanic_name", "", undefined],
  ["dispatcher_name", "x".repeat(255), "x".repeat(256)],
  ["dispatcher_name", "", 5],
  ["location", { ...yard, radius: 1 }, { ...yard, radius: 0 }],
  ["location", { ...yard, radius: 300_000 }, { ...yard, radius: 300_001 }],
  ["location", { lat: 1, lng: 2 }, { lng: 2 }],
])("garage/create with a %s takes %j and refuses %j by name", async (member, right, wrong) => {
  const account = await sharedAccount();
  await account.must("/garage/create", { garage: { ...north, [member]: right } });
  const { list } = await account.must("/garage/list");
  const reply = await account.call("/garage/create", { garage: { ...north, [member]: wrong } });
  expect(reply.status.code).toBe(7);
  expect(reply.errors[0].parameter).toMatch(new RegExp(`^garage\\.${member}`));
  expect((await account.must("/garage/list")).list).toEqual(list);
});

test("vehicle/read shows the garage's organization, and no garage once that is deleted", async () => {
  const account = await newAccount();
  const { id: garage_id } = await account.must("/garage/create", { garage: north });
  const { id } = await account.must("/vehicle/create", { vehicle: { label: "Van", garage_id } });
  const read = async () => (await account.must("/vehicle/read", { vehicle_id: id })).value;
  expect(await read()).toMatchObject({ garage_id, garage_organization_name: "Fleet North" });
  await account.must("/vehicle/update", { vehicle: await read() });
  await account.must("/garage/delete", { garage_id });
  expect(await read()).toMatchObject({ garage_id: null });
  expect(await read()).not.toHaveProperty("garage_organization_name");
  expect((await account.call("/garage/delete", { garage_id })).status.code).toBe(201);
});

test("vehicle/create and update refuse a foreign or deleted garage by name, and no vehicle loses its tracker by that", async () => {
  const [acme, rival] = [await newAccount(), await newAccount()];
  const { id: foreign } = await rival.must("/garage/create", { garage: north });
  const { id: tracker_id } = await acme.newTracker();
  const { id } = await acme.must("/vehicle/create", { vehicle: { label: "Van", tracker_id } });
  const { id: other } = await acme.must("/vehicle/create", { vehicle: { label: "Bus" } });
  const refusal = { status: { code: 7 }, errors: [{ parameter: "vehicle.garage_id" }] };
  for (const garage_id of [foreign, UNKNOWN_ID]) {
    const vehicle = { label: "Thief", tracker_id, garage_id };
    expect(await acme.call("/vehicle/create", { vehicle })).toMatchObject(refusal);
    expect(await acme.call("/vehicle/update", { vehicle: { ...vehicle, id: other } })).toMatchObject(refusal);
    const unknown = await acme.call("/vehicle/update", { vehicle: { ...vehicle, id: UNKNOWN_ID } });
    expect(unknown.status.code).toBe(201);
  }
  const { list } = await acme.must("/vehicle/list");
  expect(list).toMatchObject([
    { id, label: "Van", tracker_id },
    { id: other, label: "Bus" },
  ]);
});

test("vehicle/list sorts vehicles by their garage's organization, those without one last", async () => {
  const account = await newAccount();
  for (const organization_name of ["b", "Ä", undefined]) {
    const garage = { ...north, organization_name };
    const garage_id = organization_name ? (await account.must("/garage/create", { garage })).id : null;
    await account.must("/vehicle/create", { vehicle: { label: organization_name ?? "none", garage_id } });
  }
  const sorted = async (direction: string) => {
    const { list } = await account.must("/vehicle/list", { sort: [`garage_organization_name=${direction}`] });
    return list.map(({ label }: { label: string }) => label);
  };
  expect(await sorted("asc")).toEqual(["Ä", "b", "none"]);
  expect(await sorted("desc")).toEqual(["b", "Ä", "none"]);
});

test("vehicle/batch_convert finds garages by their organization", async () => {
  const account = await newAccount();
  const { id: garage_id } = await account.must("/garage/create", { garage: north });
  for (const _ of ["one", "two"]) {
    await account.must("/garage/create", { garage: { ...north, organization_name: "Twice" } });
  }
  const batch = "Van\tFleet North\nBus\tNowhere\nCar\tTwice\nCab";
  const { list } = await account.must("/vehicle/batch_convert", { batch, fields: ["label", "garage"] });
  const refused = { garage_id: null, errors: [{ parameter: "vehicle.garage_id" }] };
  expect(list).toMatchObject([{ garage_id }, refused, refused, { garage_id: null }]);
  expect(list[0]).not.toHaveProperty("errors");
  expect(list[3]).not.toHaveProperty("errors");
});

test("garage calls answer another account's garage exactly like an unknown one", async () => {
  const [acme, rival] = [await newAccount(), await newAccount()];
  const { id } = await acme.must("/garage/create", { garage: north });
  for (const [path, of] of [
    ["/garage/delete", (garage_id: number) => ({ garage_id })],
    ["/garage/update", (garage_id: number) => ({ garage: { ...north, id: garage_id } })],
  ] as const) {
    const foreign = await rival.call(path, of(id));
    expect(foreign).toEqual(await rival.call(path, of(UNKNOWN_ID)));
    expect(foreign.status.code).toBe(201);
  }
  expect((await rival.must("/garage/list")).list).toEqual([]);
  expect((await acme.must("/garage/list")).list).toEqual([{ ...north, id }]);
});
