import * as z from "zod";
import { operation } from "../operation.ts";
import { changeStatus, insertStatus, removeStatus, selectStatuses } from "./queries.ts";
import { ChangedStatus, NewStatus, Status } from "./schema.ts";

export const listStatuses = operation("/status/list", {
  summary: "The work statuses of a list, in its order",
  feature: "statuses on at least one tracker",
  reads: true,
  input: z.object({ listing_id: z.int() }),
  output: z.object({ list: z.array(Status) }),
  errors: [236],
  async run({ listing_id }, { db, principal }) {
    return { list: await selectStatuses(db, principal, listing_id) };
  },
});

export const createStatus = operation("/status/create", {
  summary: "Adds a work status to the end of a list, which has at most a hundred (268)",
  right: "tracker_update",
  feature: "statuses on at least one tracker",
  input: z.object({ listing_id: z.int(), status: NewStatus }),
  output: z.object({ id: z.int() }),
  errors: [201, 236, 268],
  async run({ listing_id, status }, { db, principal, actor }) {
    const id = await insertStatus(db, principal, listing_id, status, actor);
    return { id };
  },
});

export const updateStatus = operation("/status/update", {
  summary: "Changes a work status's label and color; what is left out stays",
  right: "tracker_update",
  feature: "statuses on at least one tracker",
  input: z.object({ status: ChangedStatus }),
  output: z.object({}),
  errors: [201, 236],
  async run({ status }, { db, principal, actor }) {
    await changeStatus(db, principal, status, actor);
    return {};
  },
});

export const deleteStatus = operation("/status/delete", {
  summary: "Deletes a work status; trackers that had it have no status from then on",
  right: "tracker_update",
  feature: "statuses on at least one tracker",
  input: z.object({ status_id: z.int() }),
  output: z.object({}),
  errors: [201, 236],
  async run({ status_id }, { db, principal, actor }) {
    await removeStatus(db, principal, status_id, actor);
    return {};
  },
});

export const operations = [listStatuses, createStatus, updateStatus, deleteStatus];
