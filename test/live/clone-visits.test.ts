import { expect, test } from "vitest";
import { systemNow } from "../../shared/time/clock.ts";
import { MINUTE_MS } from "../../shared/time/duration.ts";
import { type Account, feed, newAccount, operator, type Reply } from "../tool/call/account.ts";
import { writeUtc } from "../tool/call/utc-time.ts";
import { waitUntil } from "../tool/wait.ts";

const START = Math.floor(systemNow() / MINUTE_MS - 120) * MINUTE_MS;
const HERE = { lat: 50, lng: 8, address: "Yard 1", radius: 100 };
const [AWAY, THERE] = [7.9, 8];

test("points of a tracker move the tasks of its clones as well, each account's its own", async () => {
  const { owner, viewer, original, clone_id } = await newClone();
  const ofClone = await newTask(viewer, { tracker_id: clone_id, min_stay_duration: 5 });
  const ofOwner = await newTask(owner, { tracker_id: original.id });
  await feed(original.source.device_id, [at(0, AWAY), at(5, THERE), at(8, THERE)]);
  expect(await statusOf(viewer, ofClone, "arrived")).toMatchObject({ arrival_date: atMinute(5) });
  await statusOf(owner, ofOwner, "done");
  await feed(original.source.device_id, [at(12, AWAY)]);
  expect(await statusOf(viewer, ofClone, "done")).toMatchObject({ status_change_date: atMinute(10) });
  await expectEvents(viewer, clone_id, [`task_arrived ${atMinute(5)}`, `task_completed ${atMinute(10)}`]);
  await expectEvents(owner, original.id, [`task_arrived ${atMinute(5)}`, `task_completed ${atMinute(5)}`]);
  const { list } = await viewer.must("/task/history/list", { task_id: ofClone });
  expect(list.map(({ payload, user_id }: Reply) => [payload.status, user_id])).toEqual(
    ["assigned", "arrived", "done"].map((status) => [status, viewer.id]),
  );
});

test("a route of a clone is driven by its tracker, and late points correct what a clone's task had become", async () => {
  const { viewer, owner, original, clone_id } = await newClone();
  const stops = [8.2, 8].map((lng) => ({ ...STOP, location: { ...HERE, lng } }));
  const given = { route: { label: "Loop", description: "", tracker_id: clone_id }, checkpoints: stops };
  const { id: route_id } = (await viewer.must("/task/route/create", given)).result;
  await hear(owner, original.id);
  await feed(original.source.device_id, [at(20, 8), at(21, AWAY), at(30, 8.2), at(31, AWAY)]);
  await statusOf(viewer, route_id, "faulty");
  await feed(original.source.device_id, [at(10, 8.2)]);
  await statusOf(viewer, route_id, "done");
});

test("a deleted clone's task is not moved by the tracker's points, and tasks of other clones are", async () => {
  const { owner, viewer, original, clone_id } = await newClone();
  const other = await cloneOf(original.id);
  const gone = await newTask(viewer, { tracker_id: clone_id });
  const stays = await newTask(other.viewer, { tracker_id: other.clone_id });
  await viewer.must("/tracker/delete", { tracker_id: clone_id });
  await hear(owner, original.id);
  await feed(original.source.device_id, [at(0, AWAY), at(5, THERE)]);
  await statusOf(other.viewer, stays, "done");
  const { value } = await viewer.must("/task/read", { task_id: gone });
  expect(value).toMatchObject({ status: "unassigned", arrival_date: null });
});

async function newClone() {
  const owner = await newAccount({ time_zone: "UTC" });
  const original = await owner.newTracker();
  return { owner, original, ...(await cloneOf(original.id)) };
}

async function cloneOf(tracker_id: number) {
  const viewer = await newAccount({ time_zone: "UTC" });
  const { id } = await operator.must("/panel/tracker/clone", { tracker_id, user_id: viewer.id, label: "Rented van" });
  return { viewer, clone_id: Number(id) };
}

const STOP = { label: "Parcel", description: "", location: HERE, from: atMinute(0), to: atMinute(600) };

async function newTask(account: Account, given: object): Promise<number> {
  return (await account.must("/task/create", { task: { ...STOP, ...given }, create_form: false })).id;
}

/** Work of clones is found within a minute; with work of its own, the tracker's feed looks at once. */
function hear(owner: Account, tracker_id: number) {
  return newTask(owner, { tracker_id, location: { ...HERE, lat: 20 } });
}

function statusOf(account: Account, task_id: number, status: string): Promise<Reply> {
  const read = async () => (await account.must("/task/read", { task_id })).value;
  return waitUntil(`the task is ${status}`, read, (task) => task.status === status);
}

function expectEvents(account: Account, tracker_id: number, expected: string[]) {
  const range = { from: atMinute(-600), to: atMinute(900) };
  const events = async (): Promise<string[]> => {
    const { list } = await account.must("/history/tracker/list", { trackers: [tracker_id], ...range });
    return list.map(({ event, time }: Reply) => `${event} ${time}`);
  };
  return waitUntil(`the history has ${expected}`, events, (list) => list.join() === expected.join());
}

function at(minute: number, lng: number) {
  return { time: START + minute * MINUTE_MS, lat: 50, lng, speed: 40 };
}

/** A moment as an account in UTC reads it. */
function atMinute(minute: number) {
  return writeUtc(START + minute * MINUTE_MS);
}
