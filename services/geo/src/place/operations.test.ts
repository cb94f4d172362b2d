import { expect, test } from "vitest";
import {
  type Account,
  must,
  newAccount,
  operatorHash,
  type Reply,
  sharedAccount,
  UNKNOWN_ID,
} from "../../../../test/tool/call/account.ts";
import { newSubUser } from "../../../../test/tool/call/mailbox.ts";
import { stack } from "../../../../test/tool/system/stack.ts";

const location = { lat: 51.5, lng: 9.93, address: "Main St 1", radius: 150 };
const shop = { label: "Shop", location };

async function newPlace(account: Account, more: object = {}) {
  const { id } = await account.must("/place/create", { place: { ...shop, ...more }, ignore_missing_fields: true });
  return Number(id);
}

async function read(account: Account, place_id: number) {
  return (await account.must("/place/read", { place_id })).value;
}

/** The ids of custom fields of these kinds, by their labels. */
async function newFields(account: Account, fields: Record<string, object>) {
  const given = Object.entries(fields).map(([label, field]) => ({ label, ...field }));
  const { list } = await account.must("/entity/fields/update", { entity_id: account.id, fields: given });
  return Object.fromEntries(list.map(({ label, id }: Reply) => [label, Number(id)])) as Record<string, number>;
}

const codeOf = ({ status }: Reply) => status?.code;
const idsOf = ({ list }: Reply) => list.map(({ id }: { id: number }) => id);

test("place/create stores a place as given, and update and delete change and delete it", async () => {
  const account = await sharedAccount();
  const id = await newPlace(account, { description: "Behind the yard", external_id: "A-17" });
  const given = { ...shop, description: "Behind the yard", external_id: "A-17" };
  expect(await read(account, id)).toEqual({ ...given, id, avatar_file_name: null, fields: {} });
  await account.must("/place/update", { place: { ...(await read(account, id)), label: "Store", icon_id: 7 } });
  expect(await read(account, id)).toEqual({ ...given, label: "Store", id, avatar_file_name: null, fields: {} });
  // Members that are not given stay, also in the location; empty ones are erased.
  await account.must("/place/update", { place: { id, label: "Stall", location: { lat: 1, lng: 2 } } });
  const moved = { ...given, label: "Stall", location: { ...location, lat: 1, lng: 2 } };
  expect(await read(account, id)).toEqual({ ...moved, id, avatar_file_name: null, fields: {} });
  await account.must("/place/update", { place: { id, description: "", external_id: null, location: { address: "" } } });
  const bare = { label: "Stall", description: "", location: { ...moved.location, address: "" } };
  expect(await read(account, id)).toEqual({ ...bare, id, avatar_file_name: null, fields: {} });
  await account.must("/place/delete", { place_id: id });
  for (const [path, parameters] of [
    ["/place/read", { place_id: id }],
    ["/place/delete", { place_id: id }],
    ["/place/update", { place: { ...shop, id } }],
  ] as const) {
    expect(codeOf(await account.call(path, parameters)), path).toBe(201);
  }
  expect(await newPlace(account)).toBeGreaterThan(id);
});

test.each([
  ["place.location", { location: undefined }],
  ["place.location.lat", { location: { lng: 9 } }],
  ["place.location.lng", { location: { ...location, lng: 180.1 } }],
  ["place.location.radius", { location: { ...location, radius: 0 } }],
  ["place.location.radius", { location: { ...location, radius: 300_001 } }],
  ["place.location.address", { location: { ...location, address: "x".repeat(256) } }],
  ["place.label", { label: "" }],
  ["place.label", { label: "x".repeat(256) }],
  ["place.external_id", { external_id: "x".repeat(33) }],
  ["place.tags", { tags: [UNKNOWN_ID] }],
  ["place.fields.999999999", { fields: { [UNKNOWN_ID]: { type: "text", value: "x" } } }],
  ["place.fields.abc", { fields: { abc: { type: "text", value: "x" } } }],
])("place/create refuses a wrong %s by name: %#", async (parameter, wrong) => {
  const account = await sharedAccount();
  const refused = { status: { code: 7 }, errors: [{ parameter }] };
  expect(await account.call("/place/create", { place: { ...shop, ...wrong } })).toMatchObject(refused);
});

