import * as z from "zod";
import { requireTracker } from "#shared/contract/tracker/visible-tracker.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { listAnswer } from "#shared/operation/list-answer.ts";
import { operation } from "../../operation.ts";
import { selectVisible } from "../../tracker/queries.ts";
import { assignListing, changeListing, insertListing, removeListing, selectListings } from "./queries.ts";
import { ChangedStatusListing, NewStatusListing, StatusListing } from "./schema.ts";

export const listStatusListings = operation("/status/listing/list", {
  summary: "All lists of work statuses, each with the ids of its statuses in order",
  feature: "statuses on at least one tracker",
  reads: true,
  input: z.object({}),
  output: z.object({ list: z.array(StatusListing) }),
  errors: [236],
  async run(_, { db, principal }) {
    return listAnswer({}, await selectListings(db, principal));
  },
});

export const createStatusListing = operation("/status/listing/create", {
  summary: "Creates a list of work statuses, empty; 268 when the account has a hundred",
  right: "tracker_update",
  feature: "statuses on at least one tracker",
  input: z.object({ listing: NewStatusListing }),
  output: z.object({ id: z.int() }),
  errors: [236, 268],
  async run({ listing }, { db, principal, actor }) {
    const id = await insertListing(db, principal, listing, actor);
    return { id };
  },
});

export const updateStatusListing = operation("/status/listing/update", {
  summary:
    "Changes a list; members that are left out stay. entries is the order of its statuses and must name each once",
  right: "tracker_update",
  feature: "statuses on at least one tracker",
  input: z.object({ listing: ChangedStatusListing }),
  output: z.object({}),
  errors: [201, 236, 262],
  async run({ listing }, { db, principal, actor }) {
    await changeListing(db, principal, listing, actor);
    return {};
  },
});

export const deleteStatusListing = operation("/status/listing/delete", {
  summary: "Deletes a list with its statuses; trackers that had it have no list from then on",
  right: "tracker_update",
  feature: "statuses on at least one tracker",
  input: z.object({ listing_id: z.int() }),
  output: z.object({}),
  errors: [201, 236],
  async run({ listing_id }, { db, principal, actor }) {
    await removeListing(db, principal, listing_id, actor);
    return {};
  },
});

export const assignStatusListing = operation("/status/listing/tracker/assign", {
  summary: "Gives a tracker a list of work statuses; without listing_id it has none",
  right: "tracker_update",
  feature: "statuses",
  input: z.object({ tracker_id: z.int(), listing_id: z.int().nullable().default(null) }),
  output: z.object({}),
  errors: [201, 204, 208, 219, 236],
  async run({ tracker_id, listing_id }, { db, principal, actor }) {
    const found = await selectVisible(db, principal, [tracker_id]);
    const { clone } = requireTracker(found, { missing: 204, feature: "statuses" });
    if (clone) throw new ApiError(219);
    await assignListing(db, principal, tracker_id, listing_id, actor);
    return {};
  },
});

export const operations = [
  listStatusListings,
  createStatusListing,
  updateStatusListing,
  deleteStatusListing,
  assignStatusListing,
];
