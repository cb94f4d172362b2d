import { createClient } from "@libsql/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { billOf, monthOf } from "../../bench/cost/bill.ts";
import { CountedDatabases } from "../../bench/cost/counted-databases.ts";
import { countDay, POINTS_A_DAY, sendPoints, takeCounts } from "../../bench/cost/day.ts";
import { countDeliveries } from "../../bench/cost/deliveries.ts";
import { meteredFronts } from "../../bench/cost/front.ts";
import { COUNTED_SYSTEM } from "../../bench/cost/settings.ts";
import { type Account, accountsOf, registerTracker } from "../../bench/tool/account.ts";
import { newDrive } from "../../bench/tool/drive.ts";
import { type Stack, startStack } from "../../bench/tool/stack.ts";
import { systemNow } from "../../shared/time/clock.ts";
import { accountsOn, type Reply } from "../tool/call/account.ts";
import { newTicket, upload } from "../tool/call/uploads.ts";
import { waitUntil } from "../tool/wait.ts";

const databases = new CountedDatabases();
let stack: Stack;
let account: Account;

beforeAll(async () => {
  stack = await startStack({
    fronts: meteredFronts(),
    counted: (servers) => databases.to(servers),
    settings: COUNTED_SYSTEM,
  });
  account = await (await accountsOf(stack))("cost@example.com");
});

afterAll(async () => {
  await stack?.stop();
  databases.stop();
});

const hoursOf = (points: number) => (points * 24) / POINTS_A_DAY;

test("a point that follows another costs one row and one question to the rules, and reaches no database", async () => {
  const { counts, rows, requests } = await countDay({ stack, databases, account }, 1, hoursOf(2));
  const billed = Object.entries(counts).filter(([name]) => /^(requests|written (?!CREATE))/.test(name));
  expect(counts.read).toBeGreaterThan(0);
  expect(Object.fromEntries(billed)).toEqual({
    "requests FEEDS accept": 2,
    // The first goes into the shared journal, where it is alone, and is noted to be there; the second into the feed's own.
    "requests JOURNALS append": 1,
    "requests RULES stamp": 1,
    [`written ${counts["written UPDATE line_row"] ? "UPDATE" : "INSERT"} line_row`]: 1,
    ...(counts["written alarm"] ? { "written alarm": 1 } : {}),
    "written value": 1,
    "requests RULES currentRules": 1,
    "written UPDATE journal": 1,
  });
  expect([requests, rows]).toEqual([2, { written: 0, read: 0 }]);
});

test("an hour of points costs a call and a row for each request, a row more for each page, and one chunk in the database", async () => {
  const { counts, rows } = await countDay({ stack, databases, account }, 2, hoursOf(400));
  // Two points a request; an alarm an hour after the first.
  expect(counts["requests FEEDS accept"]).toBe(200);
  expect(counts["requests FEEDS alarm"]).toBe(1);
  const made = counts["written INSERT journal"] ?? 0;
  expect(made, JSON.stringify(counts)).toBeLessThan(20);
  const shared = (counts["written INSERT line_row"] ?? 0) + (counts["written UPDATE line_row"] ?? 0);
  expect((counts["written UPDATE journal"] ?? 0) + made + shared).toBe(200);
  // Half a minute later it tries whether it is still alone, and what is in the database leaves the journal at once.
  expect(shared).toBe(counts["requests JOURNALS append"]);
  expect(shared).toBeLessThan(110);
  expect(counts["requests JOURNALS removeLines"]).toBe(1);
  expect(counts["written INSERT chunk"]).toBe(1);
  // A chunk and its two indexes, and the count of chunks.
  expect(rows.written).toBeGreaterThanOrEqual(4);
  expect(rows.written).toBeLessThan(20);
});

test("the delivery of an event costs a call, a stored delivery with its indexes, its result and the cursors, and writes no row of a database", async () => {
  const { change, delivery } = await countDeliveries({ stack, databases, account }, 10);
  expect(change.counts["requests ACCOUNT_EVENTS announce"]).toBe(1);
  const billed = Object.entries(delivery.counts).filter(([name]) => /^(requests|written)/.test(name));
  const { "written alarm": alarms = 0, ...exact } = Object.fromEntries(billed);
  expect(exact).toEqual({
    "requests WEBHOOK_SENDERS wake": 1,
    "written INSERT delivery": 2,
    "written UPDATE delivery": 1,
    "written value": 2,
  });
  // Before a run, and behind it.
  expect(alarms).toBeGreaterThanOrEqual(1);
  expect(alarms).toBeLessThanOrEqual(3);
  expect(delivery.rows.written).toBeLessThan(1);
});

test("points of many trackers at the same time share a few rows, with one look at their account's rules for each row", async () => {
  const vans: { device_id: string; next: ReturnType<typeof newDrive> }[] = [];
  const now = systemNow();
  await stack.workers.ask("geo", `/begin/${now}`);
  for (let number = 0; number < 20; number++) {
    const { device_id } = await registerTracker(account, `Together ${number}`);
    const next = newDrive(number, now, 10_000);
    await sendPoints(stack, device_id, [next()]);
    vans.push({ device_id, next });
  }
  const sendTogether = async () => {
    await takeCounts(stack);
    await Promise.all(vans.map(({ device_id, next }) => sendPoints(stack, device_id, [next()])));
    const counts = await takeCounts(stack);
    const rows = (counts["written INSERT line_row"] ?? 0) + (counts["written UPDATE line_row"] ?? 0);
    return { rows, counts };
  };
  // Every few seconds the journal tries whether it is worth to wait for others. Feeds ask for their rules once more when
  // the queue has delivered that trackers were registered.
  const { rows, counts } = await waitUntil(
    "the journal has stored the points of all trackers in a few rows, and no feed asks for its rules",
    sendTogether,
    ({ rows, counts }) =>
      counts["requests JOURNALS append"] === 20 && rows >= 1 && rows <= 6 && !counts["requests RULES currentRules"],
  );
  expect(counts["requests RULES stamp"], JSON.stringify(counts)).toBe(rows);
});