test("place/create takes values at their limits", async () => {
  const account = await sharedAccount();
  const largest = { ...location, radius: 300_000, address: "ü".repeat(255) };
  const place = { label: "x".repeat(255), external_id: "x".repeat(32), location: largest };
  const id = await newPlace(account, place);
  expect(await read(account, id)).toMatchObject(place);
  await newPlace(account, { location: { ...location, radius: 1 } });
});

test("place/create keeps values of custom fields that fit their type, and refuses others", async () => {
  const account = await newAccount();
  const { id: employee } = await account.must("/employee/create", { employee: { first_name: "Ann" } });
  const rival = await newAccount();
  const { id: stranger } = await rival.must("/employee/create", { employee: { first_name: "Bo" } });
  const types = ["text", "bigtext", "email", "phone", "decimal", "integer", "employee"];
  const ids = await newFields(account, Object.fromEntries(types.map((type) => [type, { type }])));
  const store = (type: string, value: unknown) =>
    account.call("/place/create", { place: { ...shop, fields: { [String(ids[type])]: { type, value } } } });
  const right: [string, unknown][] = [
    ["text", "x".repeat(700)],
    ["bigtext", "x".repeat(20_000)],
    ["email", "ann@example.com"],
    ["phone", "+49 731 1234-56"],
    ["decimal", -123456789012.25],
    ["decimal", 0.000001],
    ["integer", -42],
    ["employee", employee],
  ];
  for (const [type, value] of right) {
    const { id } = await store(type, value);
    expect((await read(account, id)).fields).toEqual({ [String(ids[type])]: { type, value } });
  }
  const wrong: [string, unknown][] = [
    ["text", "x".repeat(701)],
    ["text", 17],
    ["bigtext", "x".repeat(20_001)],
    ["email", "ann"],
    ["phone", "call me"],
    ["decimal", 1e12],
    ["decimal", 0.0000001],
    ["integer", 1.5],
    ["integer", "x"],
    ["employee", UNKNOWN_ID],
    ["employee", stranger],
    ["employee", -1],
  ];
  for (const [type, value] of wrong) {
    expect(codeOf(await store(type, value)), `${type} ${String(value).slice(0, 20)}`).toBe(7);
  }
  // An empty text is no value, and numbers may come as text.
  const { id } = await store("decimal", "17.5");
  expect((await read(account, id)).fields[String(ids.decimal)].value).toBe(17.5);
  for (const value of ["", null]) {
    const { id } = await store("text", value);
    expect((await read(account, id)).fields).toEqual({});
  }
  const mistaken = { [String(ids.text)]: { type: "integer", value: 1 } };
  const reply = await account.call("/place/create", { place: { ...shop, fields: mistaken } });
  expect(reply).toMatchObject({ status: { code: 7 }, errors: [{ parameter: `place.fields.${ids.text}.type` }] });
});

test("place/create needs required fields unless the call ignores them, and update keeps those that are not given", async () => {
  const account = await newAccount();
  const { Code } = await newFields(account, { Code: { type: "text", required: true } });
  const missing = { status: { code: 7 }, errors: [{ parameter: `place.fields.${Code}` }] };
  expect(await account.call("/place/create", { place: shop })).toMatchObject(missing);
  const empty = { [String(Code)]: { type: "text", value: "" } };
  expect(await account.call("/place/create", { place: { ...shop, fields: empty } })).toMatchObject(missing);
  const without = await newPlace(account);
  const fields = { [String(Code)]: { type: "text", value: "A-17" } };
  const { id } = await account.must("/place/create", { place: { ...shop, fields } });
  await account.must("/place/update", { place: { ...shop, id, label: "Store" } });
  expect(await read(account, id)).toMatchObject({ label: "Store", fields });
  await account.must("/place/update", { place: { id, fields: {} } });
  expect(await read(account, id)).toMatchObject({ fields });
  for (const erased of [empty, { [String(Code)]: null }]) {
    expect(await account.call("/place/update", { place: { id, fields: erased } })).toMatchObject(missing);
  }
  // A place that lacked the field may be updated without it. An unknown place is 201, whatever fields are given.
  await account.must("/place/update", { place: await read(account, without) });
  expect(codeOf(await account.call("/place/update", { place: { ...shop, id: UNKNOWN_ID, fields } }))).toBe(201);
});

