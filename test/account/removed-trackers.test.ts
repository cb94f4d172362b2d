import { afterAll, beforeAll, expect, test } from "vitest";
import { systemNow, writeLocal } from "../../shared/time/clock.ts";
import { DAY_MS } from "../../shared/time/duration.ts";
import { type Account, type Accounts, accountsOn, type Reply } from "../tool/call/account.ts";
import { startWatchedSystem } from "../tool/system/system.ts";

// A test takes a database away, so this file has a system of its own.
let system: Awaited<ReturnType<typeof startWatchedSystem>>;
let accounts: Accounts;

beforeAll(async () => {
  system = await startWatchedSystem();
  accounts = accountsOn(system);
});

afterAll(() => system?.stop());

const inDays = (days: number) => writeLocal(systemNow() + days * DAY_MS, "Europe/Berlin");
const location = { lat: 52.5, lng: 13.4, address: "Yard", radius: 100 };
const visit = { location, label: "Visit", description: "" };
const parcel = { ...visit, from: inDays(0), to: inDays(1) };
const days = { from_time: "06:30:00", duration: 60, parameters: { type: "weekdays", weekdays: [1] } };

/** A task, a route of two checkpoints and a schedule, all the tracker's. */
async function newWork(account: Account, tracker_id: number) {
  const { id: task_id } = await account.must("/task/create", { task: { ...parcel, tracker_id } });
  const { result: route } = await account.must("/task/route/create", {
    route: { label: "Loop", description: "", tracker_id },
    checkpoints: [parcel, parcel],
  });
  const { id: schedule_id } = await account.must("/task/schedule/create", {
    schedule: { ...visit, ...days, tracker_id },
  });
  return { tasks: [task_id, route.id, ...route.checkpoint_ids] as number[], schedule_id: Number(schedule_id) };
}
type Work = Awaited<ReturnType<typeof newWork>>;

async function trackersOf(account: Account, { tasks, schedule_id }: Work) {
  const read = tasks.map(async (task_id) => (await account.must("/task/read", { task_id })).value);
  const schedule = (await account.must("/task/schedule/read", { id: schedule_id })).value;
  const shown = (await Promise.all(read)).map(({ tracker_id, status }: Reply) => [tracker_id, status]);
  return { tasks: shown, schedule: [schedule.tracker_id, schedule.paused] };
}

const FREE = {
  tasks: Array.from({ length: 4 }, () => [null, "unassigned"]),
  schedule: [null, true],
};

async function corrupt(tracker_id: number) {
  await accounts.must("/panel/tracker/corrupt", { hash: await accounts.operatorHash(), tracker_id });
}

async function newClone(owner: Account, viewer: Account) {
  const { id: tracker_id } = await owner.newTracker();
  const given = { tracker_id, user_id: viewer.id, label: "Rented" };
  const { id } = await accounts.must("/panel/tracker/clone", { hash: await accounts.operatorHash(), ...given });
  return { tracker_id: Number(tracker_id), clone_id: Number(id) };
}

test("the removal of a tracker takes it off its tasks, with entries in their history, and pauses its schedules before the answer", async () => {
  const account = await accounts.newAccount();
  const [{ id: gone }, { id: other }] = [await account.newTracker(), await account.newTracker()];
  const [work, others] = [await newWork(account, gone), await newWork(account, other)];
  const before = await trackersOf(account, others);
  await corrupt(gone);
  expect(await trackersOf(account, work)).toEqual(FREE);
  expect(await trackersOf(account, others)).toEqual(before);
  const { list } = await account.must("/task/history/list", { task_id: work.tasks[0] });
  expect(list.slice(1).map(({ operation, payload, user_id }: Reply) => [operation, payload, user_id])).toEqual([
    ["assign", { tracker_id: null }, account.id],
    ["status_change", { status: "unassigned" }, account.id],
  ]);
  // A removal that is delivered twice changes nothing more.
  await Promise.all([system.fireCron("fleet"), system.fireCron("tasks")]);
  await system.fireCron("tasks");
  expect((await account.must("/task/history/list", { task_id: work.tasks[0] })).list).toHaveLength(3);
  const range = { from: inDays(-1), to: inDays(1) };
  const { list: log } = await account.must("/user/audit/log/list", range);
  const paused = log.filter(
    ({ entry_category, action }: Reply) => `${entry_category} ${action}` === "task_schedule pause",
  );
  expect(paused.map(({ entry_id }: Reply) => entry_id)).toEqual([work.schedule_id]);
});

