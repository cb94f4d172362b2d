import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemNow } from "../../shared/time/clock.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../shared/time/duration.ts";
import { type Account, type Accounts, accountsOn, type Reply } from "../tool/call/account.ts";
import { upload } from "../tool/call/uploads.ts";
import { writeUtc } from "../tool/call/utc-time.ts";
import { PNG } from "../tool/document/png.ts";
import { runProgram } from "../tool/installation/program.ts";
import { type Installation, newInstallation } from "../tool/system/npm-start.ts";
import { OPERATOR } from "../tool/system/operator.ts";
import { waitUntil } from "../tool/wait.ts";

const ENVIRONMENT = {
  DEMO: "0",
  OPERATOR_LOGIN: OPERATOR.login,
  OPERATOR_PASSWORD: OPERATOR.password,
  GAZETTEER_POPULATION: "1000000",
  RATE_LIMIT_PER_SECOND: "1000000",
};
const CALLERS = 6;
const DOCK = { lat: 52.5, lng: 13.4, address: "Dock 4" };
const START = Math.floor(systemNow() / MINUTE_MS) * MINUTE_MS - DAY_MS;

let installation: Installation;
let copy: Installation;
let accounts: Accounts;

beforeAll(async () => {
  [installation, copy] = [await newInstallation(ENVIRONMENT), await newInstallation(ENVIRONMENT)];
  await installation.start();
  accounts = accountsOn(installation);
});

afterAll(async () => {
  await installation?.remove();
  await copy?.remove();
});

test("a backup under load has all that was acknowledged before it, and is the state of one moment", async () => {
  const callers = await Promise.all(Array.from({ length: CALLERS }, () => newCaller()));
  const work = callers.map((caller) => caller.run());
  await waitUntil("every caller is at work", () => callers.every(({ rounds }) => rounds >= 3));

  const before = callers.map(({ rounds }) => rounds);
  const folder = join(dirname(copy.dataDir), `fleet-backup-${systemNow()}`);
  const { output, code } = await runProgram("scripts/backup/run-backup", [folder], { DATA_DIR: installation.dataDir });
  expect([code, output]).toEqual([0, expect.stringContaining("Calls waited")]);
  const after = callers.map(({ rounds }) => rounds);
  // Callers went on during the backup and afterwards: nothing stays stopped.
  await waitUntil("every caller goes on", () => callers.every(({ rounds }, index) => rounds > Number(after[index])));
  for (const caller of callers) caller.stop();
  await Promise.all(work);
  await installation.end("SIGTERM");

  const restored = await runProgram("scripts/backup/run-restore", [folder], { DATA_DIR: copy.dataDir });
  expect([restored.code, restored.output]).toEqual([0, expect.stringContaining("holds the backup")]);
  rmSync(folder, { recursive: true });
  await copy.start();
  expect(await copy.health()).toBe(200);
  expect(copy.output()).not.toMatch(/^operator/m);
  const { must } = accountsOn(copy);
  for (const [index, { account, tracker_id }] of callers.entries()) {
    const kept = await readKept((path, parameters) => must(path, { hash: account.hash, ...parameters }), tracker_id);
    // A caller does one after the other, each in another database or object: a later one without an earlier one would
    // show two moments.
    expect(kept.checkins).toBeGreaterThanOrEqual(Number(before[index]));
    expect(
      [kept.points - kept.tags, kept.tags - kept.tasks, kept.tasks - kept.checkins].filter((one) => one < 0),
    ).toEqual([]);
    expect(kept.points - kept.checkins).toBeLessThanOrEqual(1);
  }
});

type Must = (path: string, parameters: object) => Promise<Reply>;

/** An account that stores, again and again: a point, a tag, a task, and a check-in with a photo. */
async function newCaller() {
  const account = await accounts.newAccount({ time_zone: "UTC" });
  const { id: tracker_id, source } = await account.newTracker();
  let isStopped = false;
  const caller = { account, tracker_id, rounds: 0, run, stop: () => (isStopped = true) };
  return caller;

  async function run() {
    while (!isStopped) {
      const time = START + caller.rounds * SECOND_MS;
      const point = { time, lat: 50 + caller.rounds / 1000, lng: 8 };
      expect(await accounts.feed(source.device_id, [point])).toMatchObject({ success: true });
      await account.must("/tag/create", { tag: { name: `Tag ${caller.rounds}`, color: "27A9E3" } });
      await account.must("/task/create", { task: taskOf(caller.rounds) });
      await account.must("/checkin/create", { tracker_id, location: DOCK, file_ids: [await newPhoto(account)] });
      caller.rounds++;
    }
  }
}

function taskOf(round: number) {
  const [from, to] = [writeUtc(START), writeUtc(START + 2 * DAY_MS)];
  return { label: `Task ${round}`, description: "", location: { ...DOCK, radius: 100 }, from, to };
}

async function newPhoto(account: Account): Promise<number> {
  const { value } = await account.must("/checkin/image/create", { size: 1000 });
  expect(await upload(value, new File([PNG], "a.png"))).toMatchObject({ success: true });
  return Number(value.file_id);
}

/** How much of a caller's work an installation has; every photo can be downloaded, and every tag is in the audit log once. */
async function readKept(must: Must, tracker_id: number) {
  const range = { from: writeUtc(START), to: writeUtc(START + DAY_MS), simplify: false, filter: false };
  const { list: points } = await must("/track/read", { tracker_id, ...range });
  const expected = points.map((_: Reply, index: number) => writeUtc(START + index * SECOND_MS));
  expect(points.map(({ get_time }: Reply) => get_time)).toEqual(expected);
  const { list: tags } = await must("/tag/list", {});
  const { list: tasks } = await must("/task/list", {});
  const { list: checkins } = await must("/checkin/list", {});
  for (const { files } of checkins) {
    expect(files).toHaveLength(1);
    const answer = await fetch(files[0].download_url);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(PNG);
  }
  // One more change makes fleet deliver the entries of earlier ones too.
  await must("/tag/create", { tag: { name: "Afterwards", color: "27A9E3" } });
  const days = { from: writeUtc(systemNow() - DAY_MS), to: writeUtc(systemNow() + DAY_MS) };
  const names = [...tags.map(({ name }: Reply) => name), "Afterwards"].toSorted();
  const readCreated = async () => {
    const { list } = await must("/user/audit/log/list", days);
    const created = list.filter(({ entry_category, action }: Reply) => `${entry_category} ${action}` === "tag create");
    return created.map(({ payload }: Reply) => payload.name).toSorted();
  };
  const isDelivered = (created: string[]) => created.length >= names.length;
  expect(await waitUntil("every tag is in the audit log", readCreated, isDelivered)).toEqual(names);
  return { points: points.length, tags: tags.length, tasks: tasks.length, checkins: checkins.length };
}
