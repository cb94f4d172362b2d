import { createClient } from "@libsql/client/http";
import { sweepSchedules } from "../services/tasks/src/schedule/sweep.ts";
import { NO_LIMITS } from "../shared/caller/principal.ts";
import { openDatabase } from "../shared/database/open.ts";
import { systemNow } from "../shared/time/clock.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../shared/time/duration.ts";
import { writeUtc } from "../test/tool/call/utc-time.ts";
import { beside } from "./lists.ts";
import { type Account, registerTracker, type Tracker } from "./tool/account.ts";
import { copyRow } from "./tool/copies.ts";
import { compareRounds, type Figure, highOf, rounds, timeOf } from "./tool/figure.ts";
import type { Stack } from "./tool/stack.ts";

const TRACKERS = 100;
const ACTIVE = 1_000;
const SCHEDULES = 10_000;
const PLACE = { lat: 50, lng: 8, address: "Yard 1", radius: 100 };

/** From a point to what its task has become, in an account with a thousand that wait; against the answer to the point. */
export async function visitFigure({ origin }: Stack, account: Account): Promise<Figure> {
  const trackers: Tracker[] = [];
  for (let number = 0; number < TRACKERS; number++) {
    trackers.push(await registerTracker(account, `Courier ${number}`));
  }
  const tasks: number[][] = trackers.map(() => []);
  for (let number = 0; number < ACTIVE; number++) {
    const index = number % TRACKERS;
    const location = { ...PLACE, lng: 8 + Math.floor(number / TRACKERS) };
    const { id } = await account.call("/task/create", { task: taskOf({ tracker_id: trackers[index]?.id, location }) });
    tasks[index]?.push(Number(id));
  }
  const feed = (device: Tracker | undefined, lng: number) =>
    fetch(`${origin}/api-v2/ingest/points`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ device_id: device?.device_id, points: [{ time: systemNow(), lat: 50, lng }] }),
    });
  let next = 0;
  const visit = async () => {
    const [device, stop] = [next % TRACKERS, Math.floor(next / TRACKERS)];
    next++;
    await feed(trackers[device], 8 + stop);
    const task_id = tasks[device]?.[stop];
    for (;;) {
      const { value } = await account.call("/task/read", { task_id });
      if ((value as { status: string }).status === "done") return; // the contract's task
    }
  };
  const taken = await rounds({
    answer: () => timeOf(() => feed(trackers[0], 0), 40),
    visit: () => highOf(visit, 40),
  });
  const baseline = { name: "the answer to a point, p50", unit: "ms" };
  const described = { name: "point to task status, 1,000 active tasks, p95", unit: "ms" };
  return compareRounds({ ...described, goal: { mostValue: 1000 }, baseline }, taken.visit, taken.answer);
}

/** Midnight of one zone: the tasks of ten thousand schedules, and in how many calls of the database. */
export async function midnightFigures({ servers }: Stack, account: Account): Promise<Figure[]> {
  const parameters = { type: "weekdays", weekdays: [1, 2, 3, 4, 5, 6, 7] };
  const plan = { label: "Round", description: "", location: PLACE, from_time: "12:00:00", duration: 60, parameters };
  const { id } = await account.call("/task/schedule/create", { schedule: plan });
  await copyRow(servers.tasks, "task_schedule", Number(id), SCHEDULES, { label: "'Round ' || n" });
  const { url, token } = servers.tasks;
  const env = {
    DB_URL: url,
    DB_TOKEN: token,
    DB_WRITERS: "1",
    DB_STREAMS: "16",
    STATEMENT_SECONDS: "60",
    CLOCK_OFFSET_SECONDS: "0",
  };
  const db = openDatabase(env);
  const client = createClient({ url, authToken: token });
  const limits = {
    limitsOf: async (ids: number[]) => Object.fromEntries(ids.map((id) => [id, { ...NO_LIMITS, tasks: 1_000_000 }])),
  };
  let day = systemNow();
  let calls = 0;
  const { fetch: plain } = globalThis;
  const midnightOf = (count: number) => async () => {
    day += 2 * DAY_MS;
    const due = `UPDATE task_schedule SET next_run = ${day} WHERE id IN (SELECT id FROM task_schedule ORDER BY id LIMIT ${count})`;
    await client.execute("UPDATE task_schedule SET next_run = 8000000000000000");
    await client.execute(due);
    calls = 0;
    const start = performance.now();
    globalThis.fetch = (...given) => {
      calls++;
      return plain(...given);
    };
    try {
      await sweepSchedules(db, limits, day + MINUTE_MS);
    } finally {
      globalThis.fetch = plain;
    }
    return (performance.now() - start) / SECOND_MS;
  };
  const taken = await rounds({ tenth: midnightOf(SCHEDULES / 10), whole: midnightOf(SCHEDULES) }, 3);
  client.close();
  const name = "midnight of 10,000 schedules";
  return [
    compareRounds(
      { name, unit: "s", goal: { mostValue: 60 }, baseline: { name: "of 1,000", unit: "s" } },
      taken.whole,
      taken.tenth,
    ),
    compareRounds(
      { name: `${name}, calls`, unit: "calls", goal: { mostValue: 300 }, baseline: { name: "schedules", unit: "" } },
      [calls],
      [SCHEDULES],
    ),
  ];
}

/** A page of a hundred thousand tasks by three conditions, sorted, against the same of a thousand. */
export async function taskListFigure(stack: Stack, large: Account, small: Account): Promise<Figure> {
  for (const [account, count] of [
    [large, 100_000],
    [small, 1_000],
  ] as const) {
    const { id } = await account.call("/task/create", { task: taskOf({}) });
    await copyRow(stack.servers.tasks, "task", Number(id), count, {
      label: "'Parcel ' || n",
      label_folded: "'parcel ' || n",
      description_folded: "'at the door ' || (n % 100)",
      '"from"': `"from" + n * ${MINUTE_MS}`,
    });
  }
  const conditions = [
    { type: "contains", field: "label", value: "parcel 77" },
    { type: "in", field: "status", value: ["unassigned"] },
    { type: "period", field: "from", value: { from: writeAhead(0), to: writeAhead(100 * DAY_MS) } },
  ];
  const search = { conditions, sort: ["label=desc"], limit: 100 };
  return beside(stack, "/task/list", " by three conditions and sorted", search, 2, large, small);
}

function taskOf(given: object) {
  const period = { from: writeAhead(-DAY_MS), to: writeAhead(DAY_MS) };
  return { label: "Parcel", description: "", location: PLACE, ...period, ...given };
}

/** The accounts' zone is UTC. */
function writeAhead(ms: number) {
  return writeUtc(systemNow() + ms);
}
