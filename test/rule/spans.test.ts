import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { DAY_MS } from "../../shared/time/duration.ts";
import { type Accounts, accountsOn } from "../tool/call/account.ts";
import { DECLARED } from "../tool/call/declared.ts";
import { writeUtc } from "../tool/call/utc-time.ts";
import { SAMPLES } from "../tool/sample/index.ts";
import { newWorld } from "../tool/sample/world.ts";
import { startSystem } from "../tool/system/system.ts";

let system: Awaited<ReturnType<typeof startSystem>>;
let accounts: Accounts;
let fleet: Awaited<ReturnType<typeof newWorld>>;

const THINGS = [
  "audit",
  "checkins",
  "counters",
  "history",
  "journal",
  "proposals",
  "reports",
  "sensors",
  "stats",
  "tasks",
  "tracks",
  "visits",
];
/** Operations whose range is the window of a stored thing: they read no range. */
const WINDOWS = [
  "/task/create",
  "/task/update",
  "/task/route/create",
  "/task/route/update",
  "/task/checkpoint/create",
  "/task/checkpoint/update",
  // Times of the day; how long its period is a test of its own asks.
  "/report/schedule/create",
  "/report/schedule/update",
  "/task/route/points/optimize",
  // Each of its six periods narrows the forms of a template or of some tasks.
  "/task/form/list",
  "/tracker/rule/create",
  "/tracker/rule/update",
  // The log has thirty days.
  "/webhook/delivery/list",
  "/webhook/delivery/replay",
];

beforeAll(async () => {
  const week = Object.fromEntries(THINGS.map((thing) => [thing, "P7D"]));
  system = await startSystem({ MAX_SPANS: JSON.stringify(week) });
  accounts = accountsOn(system);
  fleet = await newWorld(accounts);
});

afterAll(() => system?.stop());

test("counter/data/read is 211 beyond the installation's span, answers up to it, and is 7 beyond 31 days", async () => {
  const account = await accounts.newAccount({ time_zone: "UTC" });
  const { id: tracker_id } = await account.newTracker();
  const from = Date.parse("2026-05-01T00:00:00Z");
  const read = (to: number) =>
    account.call("/tracker/counter/data/read", {
      tracker_id,
      type: "odometer",
      from: writeUtc(from),
      to: writeUtc(to),
    });
  expect(await read(from + 7 * DAY_MS)).toEqual({ success: true, list: [] });
  expect((await read(from + 7 * DAY_MS + 1000)).status.code).toBe(211);
  expect((await read(from + 31 * DAY_MS)).status.code).toBe(211);
  expect((await read(from + 31 * DAY_MS + 1000)).status.code).toBe(7);
});

const ranged = [...DECLARED].filter(([path, { input }]) => hasRange(input) && !WINDOWS.includes(path));

test.each(ranged)(
  "operation %s takes a range of its longest span, and answers 211 a second beyond it",
  async (path, declared) => {
    const { account, world } = fleet;
    const samples = (SAMPLES[path] ?? []).map(({ parameters }) => parameters(world, account));
    // Beside ids of entries a range means nothing.
    const sample = samples.find((one) => !("entry_ids" in one));
    const ask = async (to: string) => {
      // Proposals are of the future alone.
      const year = path === "/task/schedule/proposal/list" ? "2926" : "2026";
      const range = { from: `${year}-05-01 00:00:00`, to: `${year}-${to}` };
      const reply = await account.call(path, { ...sample, ...range });
      return reply.status?.code;
    };
    expect(isRange(declared.input), "its range stands among the parameters themselves").toBe(true);
    expect(await ask("05-08 00:00:00")).toBeUndefined();
    expect(await ask("05-08 00:00:01")).toBe(211);
  },
);

test("a range that is open at one end has no span", async () => {
  for (const path of ["/task/list", "/task/route/list"]) {
    await fleet.account.must(path, { from: "1900-01-01 00:00:00" });
    await fleet.account.must(path, { to: "2900-01-01 00:00:00" });
  }
});

/** Whether `from` and `to` are named in it, at whatever depth. */
function hasRange(schema: object): boolean {
  const members = Object.values("def" in schema && schema.def ? schema.def : schema);
  const within = members.filter((member) => typeof member === "object" && member !== null);
  return isRange(schema) || within.some(hasRange);
}

function isRange(schema: object) {
  return schema instanceof z.ZodObject && "from" in schema.shape && "to" in schema.shape;
}
