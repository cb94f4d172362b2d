import { setTimeout as pause } from "node:timers/promises";
import { createClient } from "@libsql/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Account, accountsOf } from "../bench/account.ts";
import { billOf, monthOf } from "../bench/cost/bill.ts";
import { CountedDatabases } from "../bench/cost/counted-databases.ts";
import { countDay, POINTS_A_DAY } from "../bench/cost/day.ts";
import { meteredFronts } from "../bench/cost/front.ts";
import { type Stack, startStack } from "../bench/stack.ts";
import { accountsOn, type Reply } from "./account.ts";
import { newTicket, upload } from "./uploads.ts";

const databases = new CountedDatabases();
let stack: Stack;
let account: Account;

beforeAll(async () => {
  // The clock of those that count jumps.
  process.env.DB_STREAMS = "0";
  stack = await startStack({ fronts: meteredFronts(), counted: (servers) => databases.to(servers) });
  account = await (await accountsOf(stack))("cost@example.com");
});

afterAll(async () => {
  await stack?.stop();
  databases.stop();
});

/** What follows from a call or a point has been done by then. */
const SETTLED_MS = 2000;
const hoursOf = (points: number) => (points * 24) / POINTS_A_DAY;

test("a point that follows another changes one row of the feed, by one call and a look at the rules, and no database", async () => {
  const { counts, rows, requests } = await countDay({ stack, databases, account }, 1, hoursOf(1));
  const { read, ...billed } = counts;
  expect(read).toBeGreaterThan(0);
  expect(billed).toEqual({
    "requests FEEDS accept": 1,
    "requests RULES currentOf": 1,
    "written UPDATE journal": 1,
  });
  expect([requests, rows]).toEqual([1, { written: 0, read: 0 }]);
});

test("an hour of points is as many calls and rows, a page of them two rows more, and is then written to the database", async () => {
  const { counts, rows } = await countDay({ stack, databases, account }, 2, hoursOf(400));
  // Two points a request; an alarm an hour after the first.
  expect(counts["requests FEEDS accept"]).toBe(200);
  expect(counts["requests FEEDS alarm"]).toBe(1);
  const made = (counts["written INSERT journal"] ?? 0) / 2;
  expect(made, JSON.stringify(counts)).toBeLessThan(20);
  // Who is made is made by two rows, of which one is the count of such rows; who joins changes one.
  expect((counts["written UPDATE journal"] ?? 0) + made).toBe(200);
  expect(counts["written INSERT chunk"]).toBe(1);
  // A chunk and its two indexes, and the count of chunks.
  expect(rows.written).toBeGreaterThanOrEqual(4);
  expect(rows.written).toBeLessThan(20);
});

test("a zone that rules name is changed without waking the feeds that follow them", async () => {
  const { newAccount, feed } = accountsOn({ baseUrl: `${stack.origin}/api-v2` });
  await stack.workers.ask("geo", `/begin/${Date.now()}`);
  const owner = await newAccount();
  const trackers = [await owner.newTracker(), await owner.newTracker(), await owner.newTracker()];
  const zone = { type: "circle", label: "Depot", center: { lat: 50, lng: 8 }, radius: 300 };
  const { id } = await owner.must("/zone/create", { zone });
  const rule = { type: "inoutzone", name: "Gate", zone_ids: [id], trackers: trackers.map((tracker) => tracker.id) };
  await owner.must("/tracker/rule/create", { rule });
  const points = [{ time: Date.now(), lat: 50, lng: 7.9 }];
  for (const { source } of trackers) expect(await feed(source.device_id, points)).toMatchObject({ success: true });
  await pause(SETTLED_MS);
  await stack.workers.ask("geo", "/take");
  await owner.must("/zone/update", { zone: { ...zone, id, label: "Yard", radius: 500 } });
  await pause(SETTLED_MS);
  const called = (counts: unknown) =>
    Object.keys(counts as object).map((what) => what.split(" ").slice(0, 2).join(" "));
  const changed = called(await stack.workers.ask("geo", "/take"));
  expect(changed).toContain("requests RULES");
  expect(changed).not.toContain("requests FEEDS");
  // Whoever sends is told of it by the book of rules.
  const [{ source }] = trackers as [Reply];
  await feed(source.device_id, [{ time: Date.now(), lat: 50, lng: 8.01 }]);
  expect(called(await stack.workers.ask("geo", "/take"))).toContain("requests FEEDS");
});

test("rows of databases are those that the server says it wrote and read", async () => {
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

test("what is put into a bucket is counted", async () => {
  const owner = await accountsOn({ baseUrl: `${stack.origin}/api-v2` }).newAccount();
  const ticket = await newTicket(owner, { size: 4 });
  await stack.workers.ask("files", "/take");
  expect(await upload(ticket, new File(["bill"], "bill.txt"))).toMatchObject({ success: true });
  expect(await stack.workers.ask("files", "/take")).toEqual({ "bucket written": 1 });
});

test("a bill has what is beyond the plans, a month of days, and the plans themselves", () => {
  const day = {
    ...{ points: 100, requests: 100, processorMs: 0, answeredMs: 0, databaseBytes: 0 },
    counts: { "requests FEEDS accept": 100, "requests FEEDS alarm": 1, "written INSERT journal": 200, read: 5 },
    rows: { written: 0, read: 0 },
    feedBytes: { begin: 0, end: 0 },
  };
  const month = monthOf(day, 90);
  expect(month).toMatchObject({ worker_requests: 3000, object_requests: 3030, object_rows_written: 6000 });
  const { lines, base, total } = billOf(month, { worker_requests: 1e6 }, 10_000);
  expect(base).toBeCloseTo(0.000999, 9);
  expect(lines).toEqual([
    { name: "requests of Workers", amount: expect.closeTo(((31e6 - 10e6) / 1e6) * (0.3 / 10_000), 9) },
    { name: "requests of Durable Objects", amount: expect.closeTo(((30.3e6 - 1e6) / 1e6) * (0.15 / 10_000), 9) },
    { name: "rows written by Durable Objects", amount: expect.closeTo(((60e6 - 50e6) / 1e6) * (1 / 10_000), 9) },
  ]);
  expect(total).toBeCloseTo(base + lines.reduce((sum, { amount }) => sum + amount, 0), 12);
});
