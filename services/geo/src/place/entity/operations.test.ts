import { expect, test } from "vitest";
import { type Account, newAccount, type Reply, UNKNOWN_ID } from "../../../../../test/tool/call/account.ts";

const BUILT_IN = ["label", "location", "tags", "description"];
const visitor = { label: "Visitor", type: "employee", params: { responsible: true } };
const code = { label: "Code", type: "text", required: true, description: "As on the door" };

async function put(account: Account, fields: object[], more: object = {}) {
  return account.call("/entity/fields/update", { entity_id: account.id, fields, ...more });
}

async function entityOf(account: Account) {
  const { success, ...read } = await account.must("/entity/read", { type: "place" });
  return read;
}

const refused = (parameter: string) => ({ status: { code: 7 }, errors: [{ parameter }] });
const labelsOf = ({ list }: Reply) => list.map(({ label }: Reply) => label);

test("entity/list gives one entity, places, with all fields in one section until it has a layout", async () => {
  const account = await newAccount();
  const { list } = await account.must("/entity/list");
  const sections = [{ label: "Main", field_order: BUILT_IN }];
  const entity = { id: expect.any(Number), type: "place", settings: { layout: { sections } } };
  expect(list).toEqual([entity]);
  const [{ id }] = list;
  for (const wanted of [{ id }, { type: "place" }]) {
    expect(await account.must("/entity/read", wanted)).toEqual({ success: true, entity, fields: [] });
  }
  for (const wanted of [{ id: UNKNOWN_ID }, { type: "vehicle" }]) {
    expect((await account.call("/entity/read", wanted)).status.code).toBe(201);
  }
  expect(await account.call("/entity/read", { id, type: "place" })).toMatchObject(refused("id"));
  expect(await account.call("/entity/read", {})).toMatchObject(refused("id"));
});

test("entity/fields/update makes and changes fields, lets them trade labels, and leaves those that are not given", async () => {
  const account = await newAccount();
  const { list } = await put(account, [visitor, code]);
  const [first, second] = list;
  const whole = { required: false, description: "", ...visitor };
  expect(list).toEqual([
    { ...whole, id: expect.any(Number) },
    { ...code, id: expect.any(Number) },
  ]);
  const traded = [
    { ...second, label: "Visitor", required: false },
    { ...first, label: "Code", params: { responsible: false } },
  ];
  expect((await put(account, traded)).list).toEqual([
    { ...first, label: "Code", params: { responsible: false } },
    { ...second, label: "Visitor", required: false },
  ]);
  expect(labelsOf(await put(account, [{ label: "Third", type: "decimal" }]))).toEqual(["Code", "Visitor", "Third"]);
  const { list: kept } = await account.must("/entity/fields/read", { entity_id: account.id });
  expect(labelsOf({ list: kept })).toEqual(["Code", "Visitor", "Third"]);
});

test("entity/fields/update stores none of its fields when one is refused", async () => {
  const account = await newAccount();
  const { list } = await put(account, [visitor, code]);
  const [first, second] = list;
  const before = await entityOf(account);
  const other = { label: "Other", type: "text" };
  for (const [wrong, parameter] of [
    [[other, { ...second, type: "integer" }], "fields"],
    [[other, { ...other, id: UNKNOWN_ID }], "fields"],
    [[other, { ...other, label: "Code" }], "fields"],
    [[other, other], "fields"],
    [[second, second], "fields"],
    [[{ ...second, label: "Visitor" }], "fields"],
    [[{ ...visitor, label: "Another" }], "fields"],
    [[{ ...other, label: "" }], "fields.0.label"],
    [[{ ...other, label: "x".repeat(256) }], "fields.0.label"],
    [[{ ...other, description: "x".repeat(513) }], "fields.0.description"],
    [[{ ...other, type: "color" }], "fields.0.type"],
  ] as const) {
    expect(await put(account, [...wrong]), JSON.stringify(wrong)).toMatchObject(refused(parameter));
  }
  expect(await entityOf(account)).toEqual(before);
  const rival = await newAccount();
  expect(await put(rival, [first])).toMatchObject(refused("fields"));
  const foreign = { entity_id: account.id, fields: [] };
  expect((await rival.call("/entity/fields/update", foreign)).status.code).toBe(201);
  expect((await rival.call("/entity/fields/read", { entity_id: account.id })).status.code).toBe(201);
  // Another field may become the responsible one in the same call.
  expect(
    (
      await put(account, [
        { ...visitor, label: "Another" },
        { id: first.id, params: { responsible: false } },
      ])
    ).success,
  ).toBe(true);
});

