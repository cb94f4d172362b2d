import { afterAll, beforeAll, expect, test } from "vitest";
import { DAY_MS } from "../../shared/time/duration.ts";
import { type Accounts, accountsOn, type Reply } from "../tool/call/account.ts";
import { startWatchedSystem } from "../tool/system/system.ts";
import { waitUntil } from "../tool/wait.ts";

const PATH = "/event/feed/read";
let system: Awaited<ReturnType<typeof startWatchedSystem>>;
let accounts: Accounts;

beforeAll(async () => {
  system = await startWatchedSystem();
  accounts = accountsOn(system);
});

afterAll(() => system?.stop());

test("event/feed/read asks the database for ten waiting calls of an account no more than once a second", async () => {
  const account = await accounts.newAccount();
  const { cursor } = await account.must(PATH);
  const [calls, seconds] = [10, 3];
  const readTogether = async () => {
    await system.resetTrips();
    const waiting = Array.from({ length: calls }, () => account.must(PATH, { cursor, wait: seconds }));
    for (const { list } of await Promise.all(waiting)) expect(list).toEqual([]);
    return (await system.trips()).gateway;
  };
  // Each call reads when it begins and when its time is over. On a busy machine they may begin in different seconds, and
  // the reads between go on for longer: then ten others are tried.
  await waitUntil("ten calls shared their reads", readTogether, (trips) => trips <= 2 * calls + seconds + 1);
});

test("event/feed/read finds an event whose announcement was lost", async () => {
  const account = await accounts.newAccount();
  const { cursor } = await account.must(PATH);
  const waiting = account.must(PATH, { cursor, wait: 25 });
  await system.change(
    "gateway",
    `INSERT INTO event_arrival (account_id, event_id, type, time, user_id, tracker_id, private_to, subject, data, stored)
      VALUES (?1, 'lost announcement', 'garage.created', 0, ?1, NULL, NULL, 'garage:1', '{"id":1}', 0)`,
    account.id,
  );
  expect((await waiting).list).toMatchObject([{ id: "lost announcement", type: "garage.created" }]);
});

test("event/feed/read keeps events for 30 days: an older cursor is 7 with the oldest one, and `oldest` goes on", async () => {
  const account = await accounts.newAccount();
  const { cursor: early } = await account.must(PATH, { cursor: "oldest", limit: 1 });
  await account.must("/api/key/create", { title: "Old" });
  await system.change("gateway", "UPDATE event SET stored = stored - ? WHERE account_id = ?", 30 * DAY_MS, account.id);
  await account.must("/api/key/create", { title: "New" });
  const { cursor: newest } = await account.must(PATH);
  await system.fireCron("gateway");
  const refused = await account.call(PATH, { cursor: early });
  expect(refused).toMatchObject({ status: { code: 7 }, errors: [{ parameter: "cursor" }] });
  const titles = ({ list }: Reply) => list.map(({ data }: Reply) => data.title);
  expect(titles(await account.must(PATH, { cursor: refused.oldest_cursor }))).toEqual(["New"]);
  expect(titles(await account.must(PATH, { cursor: "oldest" }))).toEqual(["New"]);
  await system.change("gateway", "UPDATE event SET stored = stored - ? WHERE account_id = ?", 31 * DAY_MS, account.id);
  await system.fireCron("gateway");
  expect(await account.must(PATH, { cursor: newest })).toMatchObject({ list: [], cursor: newest });
  await account.must("/api/key/create", { title: "Newest" });
  expect(titles(await account.must(PATH, { cursor: newest }))).toEqual(["Newest"]);
});

test("the removal of an account deletes its events", async () => {
  const account = await accounts.newAccount();
  await accounts.operator.must("/panel/user/corrupt", { user_id: account.id, login: account.login });
  await system.fireCron("gateway");
  for (const table of ["event", "event_sequence"]) {
    expect(await system.rowsOf("gateway", table, { account_id: account.id })).toEqual([]);
  }
});