test("place/update of one custom field leaves the others, and null removes a value", async () => {
  const account = await newAccount();
  const { Code, Rooms } = await newFields(account, { Code: { type: "text" }, Rooms: { type: "integer" } });
  const code = { [String(Code)]: { type: "text", value: "A-17" } };
  const rooms = { [String(Rooms)]: { type: "integer", value: 3 } };
  const id = await newPlace(account, { fields: code });
  await account.must("/place/update", { place: { id, fields: rooms } });
  expect((await read(account, id)).fields).toEqual({ ...code, ...rooms });
  await account.must("/place/update", { place: { id, fields: { [String(Code)]: null } } });
  expect((await read(account, id)).fields).toEqual(rooms);
  expect((await account.must("/place/list", { filter: "A-17" })).list).toEqual([]);
});

test("a sub-user that does not see a custom field's employee may still update the place, and send the field back", async () => {
  const account = await newAccount();
  const { id: tracker_id } = await account.newTracker();
  const { id: employee } = await account.must("/employee/create", { employee: { first_name: "Ann", tracker_id } });
  const { Visitor } = await newFields(account, { Visitor: { type: "employee" } });
  const id = await newPlace(account, { fields: { [String(Visitor)]: { type: "employee", value: employee } } });
  const { id: subuser_id, hash } = await newSubUser(account);
  const group = { label: "Planners", privileges: { rights: ["place_update"] } };
  const { id: group_id } = await account.must("/subuser/security_group/create", { group });
  await account.must("/subuser/security_group/assign", { group_id, subuser_ids: [subuser_id] });
  await account.must("/subuser/places/bind", { subuser_id, place_ids: [id] });
  const { value } = await account.must("/place/read", { hash, place_id: id });
  await account.must("/place/update", { hash, place: { ...value, label: "Store" } });
  expect(await read(account, id)).toEqual({ ...value, label: "Store" });
});

test("place/list filters by text and conditions, sorts and gives pages", async () => {
  const account = await newAccount();
  const { Code, Rooms } = await newFields(account, { Code: { type: "text" }, Rooms: { type: "integer" } });
  const fieldsOf = (code: string | null, rooms: number | null) => ({
    [String(Code)]: { type: "text", value: code },
    [String(Rooms)]: { type: "integer", value: rooms },
  });
  const at = (address: string) => ({ location: { ...location, address } });
  const ids = [
    await newPlace(account, { label: "Café Süd", ...at("Ulm"), fields: fieldsOf("Zürich 7", 17) }),
    await newPlace(account, { label: "Depot", ...at("Aalen"), description: "100% full", fields: fieldsOf("17", 9) }),
    await newPlace(account, { label: "Bakery", ...at("Bonn"), external_id: "X9", fields: fieldsOf(null, null) }),
  ];
  const list = async (wanted: object = {}) => {
    const reply = await account.must("/place/list", wanted);
    return reply.list.map(({ id }: { id: number }) => ids.indexOf(id));
  };
  expect(await list()).toEqual([0, 1, 2]);
  expect(await list({ ascending: false })).toEqual([2, 1, 0]);
  expect(await account.must("/place/list", { limit: 1, offset: 1 })).toMatchObject({
    list: [{ id: ids[1] }],
    count: 3,
  });
  expect(await list({ limit: 0 })).toEqual([]);
  expect(await list({ place_ids: [ids[2], ids[0], UNKNOWN_ID] })).toEqual([0, 2]);
  expect(await list({ place_ids: [] })).toEqual([]);
  // The filter searches label, description, address, external id and custom fields.
  const filters = ["CAFE", "0%", "bonn", "x9", "zurich", "17", "nothing"];
  const found = [[0], [1], [2], [2], [0], [0, 1], []];
  for (const [index, filter] of filters.entries()) expect(await list({ filter }), filter).toEqual(found[index]);
  const orders = { label: [2, 0, 1], location: [1, 2, 0], external_id: [2, 0, 1], description: [0, 2, 1] };
  for (const [order_by, order] of Object.entries(orders)) expect(await list({ order_by }), order_by).toEqual(order);
  expect(await list({ order_by: String(Code) })).toEqual([1, 0, 2]);
  expect(await list({ order_by: String(Rooms), ascending: false })).toEqual([0, 1, 2]);
  const idsBy = (condition: object) => list({ conditions: [condition] });
  expect(await idsBy({ type: "eq", field: String(Rooms), value: 9 })).toEqual([1]);
  expect(await idsBy({ type: "eq", field: String(Code), value: 17 })).toEqual([1]);
  expect(await idsBy({ type: "contains", field: String(Code), value: "ZUR" })).toEqual([0]);
  expect(await idsBy({ type: "contains", field: "location", value: "bon" })).toEqual([2]);
  expect(await idsBy({ type: "in", field: "label", value: ["bak", "dep"] })).toEqual([1, 2]);
  const not = { type: "not", condition: { type: "eq", field: String(Rooms), value: 9 } };
  expect(await idsBy(not)).toEqual([0, 2]);
  expect(await list({ conditions: [not], filter: "cafe" })).toEqual([0]);
  for (const wrong of [
    { order_by: "color" },
    { order_by: String(UNKNOWN_ID) },
    { conditions: [{ type: "eq", field: String(UNKNOWN_ID), value: 1 }] },
    { offset: -1 },
  ]) {
    expect(codeOf(await account.call("/place/list", wrong)), JSON.stringify(wrong)).toBe(7);
  }
});

