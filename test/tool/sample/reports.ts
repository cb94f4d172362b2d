import { systemNow } from "../../../shared/time/clock.ts";
import { DAY_MS } from "../../../shared/time/duration.ts";
import type { Account, Accounts } from "../call/account.ts";
import { mailTo } from "../call/mailbox.ts";
import { waitUntil } from "../wait.ts";
import { RANGE } from "./range.ts";
import type { Sample, World } from "./sample.ts";

type Order = (world: World) => object;
/** An order for each kind of thing that a report may be about. */
const ORDERS: Order[] = [
  ({ tracker_id }) => ({ trackers: [tracker_id], plugin: { plugin_id: 4 } }),
  ({ employee_id }) => ({ employees: [employee_id], plugin: { plugin_id: 82 } }),
  ({ tracker_id, sensor_id }) => ({
    ...{ trackers: [tracker_id], plugin: { plugin_id: 9, sensors: [{ tracker_id, sensor_id }] } },
  }),
  ({ tracker_id, zone_id }) => ({ trackers: [tracker_id], plugin: { plugin_id: 8, zone_ids: [zone_id] } }),
  ({ tracker_id, place_id }) => ({ trackers: [tracker_id], plugin: { plugin_id: 85, place_ids: [place_id] } }),
];

export const REPORTS_SAMPLES: Record<string, Sample[]> = {
  "/report/tracker/generate": ORDERS.map(orderSample),
  "/report/tracker/list": [{ parameters: () => ({}) }],
  "/report/tracker/status": [{ parameters: ({ report_id }) => ({ report_id }) }],
  "/report/tracker/retrieve": [{ parameters: ({ report_id }) => ({ report_id }) }],
  "/report/tracker/download": [{ parameters: ({ report_id }) => ({ report_id, format: "xlsx" }) }],
  "/report/tracker/delete": [{ parameters: ({ report_id }) => ({ report_id }), before: newReport }],
  "/report/schedule/create": ORDERS.map((order) => ({
    parameters: (world) => ({ schedule: scheduleSample(order(world)) }),
  })),
  "/report/schedule/update": ORDERS.map((order) => ({
    parameters: (world) => ({ schedule: { id: world.report_schedule_id, ...scheduleSample(order(world)) } }),
  })),
  "/report/schedule/delete": [
    { parameters: ({ report_schedule_id: schedule_id }) => ({ schedule_id }), before: newUsedUpSchedule },
  ],
  "/report/schedule/list": [{ parameters: () => ({}) }],
  "/report/mailed/fetch": [{ as: "nobody", parameters: () => ({}), before: newMailed }],
};

/** A sample that orders a report when no other report of the account is under way. */
function orderSample(order: Order): Sample {
  return {
    parameters: (world) => ({ ...RANGE, ...order(world) }),
    before: async (account) => {
      await allFinished(account);
      return {};
    },
  };
}

export async function newReports(account: Account) {
  return { ...(await newReport(account)), report_schedule_id: await newSchedule(account) };
}

/** Makes a report and waits until it is finished. */
async function newReport(account: Account) {
  await allFinished(account);
  const { id: tracker_id } = (await account.must("/tracker/list")).list[0];
  const plugin = { plugin_id: 4 };
  const { id } = await account.must("/report/tracker/generate", { trackers: [tracker_id], ...RANGE, plugin });
  await allFinished(account);
  return { report_id: id };
}

function scheduleSample(report: object) {
  const schedule = { type: "weekdays", weekdays: [1, 2, 3, 4, 5, 6, 7] };
  return { parameters: { period: "1d", schedule, report } };
}

async function newSchedule(account: Account, parameters: object = {}): Promise<number> {
  const { id: tracker_id } = (await account.must("/tracker/list")).list[0];
  const order = scheduleSample({ trackers: [tracker_id], plugin: { plugin_id: 4 } });
  const schedule = { parameters: { ...order.parameters, ...parameters } };
  return (await account.must("/report/schedule/create", { schedule })).id;
}

async function newUsedUpSchedule(account: Account) {
  return { schedule_id: await newSchedule(account) };
}

/** The parameters in the mailed address of a report that a schedule has made. */
async function newMailed(account: Account, accounts: Accounts) {
  const id = await newSchedule(account, { emails: [account.login] });
  await accounts.bringForward(id, Math.floor(systemNow() / DAY_MS) * DAY_MS);
  await accounts.fireCron("reports");
  await allFinished(account);
  await accounts.fireCron("reports");
  const { text } = await mailTo(account.login, accounts);
  return Object.fromEntries(new URLSearchParams(/mailed\/fetch\?(\S+)/.exec(text)?.[1]));
}

/** Waits until all reports of the account are finished, because an account may have one made at a time. */
async function allFinished(account: Account) {
  const percents = async (): Promise<number[]> =>
    (await account.must("/report/tracker/list")).list.map(({ percent }: { percent: number }) => percent);
  await waitUntil("all reports are finished", percents, (all) => all.every((percent) => percent === 100));
}
