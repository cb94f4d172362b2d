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

const circle = { type: "circle", label: "Depot", address: "Main St 1", color: "27A9E3", radius: 150 };
const center = { lat: 51.5, lng: 9.93 };
const corner = (lat: number, lng: number, node = false) => ({ lat, lng, node });
const corners = [corner(50, 8, true), corner(50, 9), corner(51, 9)];
const yard = { type: "polygon", label: "Yard" };
const road = { type: "sausage", label: "Road", radius: 500 };
const many = (count: number) => Array.from({ length: count }, (_, index) => corner(50 + index / 1000, 8 + (index % 2)));

async function newZone(account: Account, zone: object, points?: object[]) {
  const { id } = await account.must("/zone/create", { zone, points });
  return Number(id);
}

async function read(account: Account, zone_id: number, with_points = true) {
  return (await account.must("/zone/read", { zone_id, with_points })).value;
}

const codeOf = ({ status }: Reply) => status?.code;
const idsOf = ({ list }: Reply) => list.map(({ id }: { id: number }) => id);

test("zone/create stores a zone of each type as given, with the box around it", async () => {
  const account = await sharedAccount();
  const id = await newZone(account, { ...circle, center });
  const { bounds, ...rest } = await read(account, id);
  expect(rest).toEqual({ ...circle, id, center, tags: [] });
  expect(bounds.nw.lat - center.lat).toBeCloseTo(150 / 111_250, 4);
  expect(bounds.se.lng - center.lng).toBeCloseTo(150 / 69_500, 4);

  const box = { nw: { lat: 51, lng: 8 }, se: { lat: 50, lng: 9 } };
  const plain = { address: "", color: "27A9E3", tags: [] };
  const polygon = await newZone(account, yard, corners);
  expect(await read(account, polygon)).toEqual({ ...yard, ...plain, id: polygon, points: corners, bounds: box });
  expect(await read(account, polygon, false)).toEqual({ ...yard, ...plain, id: polygon, bounds: box });
  // The points may also stand in the zone itself.
  const sausage = await newZone(account, { ...road, points: corners });
  const around = await read(account, sausage);
  expect(around).toMatchObject({ ...road, points: corners });
  expect(around.bounds.nw.lat - 51).toBeCloseTo(500 / 111_250, 4);
});

test.each([
  ["too many points for a polygon", yard, many(101), 202],
  ["too many points for a sausage", road, many(1025), 202],
  ["points for a circle", { ...circle, center }, corners, 230],
  ["two points", yard, corners.slice(1), 284],
  ["a sausage without points", road, undefined, 284],
])("zone/create refuses %s by code: %#", async (_, zone, points, code) => {
  const account = await sharedAccount();
  expect(codeOf(await account.call("/zone/create", { zone, points }))).toBe(code);
});

test("zone/create takes as many points as a zone may have", async () => {
  const account = await sharedAccount();
  const [polygon, sausage] = [await newZone(account, yard, many(100)), await newZone(account, road, many(1024))];
  expect((await read(account, polygon)).points).toHaveLength(100);
  expect((await read(account, sausage)).points).toEqual(many(1024));
  expect((await account.must("/zone/point/list", { zone_id: sausage })).list).toEqual(many(1024));
  const { list } = await account.must("/zone/point/list", { zone_id: sausage, count: 50 });
  expect(list).toHaveLength(50);
  expect(list[0]).toEqual(many(1)[0]);
});

test.each([
  ["zone.center", { ...circle }],
  ["zone.radius", { ...circle, center, radius: undefined }],
  ["zone.radius", { ...circle, center, radius: 0 }],
  ["zone.radius", { ...circle, center, radius: 300_001 }],
  ["zone.center.lat", { ...circle, center: { lat: 90.1, lng: 0 } }],
  ["zone.label", { ...circle, center, label: "" }],
  ["zone.label", { ...circle, center, label: "x".repeat(256) }],
  ["zone.color", { ...circle, center, color: "#27A9E3" }],
  ["zone.type", { ...circle, center, type: "square" }],
  ["zone.tags", { ...circle, center, tags: [UNKNOWN_ID] }],
])("zone/create refuses a wrong %s by name: %#", async (parameter, zone) => {
  const account = await sharedAccount();
  const refused = { status: { code: 7 }, errors: [{ parameter }] };
  expect(await account.call("/zone/create", { zone })).toMatchObject(refused);
});