test("a removed tracker pauses a route's schedule as one, which the log tells once, until it is given another", async () => {
  const account = await accounts.newAccount();
  const { id: tracker_id } = await account.newTracker();
  const { parameters, ...time } = days;
  const { id } = await account.must("/task/schedule/route/create", {
    route: { label: "Loop", description: "", parameters, tracker_id },
    checkpoints: [
      { ...visit, ...time },
      { ...visit, ...time },
    ],
  });
  await corrupt(tracker_id);
  const read = async () => {
    const { value, checkpoints } = await account.must("/task/schedule/read", { id });
    return [value, ...checkpoints].map((one: Reply) => [one.tracker_id, one.paused]);
  };
  const ofStop = [null, undefined];
  expect(await read()).toEqual([[null, true], ofStop, ofStop]);
  await system.fireCron("tasks");
  const { list } = await account.must("/user/audit/log/list", { from: inDays(-1), to: inDays(1) });
  expect(list.filter(({ action }: Reply) => action === "pause").map(({ entry_id }: Reply) => entry_id)).toEqual([id]);
  const update = (route: object) => account.must("/task/schedule/route/update", { route: { id, ...route } });
  await update({ label: "Other loop" });
  expect((await read())[0]).toEqual([null, true]);
  await update({ paused: false });
  expect((await read())[0]).toEqual([null, false]);
  const { id: next } = await account.newTracker();
  await update({ tracker_id: next });
  expect(await read()).toEqual([
    [next, false],
    [next, undefined],
    [next, undefined],
  ]);
});

test("a paused schedule goes on with a new tracker or with `paused: false`, and stays paused when an update only repeats it", async () => {
  const account = await accounts.newAccount();
  const { id: tracker_id } = await account.newTracker();
  const { schedule_id: id } = await newWork(account, tracker_id);
  await corrupt(tracker_id);
  const read = async () => (await account.must("/task/schedule/read", { id })).value;
  const update = (schedule: object) => account.must("/task/schedule/update", { schedule: { id, ...schedule } });
  const paused = await read();
  await update(paused);
  expect(await read()).toEqual(paused);
  const { id: next } = await account.newTracker();
  await update({ ...paused, tracker_id: next });
  expect(await read()).toEqual({ ...paused, tracker_id: next, paused: false });
  await corrupt(next);
  expect(await read()).toEqual(paused);
  await update({ paused: false });
  expect(await read()).toEqual({ ...paused, paused: false });
});

test("a clone that its user deletes, or that goes with its original, is taken off the work of its account", async () => {
  const [owner, viewer] = [await accounts.newAccount(), await accounts.newAccount()];
  for (const remove of [
    ({ clone_id }: { clone_id: number }) => viewer.must("/tracker/delete", { tracker_id: clone_id }),
    ({ tracker_id }: { tracker_id: number }) => corrupt(tracker_id),
  ]) {
    const trackers = await newClone(owner, viewer);
    const work = await newWork(viewer, trackers.clone_id);
    await remove(trackers);
    expect(await trackersOf(viewer, work)).toEqual(FREE);
  }
});

test("the removal of a user takes clones of its trackers off the work of other accounts", async () => {
  const [owner, viewer] = [await accounts.newAccount(), await accounts.newAccount()];
  const { clone_id } = await newClone(owner, viewer);
  const work = await newWork(viewer, clone_id);
  const hash = await accounts.operatorHash();
  await accounts.must("/panel/user/corrupt", { hash, user_id: owner.id, login: owner.login });
  await system.fireCron("fleet");
  expect(await trackersOf(viewer, work)).toEqual(FREE);
});

test("a tracker that is removed while the database of tasks is away comes off its tasks with fleet's next sweep", async () => {
  const account = await accounts.newAccount();
  const { id: tracker_id } = await account.newTracker();
  const work = await newWork(account, tracker_id);
  await system.takeDown("tasks");
  await corrupt(tracker_id).finally(() => system.bringUp("tasks"));
  await system.fireCron("fleet");
  expect(await trackersOf(account, work)).toEqual(FREE);
});
