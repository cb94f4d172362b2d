import type { Account } from "../../call/account.ts";
import { daysAgo, RANGE } from "../range.ts";
import type { Sample } from "../sample.ts";
import { newTracker } from "./tracker.ts";

export const DRIVER_JOURNAL_SAMPLES: Record<string, Sample[]> = {
  "/driver/journal/entry/list": [
    { parameters: ({ tracker_id }) => ({ tracker_id, ...RANGE, sort: ["driver=asc", "start_date=desc"] }) },
    { parameters: ({ entry_id }) => ({ entry_ids: [entry_id] }) },
  ],
  "/driver/journal/entry/create": [
    {
      parameters: ({ tracker_id, employee_id }) => ({ entries: [{ ...entryOf(tracker_id), employee_id }] }),
      before: async (account) => ({ entries: [entryOf((await newTracker(account)).tracker_id)] }),
    },
  ],
  "/driver/journal/entry/download": [
    { parameters: ({ tracker_id }) => ({ tracker_id, ...RANGE, format: "xlsx", group_by: "date" }) },
    { parameters: ({ entry_id }) => ({ entry_ids: [entry_id], format: "xls" }) },
  ],
  "/driver/journal/entry/update": [
    { parameters: ({ entry_id: id }) => ({ entry: { id, type: "personal" } }) },
    { parameters: ({ entry_id: id, tracker_id, employee_id }) => ({ entry: { id, tracker_id, employee_id } }) },
  ],
  "/driver/journal/entry/delete": [
    {
      parameters: ({ entry_id }) => ({ entry_ids: [entry_id] }),
      before: async (account) => {
        const { tracker_id } = await newTracker(account);
        return { entry_ids: [await newEntry(account, tracker_id)] };
      },
    },
  ],
  "/driver/journal/proposal/list": [{ parameters: ({ tracker_id }) => ({ tracker_id, ...RANGE }) }],
};

export function entryOf(tracker_id: number) {
  const [start_location, end_location] = [
    { lat: 40, lng: 8, address: "Depot" },
    { lat: 41, lng: 8, address: "Shop" },
  ];
  const dates = { start_date: daysAgo(3), end_date: daysAgo(2.9) };
  return { tracker_id, ...dates, type: "work", start_location, end_location, length: 120.5 };
}

export async function newEntry(account: Account, tracker_id: number, more: object = {}) {
  await account.must("/driver/journal/entry/create", { entries: [{ ...entryOf(tracker_id), ...more }] });
  const { list } = await account.must("/driver/journal/entry/list", { tracker_id, ...RANGE });
  return Number(list[0].id);
}
