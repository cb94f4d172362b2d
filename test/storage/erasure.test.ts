import { afterAll, beforeAll, expect, test } from "vitest";
import { WORKERS } from "../../scripts/workers.ts";
import { systemNow } from "../../shared/time/clock.ts";
import { type Account, accountsOn } from "../tool/call/account.ts";
import { FLUSHED, monthAgo, positionAt } from "../tool/point/archived-points.ts";
import { pointsOfADrive } from "../tool/sample/drive.ts";
import { RANGE } from "../tool/sample/range.ts";
import { newWorld } from "../tool/sample/world.ts";
import { startSystem } from "../tool/system/system.ts";
import { waitUntil } from "../tool/wait.ts";

let system: Awaited<ReturnType<typeof startSystem>>;

beforeAll(async () => {
  system = await startSystem({ GEO_DATABASES: "3", ARCHIVE_DAYS: "20", AUDIT_DELAY_SECONDS: "3600" });
});

afterAll(() => system?.stop());

/** Columns by which rows belong to an account or a user. */
const OWNERS = ["account_id", "user_id", "sub_user_id", "subuser_id", "master_id"];

type Marks = { ids: number[]; trackers: number[]; texts: string[] };

/** Every row that is of the account, by the names of the tables. */
async function leftOf({ ids, trackers, texts }: Marks): Promise<string[]> {
  const left: string[] = [];
  for (const worker of WORKERS) {
    for (const [table, rows] of Object.entries(await system.contentOf(worker))) {
      const isOurs = (row: Record<string, unknown>) =>
        // Operators are numbered apart.
        (row.kind !== "operator" && OWNERS.some((name) => ids.includes(Number(row[name] ?? 0)))) ||
        trackers.includes(Number(row.tracker_id ?? 0)) ||
        // An outbox of audit entries names the account within the entry.
        (table === "audit_outbox" && ids.includes(JSON.parse(String(row.entry)).account_id)) ||
        texts.some((text) => JSON.stringify(row).includes(text));
      left.push(...rows.filter(isOurs).map((row) => `${worker} ${table} ${JSON.stringify(row).slice(0, 300)}`));
    }
  }
  return left;
}

async function sweep() {
  for (const worker of ["gateway", "geo", "tasks", "fleet", "files", "gateway", "files", "reports"] as const) {
    await system.fireCron(worker);
  }
}

test("a removed account leaves nothing in any database, feed or bucket but the row that it was removed", async () => {
  const accounts = accountsOn(system);
  const hash = await accounts.operatorHash();
  const [{ account, world, device_id }, other] = [
    await newWorld(accounts, pointsOfADrive(5000)),
    await newWorld(accounts),
  ];
  const [subuser] = (await account.must("/subuser/list")).list;
  // A tracker that was removed before, a clone elsewhere, and points that are still open.
  const early = await account.newTracker({ label: "Early" });
  await accounts.must("/panel/tracker/corrupt", { hash, tracker_id: early.id });
  const shown = { hash, tracker_id: world.tracker_id, user_id: other.account.id, label: "Clone" };
  await accounts.must("/panel/tracker/clone", shown);
  await accounts.feed(device_id, [{ time: systemNow() - 60_000, lat: 50, lng: 8 }]);
  for (let first = 0; first < FLUSHED; first += 1000) {
    const old = Array.from({ length: 1000 }, (_, index) => positionAt(monthAgo(2), first + index));
    await accounts.feed(device_id, old);
  }
  await account.must("/tracker/ingest_key/update", { tracker_id: world.tracker_id, key: "0123456789abcdef" });
  const agreement = "INSERT INTO mail_agreement (account_id, address, asked) VALUES (?, 'outside@example.com', 0)";
  await system.change("gateway", agreement, account.id);
  const trackers = [world.tracker_id, early.id].map(Number);
  const ids = [account.id, subuser.id].map(Number);
  const marks = { ids, trackers, texts: [device_id, early.source.device_id, account.login, subuser.login] };
  const files = [`sheet/${account.id}/`, `upload/${world.service_file_id}/`];
  const objects = async () => (await Promise.all(files.map(system.objects))).flat();
  const archived = () => system.archive({ prefix: `${account.id}/` });

  const sweptKeys = async () => {
    await sweep();
    return archived();
  };
  await waitUntil("points of the account are in the archive", sweptKeys, ({ length }) => length > 0);
  const report = { trackers: [world.tracker_id], plugin: { plugin_id: 4 }, ...RANGE };
  await account.must("/report/tracker/generate", report);
  const before = await leftOf(marks);
  expect(before.length).toBeGreaterThan(50);
  expect(before.some((row) => row.startsWith("reports audit_outbox"))).toBe(true);
  expect(await objects()).not.toEqual([]);
  expect(await system.isErased(world.tracker_id)).toBe(false);

  await accounts.must("/panel/user/corrupt", { hash, user_id: account.id, login: account.login });
  await sweep();
  const left = await leftOf(marks);
  expect(left).toEqual([]);
  // Other tests of the system may have removed accounts, too.
  const removed = await system.rowsOf("gateway", "removed_user");
  expect(removed.filter(({ id }) => id === account.id)).toHaveLength(1);
  expect([await objects(), await archived()]).toEqual([[], []]);
  for (const tracker_id of [world.tracker_id, early.id]) expect(await system.isErased(tracker_id)).toBe(true);

  // Late points bring nothing back, and other accounts keep what they have.
  await accounts.feed(device_id, [{ time: systemNow(), lat: 50, lng: 8 }]);
  await sweep();
  expect(await leftOf(marks)).toEqual([]);
  await keepsAll(other.account, other.world.tracker_id);
  expect(
    (await accounts.call("/panel/user/corrupt", { hash, user_id: account.id, login: account.login })).status.code,
  ).toBe(252);
  const again = await other.account.newTracker({ device_id });
  const later = [{ time: systemNow(), lat: 50, lng: 8 }];
  expect((await accounts.feed(device_id, later)).accepted).toBe(1);
  expect(again.id).not.toBe(world.tracker_id);
});

async function keepsAll(account: Account, tracker_id: number) {
  expect((await account.must("/vehicle/list")).count).toBeGreaterThan(0);
  expect(
    (await account.must("/user/audit/log/list", { from: "2020-01-01 00:00:00", to: "2020-01-02 00:00:00" })).success,
  ).toBe(true);
  expect(await system.isErased(tracker_id)).toBe(false);
}