test("a zone that rules name is changed without waking the feeds that follow them", async () => {
  const { newAccount, feed } = accountsOn({ baseUrl: `${stack.origin}/api-v2` });
  await stack.workers.ask("geo", `/begin/${systemNow()}`);
  const owner = await newAccount();
  const trackers = [await owner.newTracker(), await owner.newTracker(), await owner.newTracker()];
  const zone = { type: "circle", label: "Depot", center: { lat: 50, lng: 8 }, radius: 300 };
  const { id } = await owner.must("/zone/create", { zone });
  const rule = { type: "inoutzone", name: "Gate", zone_ids: [id], trackers: trackers.map((tracker) => tracker.id) };
  await owner.must("/tracker/rule/create", { rule });
  const points = [{ time: systemNow(), lat: 50, lng: 7.9 }];
  for (const { source } of trackers) expect(await feed(source.device_id, points)).toMatchObject({ success: true });
  const takeCalls = async () => Object.keys((await stack.workers.ask("geo", "/take")) as object);
  const isOfFeeds = (call: string) => call.startsWith("requests FEEDS");
  let radius = 500;
  const changeZone = async () => {
    const calls: string[] = [];
    const moreCalls = async () => {
      calls.push(...(await takeCalls()));
      return calls;
    };
    await moreCalls();
    calls.length = 0;
    // The rules hear of the second change after any feed that the first one woke.
    for (let count = 1; count <= 2; count++) {
      await owner.must("/zone/update", { zone: { ...zone, id, label: "Yard", radius: radius++ } });
      const areRefreshed = (all: string[]) => all.filter((call) => call === "requests RULES refresh").length >= count;
      await waitUntil("the rules have heard of the zone", moreCalls, areRefreshed);
    }
    return calls;
  };
  // The account's first calls may still wake feeds beside the first changes.
  const isWithoutFeeds = (calls: string[]) => !calls.some(isOfFeeds);
  await waitUntil("a zone was changed and no feed woke", changeZone, isWithoutFeeds);
  // A feed that receives points learns of the change from the rules.
  const [{ source }] = trackers as [Reply];
  await feed(source.device_id, [{ time: systemNow(), lat: 50, lng: 8.01 }]);
  expect((await takeCalls()).some(isOfFeeds)).toBe(true);
});

test("counted rows of a database are those that the server says it wrote and read", async () => {
  const counted = new CountedDatabases();
  const { geo } = await counted.to(stack.servers);
  const client = createClient({ url: geo.url, authToken: geo.token });
  await client.execute("CREATE TABLE counted (id INTEGER PRIMARY KEY, label TEXT)");
  counted.take();
  await client.execute("INSERT INTO counted (label) VALUES ('a'), ('b'), ('c')");
  expect(counted.take()).toMatchObject({ written: 3 });
  await client.batch(["SELECT * FROM counted", "DELETE FROM counted WHERE id = 2"], "write");
  expect(counted.take()).toMatchObject({ written: 1 });
  expect(counted.take()).toEqual({ written: 0, read: 0 });
  client.close();
  counted.stop();
});

test("an upload counts as one write to the bucket", async () => {
  const owner = await accountsOn({ baseUrl: `${stack.origin}/api-v2` }).newAccount();
  const ticket = await newTicket(owner, { size: 4 });
  await stack.workers.ask("files", "/take");
  expect(await upload(ticket, new File(["bill"], "bill.txt"))).toMatchObject({ success: true });
  expect(await stack.workers.ask("files", "/take")).toEqual({ "bucket written": 1 });
});

test("a bill adds the base price to what a month of such days uses beyond the plan", () => {
  const day = {
    ...{ points: 100, requests: 100, processorMs: 0, databaseBytes: 0 },
    counts: {
      "requests FEEDS accept": 100,
      "requests FEEDS alarm": 1,
      "written INSERT journal": 200,
      read: 5,
      "ms FEEDS": 1000,
    },
    rows: { written: 0, read: 0 },
    feedBytes: { begin: 0, end: 0 },
  };
  const month = monthOf(day, 90);
  expect(month).toMatchObject({ worker_requests: 3000, object_requests: 3030, object_rows_written: 6000 });
  // A second a day, of 128 MB.
  expect(month.object_gb_seconds).toBeCloseTo(3.84, 9);
  const { lines, base, total } = billOf(month, { worker_requests: 1e6 }, 10_000);
  expect(base).toBeCloseTo(0.000999, 9);
  expect(lines).toEqual([
    { name: "requests of Workers", amount: expect.closeTo(((31e6 - 10e6) / 1e6) * (0.3 / 10_000), 9) },
    { name: "requests of Durable Objects", amount: expect.closeTo(((30.3e6 - 1e6) / 1e6) * (0.15 / 10_000), 9) },
    { name: "rows written by Durable Objects", amount: expect.closeTo(((60e6 - 50e6) / 1e6) * (1 / 10_000), 9) },
  ]);
  expect(total).toBeCloseTo(base + lines.reduce((sum, { amount }) => sum + amount, 0), 12);
});
