import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Account, type Accounts, accountsOn, type Reply } from "../tool/call/account.ts";
import { startWatchedSystem } from "../tool/system/system.ts";
import { waitUntil } from "../tool/wait.ts";

// Tests take databases away, so this file has a system of its own.
let system: Awaited<ReturnType<typeof startWatchedSystem>>;
let accounts: Accounts;

beforeAll(async () => {
  system = await startWatchedSystem();
  accounts = accountsOn(system);
});

// A test that fails while a database is away must not fail those behind it.
afterEach(() => Promise.all((["geo", "tasks"] as const).map((worker) => system.bringUp(worker))));

afterAll(() => system?.stop());

async function newTag(account: Account, name: string): Promise<number> {
  const { id } = await account.must("/tag/create", { tag: { name, color: "27A9E3" } });
  return Number(id);
}

/** Makes a thing of each type, with these tags. */
async function tagThings(account: Account, tags: number[]) {
  const location = { lat: 48, lng: 8, address: "Depot", radius: 100 };
  const { id: tracker_id } = await account.newTracker();
  const tag_bindings = tags.map((tag_id, index) => ({ tag_id, ordinal: index + 1 }));
  await account.must("/tracker/tags/set", { tracker_id, tag_bindings });
  const zone = { type: "circle", label: "Yard", address: "", radius: 100, center: { lat: 48, lng: 8 }, tags };
  const visit = { tracker_id, label: "Visit", description: "", location, tags };
  const parameters = { type: "weekdays", weekdays: [1] };
  const schedule = { ...visit, parameters, from_time: "12:30:00", duration: 60 };
  const created = {
    employee: await account.must("/employee/create", { employee: { first_name: "Ann", tags } }),
    vehicle: await account.must("/vehicle/create", { vehicle: { label: "Van", tags } }),
    place: await account.must("/place/create", { place: { label: "Shop", location, tags } }),
    zone: await account.must("/zone/create", { zone }),
    task: await account.must("/task/create", {
      task: { ...visit, from: "2099-05-02 10:00:00", to: "2099-05-02 12:00:00" },
    }),
    task_schedule: await account.must("/task/schedule/create", { schedule }),
  };
  const ids = Object.entries(created).map(([type, { id }]): [string, number] => [type, Number(id)]);
  return Object.fromEntries([...ids, ["tracker", Number(tracker_id)]]);
}

/** Reads a thing by its own operation. */
async function read(account: Account, type: string, id: number): Promise<Reply> {
  const [path, name] = type === "task_schedule" ? ["/task/schedule/read", "id"] : [`/${type}/read`, `${type}_id`];
  return (await account.must(path, { [name]: id })).value;
}

/** Which tags each of them shows. */
async function shownOn(account: Account, things: Record<string, number>): Promise<Record<string, number[]>> {
  const shown = Object.entries(things).map(async ([type, id]): Promise<[string, number[]]> => {
    const value = await read(account, type, id);
    const bindings: Reply[] = value.tag_bindings ?? [];
    return [type, value.tags ?? bindings.map(({ tag_id }) => tag_id)];
  });
  return Object.fromEntries(await Promise.all(shown));
}

/** A search that finds nothing: every type has its list. */
const NOTHING = { place: [], task: [], task_schedule: [], employee: [], vehicle: [], zone: [], tracker: [] };
const idsOf = ({ result }: Reply) =>
  Object.fromEntries(Object.entries(result).map(([type, found]) => [type, (found as Reply[]).map(({ id }) => id)]));

test("tag/search finds things of all services by their tags, as their own calls show them", async () => {
  const account = await accounts.newAccount();
  const [cold, heavy] = [await newTag(account, "Cold"), await newTag(account, "Heavy")];
  const both = await tagThings(account, [cold, heavy]);
  const one = await tagThings(account, [cold]);
  const all = await account.must("/tag/search", { tag_ids: [cold] });
  for (const [type, id] of Object.entries(both)) {
    expect(idsOf(all)[type], type).toEqual([id, one[type]]);
    expect(all.result[type][0], type).toEqual(await read(account, type, id));
  }
  const found = idsOf(await account.must("/tag/search", { tag_ids: [heavy, cold] }));
  expect(found).toEqual(Object.fromEntries(Object.entries(both).map(([type, id]) => [type, [id]])));
  const places = await account.must("/tag/search", { tag_ids: [cold], entity_types: ["place"] });
  expect(idsOf(places)).toEqual({ ...NOTHING, place: [both.place, one.place] });
  const rival = await accounts.newAccount();
  expect(await rival.must("/tag/search", { tag_ids: [cold] })).toEqual({ success: true, result: NOTHING });
});

