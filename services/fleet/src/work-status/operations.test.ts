import { expect, test } from "vitest";
import { DAY_MS, MINUTE_MS } from "#shared/time/duration.ts";
import {
  type Account,
  feed,
  newAccount,
  operator,
  type Reply,
  sharedAccount,
  UNKNOWN_ID,
} from "#test/tool/call/account.ts";
import { stack } from "#test/tool/system/stack.ts";
import { systemNow, writeLocal } from "../../../../shared/time/clock.ts";

const drivers = { label: "Drivers", employee_controlled: true, supervisor_controlled: true };
const busy = { label: "Busy", color: "E57373" };

async function newListing(account: Account, more: object = {}, ...labels: string[]) {
  const { id: listing_id } = await account.must("/status/listing/create", { listing: { ...drivers, ...more } });
  const entries: number[] = [];
  for (const label of labels) {
    const { id } = await account.must("/status/create", { listing_id, status: { ...busy, label } });
    entries.push(id);
  }
  return { listing_id: Number(listing_id), entries };
}

test("status calls make, fill, order and delete a list of statuses", async () => {
  const account = await newAccount();
  const { listing_id, entries } = await newListing(account, {}, "Free", "Busy", "Away");
  const [free = 0, second = 0, away = 0] = entries;
  const { list } = await account.must("/status/listing/list");
  expect(list).toEqual([{ id: listing_id, ...drivers, entries }]);
  const order = [away, free, second];
  const changed = { ...list[0], label: "Staff", employee_controlled: false, entries: order };
  await account.must("/status/listing/update", { listing: changed });
  expect((await account.must("/status/listing/list")).list).toEqual([changed]);
  await account.must("/status/update", { status: { id: free, label: "Ready", color: "00FF00" } });
  const labels = async () => (await account.must("/status/list", { listing_id })).list.map(({ label }: Reply) => label);
  expect(await labels()).toEqual(["Away", "Ready", "Busy"]);
  await account.must("/status/delete", { status_id: away });
  expect(await labels()).toEqual(["Ready", "Busy"]);
  const { id: last } = await account.must("/status/create", { listing_id, status: busy });
  expect((await account.must("/status/listing/list")).list[0].entries).toEqual([free, second, last]);
  await account.must("/status/listing/delete", { listing_id });
  expect((await account.must("/status/listing/list")).list).toEqual([]);
  expect((await account.must("/status/list", { listing_id })).list).toEqual([]);
  const gone = [
    account.call("/status/listing/delete", { listing_id }),
    account.call("/status/listing/update", { listing: changed }),
    account.call("/status/create", { listing_id, status: busy }),
    account.call("/status/update", { status: { id: free, ...busy } }),
    account.call("/status/delete", { status_id: away }),
  ];
  for (const reply of await Promise.all(gone)) expect(reply.status.code).toBe(201);
});

test("status/listing/update refuses entries other than the list's own, each once (262), and changes nothing", async () => {
  const account = await newAccount();
  const { listing_id, entries } = await newListing(account, {}, "One", "Two");
  const other = await newListing(account, {}, "Other");
  const [one = 0, two = 0] = entries;
  for (const wrong of [[], [one], [one, one], [one, two, two], [one, ...other.entries], [one, UNKNOWN_ID]]) {
    const listing = { id: listing_id, ...drivers, label: "New", entries: wrong };
    expect((await account.call("/status/listing/update", { listing })).status.code).toBe(262);
  }
  expect((await account.must("/status/listing/list")).list[0]).toMatchObject({ label: "Drivers", entries });
});

test("status/tracker/assign sets a status of the tracker's list, and makes an event", async () => {
  const account = await newAccount();
  const { listing_id, entries } = await newListing(account, {}, "Free", "Busy");
  const [free = 0, second = 0] = entries;
  const { id: tracker_id, source } = await account.newTracker();
  const assign = (new_status_id: number) => account.call("/status/tracker/assign", { tracker_id, new_status_id });
  const read = () => account.must("/status/tracker/read", { tracker_id });
  expect((await assign(free)).status.code).toBe(201);
  await account.must("/status/listing/tracker/assign", { tracker_id, listing_id });
  const { value } = await account.must("/tracker/read", { tracker_id });
  expect(value.source.status_listing_id).toBe(listing_id);
  expect(await read()).toEqual({ success: true, current_status: null, last_change: null });
  await feed(source.device_id, [{ time: new Date(systemNow() - MINUTE_MS).toISOString(), lat: 48.14, lng: 11.58 }]);

  const { last_change } = await assign(free);
  expect(last_change).toMatchObject({ old_status_id: null, new_status_id: free, origin: "supervisor" });
  expect(last_change.location).toEqual({ lat: 48.14, lng: 11.58, address: "Munich, Bavaria, Germany" });
  expect((await assign(free)).status.code).toBe(263);
  expect((await assign(second)).last_change).toMatchObject({ old_status_id: free, new_status_id: second });
  expect(await read()).toMatchObject({
    current_status: { id: second, label: "Busy" },
    last_change: { old_status_id: free, location: last_change.location },
  });
  const listed = await account.must("/status/tracker/list", { trackers: [tracker_id] });
  expect(listed.value[tracker_id]).toEqual({ ...(await read()), success: undefined });
  const [from, to] = [-DAY_MS, DAY_MS].map((ms) => writeLocal(systemNow() + ms, "Europe/Berlin"));
  const { list } = await account.must("/history/tracker/list", { trackers: [tracker_id], from, to });
  expect(list.map(({ event, message }: Reply) => [event, message])).toEqual([
    ["work_status_change", "Van 7: Free"],
    ["work_status_change", "Van 7: Busy"],
  ]);

  // A status that was deleted, or whose list the tracker has no more, is not current any more; its change stays.
  await account.must("/status/delete", { status_id: second });
  expect(await read()).toMatchObject({ current_status: null, last_change: { new_status_id: second } });
  expect((await assign(free)).last_change).toMatchObject({ old_status_id: null });
  await account.must("/status/listing/tracker/assign", { tracker_id });
  expect(await read()).toMatchObject({ current_status: null, last_change: { new_status_id: free } });
  const other = await newListing(account, { supervisor_controlled: false }, "Own choice");
  await account.must("/status/listing/tracker/assign", { tracker_id, listing_id: other.listing_id });
  expect((await assign(other.entries[0] ?? 0)).status.code).toBe(13);
  expect((await assign(free)).status.code).toBe(201);
});