test("entity/fields/update keeps an entity to a hundred fields", async () => {
  const account = await newAccount();
  const fields = Array.from({ length: 101 }, (_, index) => ({ label: `Field ${index}`, type: "text" }));
  expect((await put(account, fields.slice(0, 100))).list).toHaveLength(100);
  expect(await put(account, fields.slice(100))).toMatchObject(refused("fields"));
  expect((await put(account, fields.slice(100), { delete_missing: true })).list).toHaveLength(1);
});

test("entity/fields/update with delete_missing removes fields and their values in places", async () => {
  const account = await newAccount();
  const { list } = await put(account, [code, { label: "Note", type: "text" }]);
  const [first, second] = list;
  const fields = {
    [first.id]: { type: "text", value: "A-17" },
    [second.id]: { type: "text", value: "Ring twice" },
  };
  const place = { label: "Shop", location: { lat: 1, lng: 2 }, fields };
  const { id: place_id } = await account.must("/place/create", { place });
  expect(labelsOf(await put(account, [second], { delete_missing: true }))).toEqual(["Note"]);
  const { value } = await account.must("/place/read", { place_id });
  expect(value.fields).toEqual({ [second.id]: fields[second.id] });
  const found = async (filter: string) => (await account.must("/place/list", { filter })).count;
  expect([await found("a-17"), await found("ring")]).toEqual([0, 1]);
  // Its label is free, its id is never given out again.
  const { list: anew } = await put(account, [code]);
  expect(anew[1].id).toBeGreaterThan(second.id);
});

test("entity/update takes a layout that names every field once, and the layout follows added and removed fields", async () => {
  const account = await newAccount();
  const { list } = await put(account, [code, { label: "Note", type: "text" }]);
  const [first, second] = list.map(({ id }: Reply) => String(id));
  const layOut = (sections: object[], id = account.id) =>
    account.call("/entity/update", { entity: { id, type: "place", settings: { layout: { sections } } } });
  const sections = [
    { label: "One", field_order: [first, "label", second] },
    { label: "Two", field_order: ["tags", "location", "description"] },
  ];
  expect(await layOut(sections)).toEqual({ success: true });
  expect((await entityOf(account)).entity.settings.layout.sections).toEqual(sections);
  const wrong = "entity.settings.layout.sections";
  for (const field_order of [
    [...BUILT_IN, first],
    [...BUILT_IN, first, second, first],
    [...BUILT_IN, first, second, "color"],
    [...BUILT_IN.slice(1), first, second],
    [...BUILT_IN, first, String(UNKNOWN_ID)],
  ]) {
    expect(await layOut([{ label: "One", field_order }]), String(field_order)).toMatchObject(refused(wrong));
  }
  expect(await layOut([])).toMatchObject(refused(wrong));
  expect((await layOut(sections, UNKNOWN_ID)).status.code).toBe(201);
  const rest = [list[1], { label: "New", type: "integer" }];
  const { list: kept } = await put(account, rest, { delete_missing: true });
  expect((await entityOf(account)).entity.settings.layout.sections).toEqual([
    { label: "One", field_order: ["label", second] },
    { label: "Two", field_order: ["tags", "location", "description", String(kept[1].id)] },
  ]);
});