test("tag/delete takes the tag off everything before its answer, and the things stay", async () => {
  const account = await accounts.newAccount();
  const [cold, heavy] = [await newTag(account, "Cold"), await newTag(account, "Heavy")];
  const things = await tagThings(account, [cold, heavy]);
  await account.must("/tag/delete", { tag_id: cold });
  for (const [type, tags] of Object.entries(await shownOn(account, things))) expect(tags, type).toEqual([heavy]);
  expect(await account.must("/tag/search", { tag_ids: [cold] })).toEqual({ success: true, result: NOTHING });
  expect((await account.must("/tag/list")).list).toMatchObject([{ id: heavy }]);
});

test.each(["geo", "tasks"] as const)(
  "a tag stays while the %s database is away and it cannot be taken off everything; the sweep removes it later",
  async (worker) => {
    const account = await accounts.newAccount();
    const tag = await newTag(account, "Cold");
    const things = await tagThings(account, [tag]);
    await system.takeDown(worker);
    expect((await account.call("/tag/delete", { tag_id: tag })).status.code).toBe(14);
    await system.bringUp(worker);
    // The tag remains where it still is, but no new thing gets it.
    expect((await account.must("/tag/list")).list).toMatchObject([{ id: tag }]);
    for (const [path, given] of [
      ["/vehicle/create", { vehicle: { label: "Bus", tags: [tag] } }],
      ["/place/create", { place: { label: "Shop", location: { lat: 1, lng: 1, radius: 50 }, tags: [tag] } }],
    ] as const) {
      expect(await account.call(path, given), path).toMatchObject({ status: { code: 7 } });
    }
    const rows = { batch: "Bus\tCold", fields: ["label", "tags"] };
    expect((await account.must("/vehicle/batch_convert", rows)).list[0].tags).toEqual([]);
    await system.fireCron("fleet");
    expect((await account.must("/tag/list")).list).toMatchObject([{ id: tag }]);
    await system.change("fleet", "UPDATE tag SET removing_since = removing_since - 60000 WHERE id = ?", tag);
    await system.fireCron("fleet");
    expect((await account.must("/tag/list")).list).toEqual([]);
    for (const [type, tags] of Object.entries(await shownOn(account, things))) expect(tags, type).toEqual([]);
    expect((await account.call("/tag/delete", { tag_id: tag })).status.code).toBe(201);
  },
);

test("tag/delete whose answers were lost is finished by a repeat of the call", async () => {
  const account = await accounts.newAccount();
  const tag = await newTag(account, "Cold");
  const things = await tagThings(account, [tag]);
  await system.loseAnswers("geo");
  expect((await account.call("/tag/delete", { tag_id: tag })).success).toBe(false);
  await system.bringUp("geo");
  await account.must("/tag/delete", { tag_id: tag });
  expect((await account.must("/tag/list")).list).toEqual([]);
  for (const [type, tags] of Object.entries(await shownOn(account, things))) expect(tags, type).toEqual([]);
});

test("tag/delete during a sweep succeeds: the sweep leaves the tag to the call", async () => {
  const account = await accounts.newAccount();
  const tag = await newTag(account, "Cold");
  // Trackers that earlier tests removed would go to the tasks database, too.
  await system.fireCron("fleet");
  await system.pause("tasks");
  const deletion = account.call("/tag/delete", { tag_id: tag });
  const countWaiting = () => system.countWaiting("tasks", "tag_binding");
  await waitUntil("the call waits for the tasks database", countWaiting, (count) => count === 1);
  await system.fireCron("fleet");
  await system.bringUp("tasks");
  expect(await deletion).toMatchObject({ success: true });
});

test("things that get a tag while it is being deleted do not keep it", async () => {
  const account = await accounts.newAccount();
  const tag = await newTag(account, "Cold");
  const location = { lat: 48, lng: 8, address: "", radius: 100 };
  const create = (index: number) =>
    index % 2
      ? account.call("/place/create", { place: { label: `Shop ${index}`, location, tags: [tag] } })
      : account.call("/vehicle/create", { vehicle: { label: `Van ${index}`, tags: [tag] } });
  const deletion = account.must("/tag/delete", { tag_id: tag });
  const replies = await Promise.all(Array.from({ length: 40 }, (_, index) => create(index)));
  await deletion;
  for (const { success, status } of replies) expect(success || status.code === 7).toBe(true);
  for (const path of ["/place/list", "/vehicle/list"]) {
    for (const { tags } of (await account.must(path)).list) expect(tags ?? []).toEqual([]);
  }
});