test("zone/update leaves members that are not given, the points too, and never changes the type", async () => {
  const account = await sharedAccount();
  const id = await newZone(account, road, corners);
  const seenAt = async (lat: number, lng: number) => {
    return idsOf(await account.must("/zone/search_location", { location: { lat, lng } })).includes(id);
  };
  expect([await seenAt(50.0044, 8.5), await seenAt(50.01, 8.5)]).toEqual([true, false]);
  // A wider band around the same line is found where it reaches now.
  await account.must("/zone/update", { zone: { ...road, id, label: "Wide", color: "000000", radius: 50_000 } });
  expect(await read(account, id)).toMatchObject({ label: "Wide", color: "000000", radius: 50_000, points: corners });
  expect([await seenAt(50.01, 8.5), await seenAt(49.6, 8.5), await seenAt(49.5, 8.5)]).toEqual([true, true, false]);
  const moved = corners.map(({ lat, lng }) => corner(lat - 20, lng));
  await account.must("/zone/update", { zone: { id, address: "Yard" } });
  const kept = { label: "Wide", color: "000000", radius: 50_000, address: "Yard", points: corners };
  expect(await read(account, id)).toMatchObject(kept);
  await account.must("/zone/update", { zone: { ...road, id, points: moved } });
  expect(await read(account, id)).toMatchObject({ label: "Road", radius: 500, points: moved });
  expect([await seenAt(50.0044, 8.5), await seenAt(30, 8.5)]).toEqual([false, true]);

  const update = (zone: object) => account.call("/zone/update", { zone });
  expect(codeOf(await update({ ...yard, id, points: corners }))).toBe(231);
  expect(codeOf(await update({ ...circle, center, id }))).toBe(231);
  expect(codeOf(await update({ ...circle, center, id, points: corners }))).toBe(230);
  expect(codeOf(await update({ ...road, id: UNKNOWN_ID }))).toBe(201);
  expect(codeOf(await update({ ...road, id, points: many(1025) }))).toBe(202);
  expect(codeOf(await update({ ...road, id, points: [] }))).toBe(284);
  expect(codeOf(await update({ ...road, id, tags: [UNKNOWN_ID] }))).toBe(7);
  expect(await read(account, id)).toMatchObject({ label: "Road", points: moved });
});

test("zone/point/update replaces the points of a zone, as many as its type may have", async () => {
  const account = await sharedAccount();
  const [polygon, sausage] = [await newZone(account, yard, corners), await newZone(account, road, corners)];
  const round = await newZone(account, { ...circle, center });
  const update = (zone_id: number, points: object[]) => account.call("/zone/point/update", { zone_id, points });
  for (const zone_id of [polygon, sausage]) {
    const moved = corners.map(({ lat, lng }) => corner(lat - 40, lng + 90));
    await account.must("/zone/point/update", { zone_id, points: moved });
    expect(await read(account, zone_id)).toMatchObject({ points: moved });
    const location = { lat: 10, lng: 98.5 };
    expect(idsOf(await account.must("/zone/search_location", { location }))).toContain(zone_id);
    expect(codeOf(await update(zone_id, corners.slice(1)))).toBe(284);
    expect(codeOf(await update(zone_id, []))).toBe(284);
    expect(codeOf(await update(zone_id, many(1025)))).toBe(202);
  }
  expect(codeOf(await update(polygon, many(101)))).toBe(202);
  expect((await update(polygon, many(100))).success).toBe(true);
  expect((await update(sausage, many(101))).success).toBe(true);
  expect(codeOf(await update(round, corners))).toBe(230);
  expect(codeOf(await update(round, []))).toBe(230);
  expect(codeOf(await update(UNKNOWN_ID, corners))).toBe(201);
  expect(codeOf(await account.call("/zone/point/list", { zone_id: round }))).toBe(230);
  expect(codeOf(await account.call("/zone/point/list", { zone_id: UNKNOWN_ID }))).toBe(201);
});