test("status calls refuse unknown, foreign, blocked and cloned trackers and unknown lists, each by its own code", async () => {
  const [account, rival] = [await newAccount(), await newAccount()];
  const { listing_id, entries } = await newListing(account, {}, "Free");
  const [new_status_id] = entries;
  const foreign = await newListing(rival, {}, "Foreign");
  const { id: tracker_id } = await account.newTracker();
  const { id: foreignTracker } = await rival.newTracker();
  const clone = { tracker_id: foreignTracker, user_id: account.id, label: "Clone" };
  const { id: clone_id } = await operator.must("/panel/tracker/clone", { ...clone });
  const codesOf = async (id: number) => {
    const replies = [
      await account.call("/status/listing/tracker/assign", { tracker_id: id, listing_id }),
      await account.call("/status/tracker/assign", { tracker_id: id, new_status_id }),
      await account.call("/status/tracker/read", { tracker_id: id }),
      await account.call("/status/tracker/list", { trackers: [tracker_id, id] }),
    ];
    return replies.map(({ status }) => status?.code);
  };
  expect(await codesOf(UNKNOWN_ID)).toEqual([204, 204, 201, 217]);
  expect(await codesOf(foreignTracker)).toEqual([204, 204, 201, 217]);
  expect((await codesOf(clone_id)).slice(0, 3)).toEqual([219, 219, 219]);
  const unknownList = { tracker_id, listing_id: foreign.listing_id };
  expect((await account.call("/status/listing/tracker/assign", unknownList)).status.code).toBe(201);
  await account.must("/status/listing/tracker/assign", { tracker_id, listing_id });
  const [status_id] = foreign.entries;
  expect((await account.call("/status/tracker/assign", { tracker_id, new_status_id: status_id })).status.code).toBe(
    201,
  );
  expect((await account.call("/status/delete", { status_id })).status.code).toBe(201);
  await account.block(tracker_id);
  expect(await codesOf(tracker_id)).toEqual([208, 208, 208, 217]);
});

test("status calls answer 236 without the tariff's feature", async () => {
  const account = await newAccount({ plan: { features: ["app_fleet"] } });
  const { id: tracker_id } = await account.newTracker();
  for (const [path, parameters] of Object.entries({
    "listing/list": {},
    "listing/create": { listing: drivers },
    "listing/update": { listing: { id: 1, ...drivers, entries: [] } },
    "listing/delete": { listing_id: 1 },
    "listing/tracker/assign": { tracker_id, listing_id: 1 },
    list: { listing_id: 1 },
    create: { listing_id: 1, status: busy },
    update: { status: { id: 1, ...busy } },
    delete: { status_id: 1 },
    "tracker/assign": { tracker_id, new_status_id: 1 },
    "tracker/read": { tracker_id },
    "tracker/list": { trackers: [tracker_id] },
  })) {
    expect((await account.call(`/status/${path}`, parameters)).status.code, path).toBe(236);
  }
});

test.each([
  ["/status/listing/create", "listing", "label", ""],
  ["/status/listing/create", "listing", "label", "x".repeat(101)],
  ["/status/listing/create", "listing", "employee_controlled", null],
  ["/status/create", "status", "label", "x".repeat(101)],
  ["/status/create", "status", "color", "red"],
])("operation %s refuses a %s whose %s is %j by name", async (path, name, member, wrong) => {
  const account = await sharedAccount();
  const valid = { listing: drivers, status: busy }[name];
  const reply = await account.call(path, { listing_id: 1, [name]: { ...valid, [member]: wrong } });
  expect(reply).toMatchObject({ status: { code: 7 }, errors: [{ parameter: `${name}.${member}` }] });
});

test("status/create and status/listing/create stop at a hundred each, also under parallel creation", async () => {
  const account = await newAccount();
  const { listing_id } = await newListing(account);
  const createMany = async (path: string, parameters: object, count: number) => {
    const replies = await Promise.all(Array.from({ length: count }, () => account.call(path, parameters)));
    return replies.map(({ success, status }) => (success ? "made" : status.code));
  };
  await account.must("/status/create", { listing_id, status: busy });
  for (const [path, parameters, table] of [
    ["/status/create", { listing_id, status: busy }, "status"],
    ["/status/listing/create", { listing: drivers }, "status_listing"],
  ] as const) {
    await stack.copyRow("fleet", { table, where: { account_id: account.id }, count: 89, changed: { id: "NULL" } });
    const codes = await createMany(path, parameters, 20);
    const { list } = await account.must(path.replace("create", "list"), { listing_id });
    expect(list).toHaveLength(100);
    expect(codes.filter((code) => code === 268).length).toBeGreaterThan(0);
    expect(codes.every((code) => code === "made" || code === 268)).toBe(true);
  }
});
