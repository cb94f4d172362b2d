import { expect, test, vi } from "vitest";
import { systemNow } from "../../shared/time/clock.ts";
import { MINUTE_MS, SECOND_MS } from "../../shared/time/duration.ts";
import { type Account, accountsOn, feed, newAccount, type Reply } from "../tool/call/account.ts";
import { writeUtc } from "../tool/call/utc-time.ts";
import { chanceOf } from "../tool/chance.ts";
import { effort } from "../tool/effort.ts";
import { stack } from "../tool/system/stack.ts";
import { MAX_WAIT_MS, waitUntil } from "../tool/wait.ts";

const { fireCron } = accountsOn(stack);
const START = Math.floor(systemNow() / MINUTE_MS - 120) * MINUTE_MS;
const PATIENT = { timeout: MAX_WAIT_MS, interval: 100 };
const HERE = { lat: 50, lng: 8, address: "Yard 1", radius: 100 };
const [AWAY, THERE] = [7.9, 8];
const SIGNER = {
  id: "name",
  type: "text",
  label: "Name",
  description: "Who signs",
  required: false,
  min_length: 1,
  max_length: 20,
};
const NOTE = { label: "Note", description: "", submit_in_zone: false, default: false, fields: [SIGNER] };

test("a tracker inside the zone arrives, and a task that asks for no stay and no form is done by that", async () => {
  const { account, tracker_id, device_id } = await newTracker();
  const id = await newTask(account, { tracker_id });
  await feed(device_id, [at(0, AWAY), at(5, THERE)]);
  const task = await statusOf(account, id, "done");
  expect(task).toMatchObject({ arrival_date: atMinute(5), status_change_date: atMinute(5) });
  expect(await turnsOf(account, id)).toEqual([`arrived ${atMinute(5)}`, `done ${atMinute(5)}`]);
  await expectEvents(account, tracker_id, [`task_arrived ${atMinute(5)}`, `task_completed ${atMinute(5)}`]);
});

test("a task's required stay is reached by the sum of all visits that last long enough", async () => {
  const { account, tracker_id, device_id } = await newTracker();
  const id = await newTask(account, { tracker_id, min_arrival_duration: 3, min_stay_duration: 10 });
  await feed(device_id, [at(0, AWAY), at(5, THERE), at(7, AWAY), at(10, THERE), at(12, THERE)]);
  await waitForVisits(account, device_id, at(12.5, THERE));
  expect(await read(account, id)).toMatchObject({ status: "assigned", arrival_date: null, stay_duration: 0 });
  await feed(device_id, [at(14, THERE), at(16, AWAY)]);
  expect(await statusOf(account, id, "arrived")).toMatchObject({ arrival_date: atMinute(10) });
  await waitUntil(
    "both visits count",
    () => read(account, id),
    ({ stay_duration }) => stay_duration === 360,
  );
  await feed(device_id, [at(20, THERE), at(30, THERE)]);
  expect(await statusOf(account, id, "done")).toMatchObject({ status_change_date: atMinute(24) });
  expect(await turnsOf(account, id)).toEqual([`arrived ${atMinute(13)}`, `done ${atMinute(24)}`]);
});

test("points before a task's beginning do not count, and a stay that began earlier counts from that beginning", async () => {
  const { account, tracker_id, device_id } = await newTracker();
  const early = await newTask(account, { tracker_id, from: atMinute(20) });
  const later = await newTask(account, { tracker_id, from: atMinute(40) });
  await feed(device_id, [at(0, AWAY), at(10, THERE), at(15, THERE)]);
  await feed(device_id, [at(30, THERE), at(35, AWAY)]);
  expect(await statusOf(account, early, "done")).toMatchObject({ arrival_date: atMinute(20), stay_duration: 900 });
  expect(await read(account, later)).toMatchObject({ status: "assigned", arrival_date: null });
});

test("a task that is given to a tracker inside its zone is reached by what has come, once the next point comes", async () => {
  const { account, tracker_id, device_id } = await newTracker();
  await feed(device_id, [at(0, AWAY), at(5, THERE)]);
  const id = await newTask(account, {});
  await account.must("/task/assign", { task_id: id, tracker_id });
  await feed(device_id, [at(6, THERE)]);
  expect(await statusOf(account, id, "done")).toMatchObject({ arrival_date: atMinute(5) });
});

