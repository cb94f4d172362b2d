import { afterAll, beforeAll, expect, test } from "vitest";
import { systemNow } from "../../shared/time/clock.ts";
import { MINUTE_MS, SECOND_MS } from "../../shared/time/duration.ts";
import { type Account, type Accounts, accountsOn, type Reply } from "../tool/call/account.ts";
import { writeUtc } from "../tool/call/utc-time.ts";
import { startPushService } from "../tool/receiver/push-service.ts";
import { startSystem } from "../tool/system/system.ts";
import { waitUntil } from "../tool/wait.ts";

const START = Math.floor(systemNow() / MINUTE_MS - 120) * MINUTE_MS;
const HERE = { lat: 50, lng: 8, address: "Yard 1", radius: 100 };
const AWAY = 7.9;

// Tests fire crons: this file has a system of its own.
let system: Awaited<ReturnType<typeof startSystem>>;
let accounts: Accounts;
let service: Awaited<ReturnType<typeof startPushService>>;

beforeAll(async () => {
  service = await startPushService();
  system = await startSystem({ AUDIT_DELAY_SECONDS: "0.05" });
  accounts = accountsOn(system);
});

afterAll(async () => {
  await system?.stop();
  service?.stop();
});

type Case = {
  /** Members of the task, or of each stop of the route. */
  stops: object[];
  isRoute?: boolean;
  drive(): { time: number; lat: number; lng: number }[];
  status: string;
  events: string[];
};
/** A stay of a minute, which ends only after it. */
const LATE = { to: "soon", max_delay: 600, min_stay_duration: 1 };
const comingLate = (lng: number) => [ago(56, lng), ago(0, lng)];
const CASES: Record<string, Case> = {
  "a task that is reached is arrived": {
    stops: [{ min_stay_duration: 30 }],
    drive: () => [at(5, 8)],
    status: "arrived",
    events: ["task_arrived"],
  },
  "a task that asks for no stay and no form is done": {
    stops: [{}],
    drive: () => [at(5, 8)],
    status: "done",
    events: ["task_arrived", "task_completed"],
  },
  "a task that was stayed at for long enough after its end is delayed": {
    stops: [LATE],
    drive: () => comingLate(8),
    status: "delayed",
    events: ["task_arrived", "task_delayed"],
  },
  "a task that no tracker came to is failed": {
    stops: [{ to: "soon" }],
    drive: () => [at(5, AWAY)],
    status: "failed",
    events: ["task_failed"],
  },
  "a route whose stops were all visited in order is done": {
    stops: [{}, { location: { ...HERE, lng: 8.1 } }],
    isRoute: true,
    drive: () => [at(5, 8), at(10, 8.1)],
    status: "done",
    events: [
      "checkpoint_arrived",
      "checkpoint_arrived",
      "checkpoint_completed",
      "checkpoint_completed",
      "route_completed",
    ],
  },
  "a route whose stops were visited in another order is faulty": {
    stops: [{}, { location: { ...HERE, lng: 8.1 } }],
    isRoute: true,
    drive: () => [at(5, 8.1), at(10, 8)],
    status: "faulty",
    events: [
      "checkpoint_arrived",
      "checkpoint_arrived",
      "checkpoint_completed",
      "checkpoint_completed",
      "route_faulty",
    ],
  },
  "a route with a stop that was reached late is done, and that stop delayed": {
    stops: [{}, { ...LATE, location: { ...HERE, lng: 8.1 } }],
    isRoute: true,
    drive: () => [at(5, 8), ...comingLate(8.1)],
    status: "done",
    events: [
      "checkpoint_arrived",
      "checkpoint_arrived",
      "checkpoint_completed",
      "checkpoint_delayed",
      "route_completed",
    ],
  },
  "a route with a stop that no tracker came to is failed": {
    stops: [{}, { to: "soon", location: { ...HERE, lng: 8.1 } }],
    isRoute: true,
    drive: () => [at(5, 8)],
    status: "failed",
    events: ["checkpoint_arrived", "checkpoint_completed", "checkpoint_failed", "route_failed"],
  },
};

test.each(Object.entries(CASES))(
  "work is in its history, the tracker's history and the phone: %s",
  async (_, expected) => {
    const account = await accounts.newAccount({ time_zone: "UTC" });
    const { id: tracker_id, source } = await account.newTracker();
    const browser = service.subscribe();
    await account.must("/user/session/push_token/bind", browser.token);
    const id = await newWork(account, tracker_id, expected);
    await accounts.feed(source.device_id, [at(0, AWAY), ...expected.drive()]);
    const sweptStatus = async () => {
      // The cron ends work whose time is over.
      await accounts.fireCron("tasks");
      return (await account.must("/task/read", { task_id: id })).value.status;
    };
    await waitUntil(`the work is ${expected.status}`, sweptStatus, (status) => status === expected.status);
    const { list } = await account.must("/task/history/list", { task_id: id });
    const turns = list.filter(({ operation }: Reply) => operation === "status_change");
    expect(turns.at(-1).payload.status).toBe(expected.status);

    const range = { from: atMinute(-600), to: atMinute(900), trackers: [tracker_id] };
    const stored = async (): Promise<string[]> =>
      (await account.must("/history/tracker/list", range)).list.map(({ event }: Reply) => event).toSorted();
    const areExpected = (events: string[]) => events.join() === expected.events.join();
    await waitUntil(`the history has ${expected.events}`, stored, areExpected);
    const pushed = () => browser.received().filter(({ category }) => category === "history_task");
    const pushedEvents = () =>
      pushed()
        .map(({ event }) => event.event)
        .toSorted();
    await waitUntil(`the phone has ${expected.events}`, pushedEvents, areExpected);
    const work = pushed().map(({ event }) => event.extra.parent_task_id ?? event.extra.task_id);
    expect(new Set(work)).toEqual(new Set([id]));
  },
);

async function newWork(account: Account, tracker_id: number, { stops, isRoute }: Case): Promise<number> {
  // By the end of the next second but one.
  const soon = new Date(Math.ceil(systemNow() / SECOND_MS) * SECOND_MS + SECOND_MS).toISOString();
  const tasks = stops.map((given) => {
    const { to = atMinute(600) } = given as { to?: string };
    const end = to === "soon" ? soon.slice(0, 19).replace("T", " ") : to;
    return { label: "Parcel", description: "", location: HERE, from: atMinute(0), ...given, to: end };
  });
  if (!isRoute) return (await account.must("/task/create", { task: { ...tasks[0], tracker_id } })).id;
  const route = { label: "Loop", description: "", tracker_id };
  return (await account.must("/task/route/create", { route, checkpoints: tasks })).result.id;
}

function at(minute: number, lng: number) {
  return { time: START + minute * MINUTE_MS, lat: 50, lng };
}

function ago(seconds: number, lng: number) {
  return { time: systemNow() - seconds * SECOND_MS, lat: 50, lng };
}

function atMinute(minute: number) {
  return writeUtc(START + minute * MINUTE_MS);
}