test("place/list finds places by names of tags and of employees in custom fields, and sorts by tags", async () => {
  const account = await newAccount();
  const newTag = async (name: string) => (await account.must("/tag/create", { tag: { name, color: "27A9E3" } })).id;
  const [zoo, airport] = [await newTag("Zoo"), await newTag("Äirport")];
  const employee = { first_name: "Ann", middle_name: "", last_name: "Lee" };
  const { id: ann } = await account.must("/employee/create", { employee });
  const { id: bo } = await account.must("/employee/create", { employee: { first_name: "Bo", last_name: "Annan" } });
  const { Visitor, Code } = await newFields(account, { Visitor: { type: "employee" }, Code: { type: "text" } });
  const visitedBy = (value: number) => ({ fields: { [String(Visitor)]: { type: "employee", value } } });
  const ids = [
    await newPlace(account, { tags: [zoo, airport], ...visitedBy(ann) }),
    await newPlace(account, { tags: [airport], ...visitedBy(bo) }),
    await newPlace(account, { fields: { [String(Code)]: { type: "text", value: "Ann" } } }),
  ];
  const list = async (wanted: object) => {
    const reply = await account.must("/place/list", wanted);
    return reply.list.map(({ id }: { id: number }) => ids.indexOf(id));
  };
  const idsBy = (type: string, field: number | string | undefined, value: unknown) =>
    list({ conditions: [{ type, field: String(field), value }] });
  expect(await idsBy("eq", Visitor, ann)).toEqual([0]);
  expect(await idsBy("contains", Visitor, "ANN LEE")).toEqual([0]);
  expect(await idsBy("contains", Visitor, "ann")).toEqual([0, 1]);
  expect(await idsBy("in", Visitor, ["lee", bo])).toEqual([0, 1]);
  expect(await idsBy("contains", Visitor, "nobody")).toEqual([]);
  expect(await idsBy("eq", "tags", zoo)).toEqual([0]);
  expect(await idsBy("contains", "tags", "AIR")).toEqual([0, 1]);
  expect(await idsBy("in", "tags", ["zoo", UNKNOWN_ID])).toEqual([0]);
  const no = { type: "not", condition: { type: "contains", field: "tags", value: "port" } };
  expect(await list({ conditions: [no] })).toEqual([2]);
  expect(await list({ order_by: "tags" })).toEqual([1, 0, 2]);
  expect(await list({ order_by: "tags", ascending: false })).toEqual([0, 1, 2]);
});