test("a task whose place moves is visited at its new place, and a task without a tracker is not visited", async () => {
  const { account, tracker_id, device_id } = await newTracker();
  const [moved, taken] = [await newTask(account, { tracker_id }), await newTask(account, { tracker_id })];
  await feed(device_id, [at(0, AWAY)]);
  await account.must("/task/update", { task: { id: moved, location: { ...HERE, lng: 8.5 } } });
  await account.must("/task/assign", { task_id: taken, tracker_id: null });
  await feed(device_id, [at(5, THERE), at(10, 8.5), at(11, AWAY)]);
  expect(await statusOf(account, moved, "done")).toMatchObject({ arrival_date: atMinute(10) });
  expect(await read(account, taken)).toMatchObject({ status: "unassigned", arrival_date: null });
});

test("points move no task of another tracker, and none of another account", async () => {
  const [own, other] = [await newTracker(), await newTracker()];
  const { id: second } = await own.account.newTracker();
  const ofSecond = await newTask(own.account, { tracker_id: second });
  const ofOther = await newTask(other.account, { tracker_id: other.tracker_id });
  const reached = await newTask(own.account, { tracker_id: own.tracker_id });
  await feed(own.device_id, [at(5, THERE)]);
  await statusOf(own.account, reached, "done");
  expect(await read(own.account, ofSecond)).toMatchObject({ status: "assigned", arrival_date: null });
  expect(await read(other.account, ofOther)).toMatchObject({ status: "assigned", arrival_date: null });
});

test("a task with a form is done by the later of its stay and its form's submission", async () => {
  const { account, tracker_id, device_id } = await newTracker();
  const { id: form_template_id } = await account.must("/form/template/create", { template: NOTE });
  const [before, after] = [
    await newTask(account, { tracker_id, form_template_id }, true),
    await newTask(account, { tracker_id, form_template_id }, true),
  ];
  await account.must("/task/form/values/update", { task_id: before, values: {} });
  await feed(device_id, [at(0, AWAY), at(5, THERE)]);
  expect((await statusOf(account, before, "done")).arrival_date).toBe(atMinute(5));
  await statusOf(account, after, "arrived");
  await account.must("/task/form/values/update", { task_id: after, values: {} });
  expect((await read(account, after)).status).toBe("done");
  // Points that come later leave the task done.
  await waitForVisits(account, device_id, at(6, THERE));
  expect(await turnsOf(account, after)).toEqual([`arrived ${atMinute(5)}`, expect.stringMatching(/^done /)]);
});

test("a form that is taken away keeps nothing waiting", async () => {
  const { account, tracker_id, device_id } = await newTracker();
  const { id: form_template_id } = await account.must("/form/template/create", { template: NOTE });
  const task_id = await newTask(account, { tracker_id, form_template_id }, true);
  await feed(device_id, [at(5, THERE)]);
  await statusOf(account, task_id, "arrived");
  await account.must("/task/form/delete", { task_id });
  expect((await read(account, task_id)).status).toBe("done");
});

test("a route is done when all its checkpoints were visited in order, and faulty when they were not", async () => {
  const [done, faulty] = [await newTracker(), await newTracker()];
  const [first, second] = [await newRoute(done), await newRoute(faulty)];
  await feed(done.device_id, [at(0, AWAY), at(5, 8), at(10, 8.1), at(15, AWAY)]);
  await feed(faulty.device_id, [at(0, AWAY), at(5, 8.1), at(10, 8), at(15, AWAY)]);
  expect(await statusOf(done.account, first, "done")).toMatchObject({ status_change_date: atMinute(10) });
  expect(await statusOf(faulty.account, second, "faulty")).toMatchObject({ status_change_date: atMinute(10) });
  expect(await turnsOf(faulty.account, second)).toEqual([`faulty ${atMinute(10)}`]);
  const words = ["checkpoint_arrived", "checkpoint_completed", "checkpoint_arrived", "checkpoint_completed"];
  const events = async () => (await eventsOf(done.account, done.tracker_id)).map(({ event }) => event).toSorted();
  const expected = [...words, "route_completed"].toSorted();
  await waitUntil(`the history has ${expected}`, events, (list) => list.join() === expected.join());
});

test("late points that show another order of stops turn a route that was done into a faulty one", async () => {
  const { account, tracker_id, device_id } = await newTracker();
  const id = await newRoute({ account, tracker_id });
  await feed(device_id, [at(10, 8), at(15, 8.1), at(20, AWAY)]);
  await statusOf(account, id, "done");
  await feed(device_id, [at(5, 8.1), at(7, AWAY)]);
  await statusOf(account, id, "faulty");
  expect(await turnsOf(account, id)).toEqual([`faulty ${atMinute(10)}`]);
  await vi.waitFor(async () => {
    const events = (await eventsOf(account, tracker_id)).filter(({ extra }) => extra.task_id === id);
    expect(events.map(({ event, extra }) => `${event} ${extra.corrected ?? ""}`).toSorted()).toEqual([
      "corrected ",
      "route_completed true",
      "route_faulty ",
    ]);
  }, PATIENT);
});

