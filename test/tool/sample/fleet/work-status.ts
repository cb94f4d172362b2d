import type { Account } from "../../call/account.ts";
import type { Sample } from "../sample.ts";
import { newTracker } from "./tracker.ts";

export const WORK_STATUS_SAMPLES: Record<string, Sample[]> = {
  "/status/listing/list": [{ parameters: () => ({}) }],
  "/status/listing/create": [{ parameters: () => ({ listing: LISTING }) }],
  "/status/listing/update": [
    {
      parameters: ({ listing_id: id, status_id }) => ({ listing: { ...LISTING, id, entries: [status_id] } }),
      // Its entries are all statuses of the listing, of which another sample makes more in the world's.
      before: async (account) => {
        const { listing_id: id, status_id } = await newListing(account);
        return { listing: { ...LISTING, id, entries: [status_id] } };
      },
    },
  ],
  "/status/listing/delete": [{ parameters: ({ listing_id }) => ({ listing_id }), before: newListing }],
  "/status/listing/tracker/assign": [
    { parameters: ({ tracker_id, listing_id }) => ({ tracker_id, listing_id }) },
    { parameters: ({ tracker_id }) => ({ tracker_id }), before: newTracker },
  ],
  "/status/list": [{ parameters: ({ listing_id }) => ({ listing_id }) }],
  "/status/create": [{ parameters: ({ listing_id }) => ({ listing_id, status: STATUS }) }],
  "/status/update": [{ parameters: ({ status_id: id }) => ({ status: { ...STATUS, id } }) }],
  "/status/delete": [{ parameters: ({ status_id }) => ({ status_id }), before: newListing }],
  "/status/tracker/assign": [
    {
      parameters: ({ tracker_id, status_id: new_status_id }) => ({ tracker_id, new_status_id }),
      before: async (account) => {
        const { listing_id, status_id: new_status_id } = await newListing(account);
        const { tracker_id } = await newTracker(account);
        await account.must("/status/listing/tracker/assign", { tracker_id, listing_id });
        return { tracker_id, new_status_id };
      },
    },
  ],
  "/status/tracker/read": [{ parameters: ({ tracker_id }) => ({ tracker_id }) }],
  "/status/tracker/list": [{ parameters: ({ tracker_id }) => ({ trackers: [tracker_id] }) }],
};

const LISTING = { label: "Drivers", employee_controlled: true, supervisor_controlled: true };

const STATUS = { label: "Busy", color: "E57373" };

export async function newListing(account: Account) {
  const { id: listing_id } = await account.must("/status/listing/create", { listing: LISTING });
  const { id: status_id } = await account.must("/status/create", { listing_id, status: STATUS });
  return { listing_id: Number(listing_id), status_id: Number(status_id) };
}
