import { createClient } from "@libsql/client/http";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { LocalWorkers } from "../../scripts/system/miniflare.ts";
import { systemNow } from "../../shared/time/clock.ts";
import { type Account, accountsOn, type Reply } from "../tool/call/account.ts";
import { effort } from "../tool/effort.ts";
import { watchRuntimes } from "../tool/installation/killed-runtime.ts";
import { type LocalInstallation, newLocalInstallation } from "../tool/installation/local-workers.ts";
import { waitUntil } from "../tool/wait.ts";

const EVENTS = effort({ few: 3000, many: 10_000 });
const EVENTS_PER_WRITE = 50;
const PATH = "/event/feed/read";
const runtimes = watchRuntimes();
let ground: LocalInstallation;
let workers: LocalWorkers;
let account: Account;

beforeAll(async () => {
  ground = await newLocalInstallation();
  workers = await ground.start();
  account = await accountsOn(ground).newAccount();
});

afterAll(async () => {
  await workers?.stop();
  await ground?.remove();
});

test("event/feed/read gives two readers thousands of events without gap or duplicate while they are written and workerd is killed", async () => {
  let written = 0;
  const reading = [readUpTo(EVENTS, 100), readUpTo(EVENTS, 1000)];
  async function write() {
    const { url, token } = ground.servers.gateway;
    const database = createClient({ url, authToken: token });
    for (; written < EVENTS; written += EVENTS_PER_WRITE) {
      const args = [written, EVENTS_PER_WRITE, account.id, systemNow()];
      await database.execute({ sql: ARRIVALS, args });
    }
  }
  const writing = write();
  await waitUntil("a tenth of the events is written", () => written >= EVENTS / 10);
  await runtimes.killAndWait(ground);
  await writing;
  const [one = [], other = []] = await Promise.all(reading);
  expect(other).toEqual(one);
  expect(one.map(({ sequence }) => sequence)).toEqual(one.map((_, index) => index + 1));
  const labels = one.flatMap(({ type, data }) => (type === "garage.created" ? data.id : []));
  expect(labels).toEqual(Array.from({ length: EVENTS }, (_, index) => index));
});

/** Everything that the feed has shown, from its beginning, when it has shown so many events of the test. */
async function readUpTo(count: number, limit: number): Promise<Reply[]> {
  const events: Reply[] = [];
  let cursor = "oldest";
  let found = 0;
  while (found < count) {
    const page = await account.call(PATH, { cursor, limit, wait: 25 }).catch(() => undefined);
    // The Workers are being started again.
    if (!page?.success) continue;
    events.push(...page.list);
    found += page.list.filter(({ type }: Reply) => type === "garage.created").length;
    cursor = page.cursor;
  }
  return events;
}

/** Stores events as a Worker does, `count` of them, numbered from `first`. */
const ARRIVALS = `WITH RECURSIVE number(n) AS (SELECT ?1 UNION ALL SELECT n + 1 FROM number WHERE n + 1 < ?1 + ?2)
  INSERT INTO event_arrival (account_id, event_id, type, time, user_id, tracker_id, private_to, subject, data, stored)
  SELECT ?3, 'arrival-' || n, 'garage.created', ?4, ?3, NULL, NULL, 'garage:' || n, json_object('id', n), ?4 FROM number`;