test("a task that failed by the clock is done once late points show a visit, and its event is marked as corrected", async () => {
  const { account, tracker_id, device_id } = await newTracker();
  const to = Math.ceil(systemNow() / SECOND_MS) * SECOND_MS + SECOND_MS;
  const id = await newTask(account, { tracker_id, to: writeUtc(to) });
  await feed(device_id, [at(0, AWAY)]);
  const sweptStatus = async () => {
    await fireCron("tasks");
    return (await read(account, id)).status;
  };
  await waitUntil("the task has failed", sweptStatus, (status) => status === "failed");
  await feed(device_id, [at(5, THERE)]);
  await statusOf(account, id, "done");
  const [failed, ...turns] = await turnsOf(account, id);
  expect([failed?.slice(0, 6), ...turns]).toEqual(["failed", `arrived ${atMinute(5)}`, `done ${atMinute(5)}`]);
  await vi.waitFor(async () => {
    const events = (await eventsOf(account, tracker_id)).map(({ event, extra }) => `${event} ${extra.corrected ?? ""}`);
    expect(events.toSorted()).toEqual(["corrected ", "task_arrived ", "task_completed ", "task_failed true"]);
  }, PATIENT);
});

test("a late point that ends a stay early takes a task back from done to arrived", async () => {
  const { account, tracker_id, device_id } = await newTracker();
  const id = await newTask(account, { tracker_id, min_stay_duration: 10 });
  await feed(device_id, [at(0, AWAY), at(5, THERE), at(20, AWAY)]);
  await statusOf(account, id, "done");
  await feed(device_id, [at(8, AWAY)]);
  expect(await statusOf(account, id, "arrived")).toMatchObject({ arrival_date: atMinute(5), stay_duration: 180 });
  expect(await turnsOf(account, id)).toEqual([`arrived ${atMinute(5)}`]);
});

test("a vehicle that stands inside and says nothing more has stayed as long as the clock says", async () => {
  const { account, tracker_id, device_id } = await newTracker();
  const id = await newTask(account, { tracker_id, min_stay_duration: 1 });
  const seen = systemNow() - 50 * SECOND_MS;
  await feed(device_id, [
    { time: seen, lat: 50, lng: THERE },
    { time: systemNow(), lat: 50, lng: THERE },
  ]);
  await statusOf(account, id, "arrived");
  expect((await statusOf(account, id, "done")).stay_duration).toBeGreaterThanOrEqual(60);
});

test("a task that is made after a drive is done by points that are in the database already", async () => {
  const { account, tracker_id, device_id } = await newTracker();
  const drive = Array.from({ length: 6000 }, (_, index) => at(index / 60, 7.9 + index / 20_000));
  for (let start = 0; start < drive.length; start += 500) {
    expect(await feed(device_id, drive.slice(start, start + 500))).toMatchObject({ success: true });
  }
  const chunksOfTracker = () => stack.rowsOf("geo", "chunk", { tracker_id });
  await waitUntil("the drive is in the database", chunksOfTracker, ({ length }) => length > 0);
  const [reached, passed] = [
    await newTask(account, { tracker_id }),
    await newTask(account, { tracker_id, from: atMinute(60) }),
  ];
  await feed(device_id, [at(101, AWAY)]);
  // 100 meters before its place, a second and some 3.6 meters for each point.
  const { arrival_date, stay_duration } = await statusOf(account, reached, "done");
  expect(arrival_date.slice(0, 16)).toBe(atMinute(32.9).slice(0, 16));
  expect(stay_duration).toBeGreaterThan(50);
  expect(await read(account, passed)).toMatchObject({ status: "assigned", arrival_date: null });
});

test("points in any order and in any batches end in the same statuses, dates and histories", async () => {
  const chance = chanceOf(11);
  const points = Array.from({ length: 90 }, (_, minute) => at(minute, 8 + 0.004 * Math.sin(minute / 5)));
  const drive = [...points, at(91, AWAY)];
  const orders = [
    drive,
    [...drive].reverse(),
    drive.toSorted(() => chance() - 0.5),
    drive.toSorted(() => chance() - 0.5),
  ];
  const ends = await Promise.all(
    orders.map(async (order, index) => {
      const { account, tracker_id, device_id } = await newTracker();
      const ids = [
        await newTask(account, { tracker_id, min_stay_duration: 12 }),
        await newTask(account, { tracker_id, from: atMinute(20), min_arrival_duration: 3, min_stay_duration: 9 }),
        await newTask(account, { tracker_id, min_arrival_duration: 30 }),
        await newTask(account, { tracker_id, location: { ...HERE, radius: 5000 }, min_stay_duration: 60 }),
        await newRoute({ account, tracker_id }, 8.0035, 7.9965),
      ];
      const size = [91, 5, 1, 17][index] ?? 1;
      for (let start = 0; start < order.length; start += size) await feed(device_id, order.slice(start, start + size));
      return { account, ids };
    }),
  );
  const endOf = async ({ account, ids }: (typeof ends)[number]) =>
    Promise.all(
      ids.map(async (id) => {
        const { value } = await account.must("/task/read", { task_id: id });
        const { status, arrival_date, stay_duration } = value;
        return { status, arrival_date, stay_duration, turns: await turnsOf(account, id) };
      }),
    );
  await vi.waitFor(async () => {
    const [inOrder = [], ...others] = await Promise.all(ends.map(endOf));
    expect(inOrder.map(({ status }) => status)).toEqual(["done", "done", "assigned", "done", "done"]);
    for (const other of others) expect(other).toEqual(inOrder);
  }, PATIENT);
});

