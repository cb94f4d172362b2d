import type { Account } from "../../call/account.ts";
import { RANGE } from "../range.ts";
import type { Sample } from "../sample.ts";
import { newTracker } from "./tracker.ts";

export const HISTORY_SAMPLES: Record<string, Sample[]> = {
  "/history/read": [{ parameters: ({ event_id: id }) => ({ id }) }],
  "/history/mark_read": [
    {
      parameters: ({ event_id: id }) => ({ id }),
      before: async (account) => ({ id: await newEvent(account, (await newTracker(account)).tracker_id) }),
    },
  ],
  "/history/mark_read_all": [{ parameters: () => ({}) }],
  "/history/tracker/list": [{ parameters: ({ tracker_id }) => ({ trackers: [tracker_id], ...RANGE }) }],
  "/history/user/list": [{ parameters: () => ({ ...RANGE, only_unread: true, ascending: false }) }],
  "/history/asset/list": [
    { parameters: () => ({ ...RANGE }) },
    {
      parameters: ({ vehicle_id, employee_id }) => ({
        ...RANGE,
        assets: [
          { id: vehicle_id, type: "vehicle" },
          { id: employee_id, type: "employee" },
        ],
      }),
    },
  ],
  "/history/asset/count": [
    { parameters: () => ({ ...RANGE, asset_types: ["vehicle"] }) },
    { parameters: ({ vehicle_id: id }) => ({ ...RANGE, assets: [{ id, type: "vehicle" }] }) },
  ],
  "/history/type/list": [{ parameters: () => ({ locale: "en" }) }],
  "/history/unread/list": [{ parameters: () => ({ limit: 10 }) }],
  "/history/unread/count": [{ parameters: () => ({}) }],
};

/** Makes an event of the tracker by renaming it, and gives it its old name back. */
export async function newEvent(account: Account, tracker_id: number) {
  const { settings } = await account.must("/tracker/settings/read", { tracker_id });
  await account.must("/tracker/settings/update", { tracker_id, ...settings, label: "Renamed" });
  await account.must("/tracker/settings/update", { tracker_id, ...settings });
  const { list } = await account.must("/history/tracker/list", { trackers: [tracker_id], ...RANGE });
  return Number(list.at(-1).id);
}