test("place/list takes 72 conditions, nested ones included, and refuses one more", async () => {
  const account = await sharedAccount();
  const some = (count: number) => Array.from({ length: count }, () => ({ type: "eq", field: "id", value: 1 }));
  expect(codeOf(await account.call("/place/list", { conditions: some(72) }))).toBeUndefined();
  expect(codeOf(await account.call("/place/list", { conditions: some(73) }))).toBe(7);
  const nested = [{ type: "or", conditions: some(12) }, ...some(60)];
  expect(codeOf(await account.call("/place/list", { conditions: nested }))).toBe(7);
});

test("place/list gives more places than a database page whole and in order", async () => {
  const account = await newAccount();
  const { Note } = await newFields(account, { Note: { type: "bigtext" } });
  const fields = { [String(Note)]: { type: "bigtext", value: "ü".repeat(20_000) } };
  const id = await newPlace(account, { label: "Shop", fields });
  // Each has 40 kB: five megabytes do not fit into one answer of the database.
  const changed = { id: "NULL", label: "'Shop ' || (9 - n % 10)", label_folded: "'shop ' || (9 - n % 10)" };
  await stack.copyRow("geo", { table: "place", where: { id }, count: 149, changed });
  const ids = idsOf(await account.must("/place/list"));
  expect([ids.length, new Set(ids).size]).toEqual([150, 150]);
  const { list } = await account.must("/place/list", { order_by: "label", limit: 140 });
  expect(list).toHaveLength(140);
  const labels = list.map(({ label }: Reply) => label);
  expect(labels).toEqual(labels.toSorted());
  expect(list.every((place: Reply) => place.fields[String(Note)].value.length === 20_000)).toBe(true);
});

test("places keep tags in the order given, and place/list finds those with all of the tags", async () => {
  const account = await newAccount();
  const newTag = async (name: string) => (await account.must("/tag/create", { tag: { name, color: "27A9E3" } })).id;
  const [one, two] = [await newTag("One"), await newTag("Two")];
  const [both, single] = [await newPlace(account, { tags: [two, one] }), await newPlace(account, { tags: [one] })];
  expect((await read(account, both)).tags).toEqual([two, one]);
  expect(idsOf(await account.must("/place/list", { tag_ids: [one, two] }))).toEqual([both]);
  expect(idsOf(await account.must("/place/list", { tag_ids: [one] }))).toEqual([both, single]);
  await account.must("/place/update", { place: { ...shop, id: both } });
  expect((await read(account, both)).tags).toEqual([two, one]);
  await account.must("/place/update", { place: { id: both, tags: [] } });
  expect(await read(account, both)).not.toHaveProperty("tags");
});

test("place/search_location finds the places within whose radius a position is", async () => {
  const account = await newAccount();
  const around = (lat: number, lng: number, radius: number) =>
    newPlace(account, { location: { ...location, lat, lng, radius } });
  const near = await around(50, 8, 200);
  const wide = await around(52, 8, 300_000);
  // 0.0017966 degrees of latitude are 200 m; positions across the date line are near, too.
  const found = async (lat: number, lng: number) =>
    idsOf(await account.must("/place/search_location", { location: { lat, lng } }));
  expect(await found(50, 8)).toEqual([near, wide]);
  expect(await found(50.00179, 8)).toEqual([near, wide]);
  expect(await found(50.0019, 8)).toEqual([wide]);
  expect(await found(20, 8)).toEqual([]);
  const edge = await around(0, 179.9999, 100);
  expect(await found(0, -179.9999)).toEqual([edge]);
  await account.must("/place/update", { place: { ...shop, id: edge, location: { ...location, lat: 20, lng: 8 } } });
  expect([await found(0, -179.9999), await found(20, 8)]).toEqual([[], [edge]]);
});

test("place/create stops at the account's limit, also under parallel creation", async () => {
  const account = await newAccount();
  await must("/panel/user/update", { hash: await operatorHash(), user_id: account.id, limits: { places: 2 } });
  const replies = await Promise.all(Array.from({ length: 5 }, () => account.call("/place/create", { place: shop })));
  expect(replies.filter(({ success }) => success)).toHaveLength(2);
  expect(replies.filter((reply) => codeOf(reply) === 268)).toHaveLength(3);
  expect((await account.must("/place/list")).count).toBe(2);
});
