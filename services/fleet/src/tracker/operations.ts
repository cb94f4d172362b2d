import * as z from "zod";
import { Label, Tracker } from "#shared/contract/tracker/tracker.ts";
import { ApiError } from "#shared/error/api-error.ts";
import { listAnswer } from "#shared/operation/list-answer.ts";
import { operation } from "../operation.ts";
import { changeSettings, hasLabelWith, requireTracker, selectTrackers } from "./queries.ts";
import { toTracker, toTrackerPages } from "./to-tracker.ts";

export const readTracker = operation("/tracker/read", {
  summary: "A tracker, blocked or not",
  reads: true,
  input: z.object({ tracker_id: z.int() }),
  output: z.object({ value: Tracker }),
  errors: [201],
  async run({ tracker_id }, { db, principal, clock }) {
    return { value: toTracker(await requireTracker(db, principal, tracker_id), clock) };
  },
});

export const listTrackers = operation("/tracker/list", {
  summary: "The trackers that the caller sees, or those whose label contains any of the texts",
  reads: true,
  input: z.object({
    labels: z
      .array(z.string().min(1).max(60))
      .min(1)
      .max(1024)
      .refine((labels) => new Set(labels).size === labels.length, { error: "must not contain duplicates" })
      .optional(),
  }),
  output: z.object({ list: z.array(Tracker) }),
  errors: [],
  async run({ labels }, { db, principal, clock }) {
    return listAnswer({}, toTrackerPages(await selectTrackers(db, principal, labels && hasLabelWith(labels)), clock));
  },
});

export const readSettings = operation("/tracker/settings/read", {
  summary: "A tracker's label and group",
  reads: true,
  input: z.object({ tracker_id: z.int() }),
  output: z.object({ settings: z.object({ label: z.string(), group_id: z.int() }) }),
  errors: [201, 208],
  async run({ tracker_id }, { db, principal }) {
    const { tracker, source } = await requireTracker(db, principal, tracker_id);
    if (source.blocked) throw new ApiError(208);
    return { settings: { label: tracker.label, group_id: tracker.group_id } };
  },
});

export const updateSettings = operation("/tracker/settings/update", {
  summary: "Changes a tracker's label and group",
  right: "tracker_update",
  input: z.object({ tracker_id: z.int(), label: Label, group_id: z.int() }),
  output: z.object({}),
  errors: [201, 204, 208],
  async run({ tracker_id, label, group_id }, { db, principal, actor }) {
    await changeSettings(db, principal, tracker_id, { label, group_id }, actor);
    return {};
  },
});

export const operations = [readTracker, listTrackers, readSettings, updateSettings];
