import { setTimeout as pause } from "node:timers/promises";
import type { Account } from "../account.ts";
import { RANGE } from "./range.ts";
import type { Sample } from "./sample.ts";

export const REPORTS_SAMPLES: Record<string, Sample[]> = {
  "/report/tracker/generate": [
    {
      parameters: ({ tracker_id }) => ({ trackers: [tracker_id], ...RANGE, plugin: { plugin_id: 4 } }),
      before: async (account) => {
        await allFinished(account);
        return {};
      },
    },
  ],
  "/report/tracker/list": [{ parameters: () => ({}) }],
  "/report/tracker/status": [{ parameters: ({ report_id }) => ({ report_id }) }],
  "/report/tracker/retrieve": [{ parameters: ({ report_id }) => ({ report_id }) }],
  "/report/tracker/download": [{ parameters: ({ report_id }) => ({ report_id, format: "xlsx" }) }],
  "/report/tracker/delete": [{ parameters: ({ report_id }) => ({ report_id }), before: newReport }],
};

/** A finished one. */
export async function newReport(account: Account) {
  await allFinished(account);
  const { id: tracker_id } = (await account.must("/tracker/list")).list[0];
  const plugin = { plugin_id: 4 };
  const { id } = await account.must("/report/tracker/generate", { trackers: [tracker_id], ...RANGE, plugin });
  await allFinished(account);
  return { report_id: id };
}

/** So many are made at a time. */
async function allFinished(account: Account) {
  for (let tries = 0; tries < 200; tries++) {
    const { list } = await account.must("/report/tracker/list");
    if (list.every(({ percent }: { percent: number }) => percent === 100)) return;
    await pause(50);
  }
  throw new Error("a report is not finished");
}