test("the visits of all tasks of one tracker are followed, also of very many", async () => {
  const count = effort({ few: 200, many: 1000 });
  const { account, tracker_id, device_id } = await newTracker();
  const ids: number[] = [];
  for (let start = 0; start < count; start += 50) {
    const part = Array.from({ length: 50 }, (_, index) => {
      const lng = 8 + (start + index) * 0.01;
      return newTask(account, { tracker_id, location: { ...HERE, lng } });
    });
    ids.push(...(await Promise.all(part)));
  }
  const drive = ids.map((_, index) => at(index / 20, 8 + index * 0.01));
  for (let start = 0; start < drive.length; start += 250) await feed(device_id, drive.slice(start, start + 250));
  const done = async () =>
    (await account.must("/task/list", { trackers: [tracker_id], statuses: ["done"], limit: 1 })).count;
  await waitUntil("all tasks are done", done, (found) => found === count);
});

async function newTracker() {
  const account = await newAccount({ time_zone: "UTC" });
  const { id, source } = await account.newTracker();
  return { account, tracker_id: id, device_id: source.device_id };
}

async function newTask(account: Account, given: object, create_form = false): Promise<number> {
  const task = { label: "Parcel", description: "", location: HERE, from: atMinute(0), to: atMinute(600), ...given };
  return (await account.must("/task/create", { task, create_form })).id;
}

async function newRoute({ account, tracker_id }: { account: Account; tracker_id: number }, ...at: number[]) {
  const stops = (at.length > 0 ? at : [8, 8.1]).map((lng) => ({
    ...{ label: "Stop", description: "", location: { ...HERE, lng }, from: atMinute(0), to: atMinute(600) },
  }));
  const route = { label: "Loop", description: "", tracker_id };
  return (await account.must("/task/route/create", { route, checkpoints: stops })).result.id;
}

async function read(account: Account, task_id: number): Promise<Reply> {
  return (await account.must("/task/read", { task_id })).value;
}

function statusOf(account: Account, task_id: number, status: string): Promise<Reply> {
  return waitUntil(
    `the task is ${status}`,
    () => read(account, task_id),
    (task) => task.status === status,
  );
}

/** Feeds another point, and waits until visits have followed it: what it should not change has been left alone then. */
async function waitForVisits(account: Account, device_id: string, point: object) {
  const { list } = await account.must("/tracker/list", {});
  const tracker_id = list.find(({ source }: Reply) => source.device_id === device_id).id;
  const [{ time, lng }] = [point as { time: number; lng: number }];
  const id = await newTask(account, { tracker_id, location: { ...HERE, lng } });
  await feed(device_id, [{ ...point, time: time + 1 }]);
  await statusOf(account, id, "done");
}

async function turnsOf(account: Account, task_id: number): Promise<string[]> {
  const { list } = await account.must("/task/history/list", { task_id });
  return list
    .filter(({ operation }: Reply) => operation === "status_change")
    .map(({ payload, event_date }: Reply) => `${payload.status} ${event_date}`);
}

async function eventsOf(account: Account, tracker_id: number): Promise<Reply[]> {
  const range = { from: atMinute(-600), to: atMinute(900) };
  return (await account.must("/history/tracker/list", { trackers: [tracker_id], ...range })).list;
}

function expectEvents(account: Account, tracker_id: number, expected: string[]) {
  const events = async () => (await eventsOf(account, tracker_id)).map(({ event, time }) => `${event} ${time}`);
  return waitUntil(`the history has ${expected}`, events, (list) => list.join() === expected.join());
}

function at(minute: number, lng: number) {
  return { time: START + minute * MINUTE_MS, lat: 50, lng };
}

function atMinute(minute: number) {
  return writeUtc(START + minute * MINUTE_MS);
}