test("zone/list gives zones by id, finds them by a part of the label, in pages, with points only when asked", async () => {
  const account = await newAccount();
  const ids = [
    await newZone(account, { ...circle, center, label: "Café Süd" }),
    await newZone(account, { ...yard, label: "100%" }, corners),
    await newZone(account, { ...road, label: "Cafe Nord" }, corners),
  ];
  const list = async (wanted: object = {}) => account.must("/zone/list", wanted);
  const all = await list();
  expect(idsOf(all)).toEqual(ids);
  expect(all.list.some((zone: object) => "points" in zone)).toBe(false);
  const points = (await list({ with_points: true })).list.map((zone: Reply) => zone.points?.length);
  expect(points).toEqual([undefined, 3, 3]);
  expect(await list({ filter: "CAFE" })).toMatchObject({ list: [{ id: ids[0] }, { id: ids[2] }], count: 2 });
  expect(idsOf(await list({ filter: "0%" }))).toEqual([ids[1]]);
  const part = await list({ limit: 1, offset: 1 });
  expect([idsOf(part), part.count]).toEqual([[ids[1]], 3]);
  expect(idsOf(await list({ limit: null, offset: null, filter: null, tag_ids: null }))).toEqual(ids);
  expect(idsOf(await list({ limit: 0 }))).toEqual([]);
  expect(idsOf(await list({ offset: 2 }))).toEqual([ids[2]]);
});

test("zones keep tags in the order given, and zone/list finds those with all of the tags", async () => {
  const account = await newAccount();
  const newTag = async (name: string) => (await account.must("/tag/create", { tag: { name, color: "27A9E3" } })).id;
  const [one, two] = [await newTag("One"), await newTag("Two")];
  const both = await newZone(account, { ...circle, center, tags: [two, one, two] });
  const single = await newZone(account, { ...circle, center, tags: [one] });
  expect((await read(account, both)).tags).toEqual([two, one]);
  const carrying = async (tag_ids: number[]) => idsOf(await account.must("/zone/list", { tag_ids }));
  expect([await carrying([one]), await carrying([one, two]), await carrying([])]).toEqual([
    [both, single],
    [both],
    [both, single],
  ]);
  await account.must("/zone/update", { zone: { ...circle, center, id: both } });
  expect((await read(account, both)).tags).toEqual([two, one]);
  await account.must("/zone/update", { zone: { id: both, tags: [] } });
  expect((await read(account, both)).tags).toEqual([]);
  await account.must("/zone/update", { zone: { id: both, center: { lat: 10 } } });
  expect((await read(account, both)).center).toEqual({ ...center, lat: 10 });
});

test("zone/delete deletes a zone, and of several all or none", async () => {
  const account = await sharedAccount();
  const ids = [await newZone(account, yard, corners), await newZone(account, { ...circle, center })];
  expect(codeOf(await account.call("/zone/delete", { zone_ids: [...ids, UNKNOWN_ID] }))).toBe(201);
  expect(codeOf(await account.call("/zone/delete", { zone_id: UNKNOWN_ID }))).toBe(201);
  for (const wrong of [{}, { zone_id: ids[0], zone_ids: ids }]) {
    expect(codeOf(await account.call("/zone/delete", wrong))).toBe(7);
  }
  await account.must("/zone/delete", { zone_ids: [...ids, ids[0]] });
  for (const zone_id of ids) expect(codeOf(await account.call("/zone/read", { zone_id }))).toBe(201);
  expect(codeOf(await account.call("/zone/point/list", { zone_id: ids[0] }))).toBe(201);
});

