import { expect, test } from "vitest";
import { type Account, newAccount, type Reply } from "../tool/call/account.ts";
import { newSubUser } from "../tool/call/mailbox.ts";

const location = { lat: 50, lng: 8, address: "Main St 1", radius: 200 };

type Caller = Pick<Account, "must">;
const newPlace = async (owner: Caller, more: object = {}) =>
  Number((await owner.must("/place/create", { place: { label: "Shop", location, ...more } })).id);

/** All pages behind the cursor, put together as a phone does. */
async function pull(owner: Caller, cursor: string | null = null) {
  const places = new Map<number, Reply>();
  const removed = new Set<number>();
  let [next, reset, calls] = [cursor, false, 0];
  for (let more = true; more; calls++) {
    const page = await owner.must("/sync/pull", { cursor: next });
    for (const one of page.places) places.set(one.id, one);
    for (const id of page.removed.places) {
      removed.add(id);
      places.delete(id);
    }
    [next, more, reset] = [page.cursor, page.more, reset || page.reset];
  }
  return {
    ids: [...places.keys()].toSorted((one, other) => one - other),
    places,
    removed: [...removed],
    cursor: String(next),
    reset,
    calls,
  };
}

async function newDriver(owner: Account) {
  const { id: subuser_id, hash } = await newSubUser(owner);
  return {
    must: (path: string, parameters = {}) => owner.must(path, { ...parameters, hash }),
    bind: (parameters: object) => owner.must("/subuser/places/bind", { subuser_id, ...parameters }),
    unbind: (place_ids: number[]) => owner.must("/subuser/places/unbind", { subuser_id, place_ids }),
  };
}

test("places come as read answers them, and then what changed of them: texts, fields, tags, pictures, and that they went", async () => {
  const owner = await newAccount();
  const entity_id = owner.id;
  const { id: tag_id } = await owner.must("/tag/create", { tag: { name: "Cold", color: "27A9E3" } });
  const { list } = await owner.must("/entity/fields/update", {
    ...{ entity_id, delete_missing: false },
    fields: [{ label: "Size", type: "integer", required: false, description: "" }],
  });
  const field_id = list[0].id;
  const [changed, quiet] = [await newPlace(owner), await newPlace(owner)];
  const first = await pull(owner);
  expect([first.reset, first.calls, first.ids]).toEqual([true, 1, [changed, quiet]]);
  expect(first.places.get(changed)).toEqual((await owner.must("/place/read", { place_id: changed })).value);

  let { cursor } = first;
  const heard = async () => {
    const found = await pull(owner, cursor);
    cursor = found.cursor;
    return [found.ids, found.removed];
  };
  expect(await heard()).toEqual([[], []]);
  const place = { id: changed, label: "Shop", location };
  await owner.must("/place/update", { place: { ...place, label: "Other" } });
  expect(await heard()).toEqual([[changed], []]);
  await owner.must("/place/update", { place: { ...place, tags: [tag_id] } });
  expect(await heard()).toEqual([[changed], []]);
  await owner.must("/place/update", { place: { ...place, fields: { [field_id]: { type: "integer", value: 3 } } } });
  expect(await heard()).toEqual([[changed], []]);
  await owner.must("/entity/fields/update", { entity_id, fields: [], delete_missing: true });
  expect(await heard()).toEqual([[changed], []]);
  await owner.must("/place/avatar/assign", { place_id: changed, icon_id: 3 });
  expect(await heard()).toEqual([[changed], []]);
  await owner.must("/tag/delete", { tag_id });
  expect(await heard()).toEqual([[changed], []]);
  await owner.must("/place/delete", { place_id: changed });
  expect(await heard()).toEqual([[], [changed]]);
});

test("a sub-user hears of places that are shown to it; those that are hidden from it or deleted are gone", async () => {
  const owner = await newAccount();
  const [driver, other] = [await newDriver(owner), await newDriver(owner)];
  const [shown, hidden, later] = [await newPlace(owner), await newPlace(owner), await newPlace(owner)];
  await driver.bind({ place_ids: [shown] });
  const first = await pull(driver);
  expect(first.ids).toEqual([shown]);

  await driver.bind({ place_ids: [later] });
  await owner.must("/place/update", { place: { id: hidden, label: "Other", location } });
  await owner.must("/place/delete", { place_id: hidden });
  const second = await pull(driver, first.cursor);
  // The driver hears nothing of a place that it never saw, not even its removal.
  expect([second.ids, second.removed, second.reset]).toEqual([[later], [], false]);
  const forOwner = await pull(owner, (await pull(owner)).cursor);
  expect([forOwner.ids, forOwner.removed]).toEqual([[], []]);

  await driver.unbind([shown]);
  await owner.must("/place/delete", { place_id: later });
  const third = await pull(driver, second.cursor);
  expect([third.ids, third.removed.toSorted(), third.reset]).toEqual([[], [shown, later].toSorted(), false]);
  expect((await pull(other)).ids).toEqual([]);
});

test("sync/pull begins anew for a sub-user that comes to see all places, or no longer does", async () => {
  const owner = await newAccount();
  const driver = await newDriver(owner);
  const [one, two] = [await newPlace(owner), await newPlace(owner)];
  const before = await pull(driver);
  expect(before.ids).toEqual([]);
  await driver.bind({ access_to_all: true });
  const all = await pull(driver, before.cursor);
  expect([all.reset, all.ids]).toEqual([true, [one, two]]);
  await owner.must("/place/delete", { place_id: one });
  const less = await pull(driver, all.cursor);
  expect([less.reset, less.ids, less.removed]).toEqual([false, [], [one]]);
  await driver.bind({ access_to_all: false, place_ids: [] });
  const none = await pull(driver, less.cursor);
  expect([none.reset, none.ids]).toEqual([true, []]);
});

test("sync/pull sends more places than a page holds page by page, and misses no change meanwhile", async () => {
  const owner = await newAccount();
  const rows = Array.from({ length: 520 }, (_, index) => `Shop ${index};;50;8;200;;`);
  const file = new File([["label;address;lat;lng;radius;external_id;description", ...rows].join("\n")], "places.csv");
  await owner.must("/place/upload", { file });
  const { list } = await owner.must("/place/list");
  const ids: number[] = list.map(({ id }: Reply) => id);
  expect(ids).toHaveLength(520);
  const begun = await owner.must("/sync/pull");
  expect([begun.places.length, begun.more, begun.reset]).toEqual([500, true, true]);
  const [changed, gone] = [begun.places[0].id, begun.places[1].id];
  await owner.must("/place/update", { place: { id: changed, label: "Other", location } });
  await owner.must("/place/delete", { place_id: gone });
  const rest = await pull(owner, begun.cursor);
  expect([rest.places.get(changed)?.label, rest.removed, rest.reset]).toEqual(["Other", [gone], false]);
  const all = new Set([...begun.places.map(({ id }: Reply) => id), ...rest.ids]);
  expect(ids.every((id) => all.has(id))).toBe(true);
});

test("a cursor of one sub-user tells another nothing", async () => {
  const owner = await newAccount();
  const [driver, other] = [await newDriver(owner), await newDriver(owner)];
  const id = await newPlace(owner);
  await driver.bind({ place_ids: [id] });
  const { cursor } = await pull(driver);
  await driver.unbind([id]);
  const theirs = await pull(other, cursor);
  expect([theirs.reset, theirs.ids, theirs.removed]).toEqual([true, [], []]);
});