test("zone/search_location finds the zones that contain a place, whatever their size", async () => {
  const account = await newAccount();
  const spot = { lat: 50.5, lng: 8.8 };
  const inside = [
    await newZone(account, { ...circle, label: "Small", center: spot, radius: 20 }),
    await newZone(account, { ...circle, label: "Large", center: { lat: 52, lng: 8 }, radius: 300_000 }),
    await newZone(account, yard, corners),
    await newZone(account, { ...yard, label: "World" }, [
      corner(-90, -180),
      corner(90, -180),
      corner(90, 180),
      corner(-90, 180),
    ]),
    await newZone(account, { ...road, radius: 15_000 }, corners),
  ];
  await newZone(account, { ...circle, center: { lat: 50.5, lng: 8.81 }, radius: 20 });
  await newZone(account, road, corners);
  const found = await account.must("/zone/search_location", { location: spot });
  expect(idsOf(found)).toEqual(inside);
  expect(found.list[0]).toEqual({ id: inside[0], label: "Small" });
  const refused = { status: { code: 7 }, errors: [{ parameter: "location.lat" }] };
  expect(await account.call("/zone/search_location", { location: { lng: 8 } })).toMatchObject(refused);
});

test("zone/create stops at the account's limit, also under parallel creation", async () => {
  const account = await newAccount();
  await must("/panel/user/update", { hash: await operatorHash(), user_id: account.id, limits: { zones: 2 } });
  const create = () => account.call("/zone/create", { zone: yard, points: corners });
  const replies = await Promise.all(Array.from({ length: 5 }, create));
  expect(replies.filter(({ success }) => success)).toHaveLength(2);
  expect(replies.filter((reply) => codeOf(reply) === 268)).toHaveLength(3);
  const { list } = await account.must("/zone/list", { with_points: true });
  expect(list.map((zone: Reply) => zone.points.length)).toEqual([3, 3]);
});

test("a polygon's holes come with its points, stay when neither is given, and go when points are given alone", async () => {
  const account = await newAccount();
  const corners = (from: number, to: number) => [
    { lat: from, lng: from },
    { lat: from, lng: to },
    { lat: to, lng: to },
  ];
  const hole = corners(10.1, 10.5);
  const zone = { type: "polygon", label: "Yard", points: corners(10, 11), holes: [[...hole, hole[0]]] };
  const { id } = await account.must("/zone/create", { zone });
  const read = async () => (await account.must("/zone/read", { zone_id: id, with_points: true })).value;
  expect((await read()).holes).toEqual([hole]);
  await account.must("/zone/update", { zone: { id, label: "Court" } });
  await account.must("/zone/update", { zone: await read() });
  expect(await read()).toMatchObject({ label: "Court", holes: [hole] });
  await account.must("/zone/update", { zone: { id, points: corners(10, 12) } });
  expect(await read()).not.toHaveProperty("holes");
  await account.must("/zone/update", { zone: { id, points: corners(10, 12), holes: [hole] } });
  await account.must("/zone/point/update", { zone_id: id, points: corners(10, 11) });
  expect(await read()).not.toHaveProperty("holes");

  const codeOf = async (given: object) =>
    (await account.call("/zone/create", { zone: { ...zone, ...given } })).status?.code;
  expect(await codeOf({ holes: [hole.slice(1)] })).toBe(284);
  expect(await codeOf({ holes: Array(34).fill(hole) })).toBe(202);
  expect(await codeOf({ holes: [hole], type: "circle", points: null, center: { lat: 1, lng: 1 }, radius: 50 })).toBe(7);
  const alone = await account.call("/zone/update", { zone: { id, holes: [hole] } });
  expect(alone).toMatchObject({ status: { code: 7 }, errors: [{ parameter: "zone.holes" }] });
});
